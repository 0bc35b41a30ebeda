/// Numbers as a table shows them: three places that mean something, one unit.
public enum FigureText {
  /// A time in nanoseconds as microseconds, or from a millisecond on as milliseconds.
  public static func time(_ nanoseconds: Double) -> String {
    nanoseconds < 999_500 ? threePlaces(nanoseconds / 1_000) + " µs" : threePlaces(nanoseconds / 1_000_000) + " ms"
  }

  /// A time in nanoseconds as such up to a microsecond, and as ``time(_:)`` from there on.
  public static func callTime(_ nanoseconds: Double) -> String {
    nanoseconds < 999.5 ? threePlaces(nanoseconds) + " ns" : time(nanoseconds)
  }

  /// A number with one digit behind the point.
  public static func tenths(_ number: Double) -> String { fixed(number, digits: 1) }

  /// A number in three places that mean something.
  public static func number(_ number: Double) -> String { threePlaces(number) }

  /// A share of a whole in hundredths, as `0.10 %`.
  public static func percent(_ share: Double) -> String {
    share.isFinite ? fixed(share * 100, digits: 2) + " %" : "-"
  }

  /// By how much a number differs from an earlier one, in hundredths of that, as `+0.31 %`; nothing where that was 0.
  public static func change(from earlier: Double, to number: Double) -> String? {
    guard earlier != 0 else { return nil }
    let share = (number - earlier) / abs(earlier)
    return (share >= 0 ? "+" : "") + percent(share)
  }

  /// How many times one thing is another, in thousandths.
  public static func exactRatio(_ ratio: Double) -> String { fixed(ratio, digits: 3) + "x" }

  /// How many times one thing is another.
  public static func ratio(_ ratio: Double) -> String { threePlaces(ratio) + "x" }

  /// Bytes an item.
  public static func bytes(_ bytes: Double) -> String { fixed(bytes, digits: 1) + " B" }

  /// A whole number with a comma before every three digits.
  public static func count(_ number: Double) -> String { grouped(number.rounded()) }

  /// A whole number with a comma before every three digits.
  public static func count(_ number: Int) -> String { grouped(Double(number)) }

  private static func threePlaces(_ number: Double) -> String {
    switch abs(number) {
    case ..<9.995: fixed(number, digits: 2)
    case ..<99.95: fixed(number, digits: 1)
    default: grouped(number.rounded())
    }
  }

  /// A number with so many digits behind the point.
  private static func fixed(_ number: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((abs(number) * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    let sign = number < 0 && scaled != 0 ? "-" : ""
    return sign + String(scaled / scale) + "." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  private static func grouped(_ whole: Double) -> String {
    guard let number = Int(exactly: whole) else { return "\(whole)" }
    var text = ""
    for (place, digit) in String(number.magnitude).reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }
}
