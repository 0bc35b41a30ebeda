/// A line of ASCII letters in memory that is kept: numbers are written into it without making strings.
public final class GlyphLine {
  private var letters: [UInt8]
  /// How many letters there are.
  public private(set) var count = 0

  /// Makes an empty line that holds so many letters at most; more are dropped.
  public init(capacity: Int = 160) { letters = [UInt8](repeating: 0, count: max(1, capacity)) }

  /// A letter by its place.
  /// - Precondition: less than ``count``.
  public subscript(index: Int) -> UInt8 { letters[index] }

  /// Forgets the letters from a place on.
  public func truncate(to length: Int) { count = min(count, max(0, length)) }

  /// Forgets the letters.
  public func removeAll() { count = 0 }

  /// Writes a text; what is not ASCII is dropped.
  @discardableResult
  public func write(_ text: StaticString) -> GlyphLine {
    text.withUTF8Buffer { for letter in $0 where letter < 127 { appendLetter(letter) } }
    return self
  }

  /// Writes a text made elsewhere; what is not ASCII is dropped.
  @discardableResult
  public func write(text: String) -> GlyphLine {
    for letter in text.utf8 where letter < 127 { appendLetter(letter) }
    return self
  }

  /// Writes a whole number, in groups of three where it is long.
  @discardableResult
  public func write(_ number: Int) -> GlyphLine {
    if number < 0 { appendLetter(0x2D) }
    writeDigits(number.magnitude, isGrouped: number.magnitude >= 10_000)
    return self
  }

  /// Writes a number with so many decimals, at most 3.
  @discardableResult
  public func write(_ number: Double, decimals: Int) -> GlyphLine {
    guard number.isFinite, abs(number) < 1e15 else { return write("--") }
    let factor: Double = decimals == 0 ? 1 : decimals == 1 ? 10 : decimals == 2 ? 100 : 1_000
    let scaled = (abs(number) * factor).rounded()
    if number < 0, scaled > 0 { appendLetter(0x2D) }
    let whole = UInt(scaled / factor)
    writeDigits(whole, isGrouped: whole >= 10_000)
    guard decimals > 0 else { return self }
    appendLetter(0x2E)
    var rest = UInt(scaled) - whole * UInt(factor)
    var place = UInt(factor) / 10
    while place > 0 {
      appendLetter(UInt8(0x30 + rest / place))
      rest %= place
      place /= 10
    }
    return self
  }

  private func writeDigits(_ number: UInt, isGrouped: Bool) {
    var place: UInt = 1
    var digits = 1
    while number / place >= 10 {
      place *= 10
      digits += 1
    }
    var rest = number
    while place > 0 {
      appendLetter(UInt8(0x30 + rest / place))
      rest %= place
      place /= 10
      digits -= 1
      if isGrouped, digits > 0, digits % 3 == 0 { appendLetter(0x2C) }
    }
  }

  private func appendLetter(_ letter: UInt8) {
    guard count < letters.count else { return }
    letters[count] = letter
    count += 1
  }
}
