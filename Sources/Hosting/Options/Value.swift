public import Geometry

/// Reads the values of options; each error names the option, the value and what is accepted.
public enum OptionValue {
  /// One of a set of names.
  public static func choice<Choice: CaseIterable & RawRepresentable>(
    _ text: String, of option: String
  ) throws(UsageError) -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw UsageError("\(option) \(text): accepted are \(names)")
  }

  /// A number within a range.
  public static func number(
    _ text: String, of option: String, in range: ClosedRange<Double>
  ) throws(UsageError) -> Double {
    if let number = Double(text), number.isFinite, range.contains(number) { return number }
    throw UsageError(
      "\(option) \(text): a number from \(formatted(range.lowerBound)) to \(formatted(range.upperBound)) is accepted")
  }

  /// A whole number within a range.
  public static func integer(
    _ text: String, of option: String, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    if let number = Int(text), range.contains(number) { return number }
    throw UsageError("\(option) \(text): a whole number from \(range.lowerBound) to \(range.upperBound) is accepted")
  }

  /// A size such as `1280x800`, in points.
  public static func size(_ text: String, of option: String) throws(UsageError) -> Size {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard sides.count == 2, (16...16_384).contains(sides[0]), (16...16_384).contains(sides[1]) else {
      throw UsageError("\(option) \(text): WIDTHxHEIGHT in points is accepted, each from 16 to 16384, such as 1280x800")
    }
    return Size(width: Double(sides[0]), height: Double(sides[1]))
  }

  /// A path that is not empty.
  public static func path(_ text: String, of option: String) throws(UsageError) -> String {
    guard !text.isEmpty else { throw UsageError("\(option): the path is empty") }
    guard !text.hasPrefix("--") else {
      throw UsageError("\(option) \(text): that is an option; give a path, such as ./\(text)")
    }
    return text
  }

  private static func formatted(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
  }
}
