/// Numbers as people read them.
enum ReportNumberFormatter {
  /// In place of a figure that a run cannot see.
  static let notMeasured = "not measured"

  /// A number with so many decimals and groups of three digits: `12,345.6`.
  static func decimal(_ number: Double, _ decimals: Int) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "\(number)" }
    var factor = 1.0
    for _ in 0..<decimals { factor *= 10 }
    let scaled = Int((abs(number) * factor).rounded())
    let whole = grouped(scaled / Int(factor))
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + whole }
    let rest = String(scaled % Int(factor))
    return sign + whole + "." + String(repeating: "0", count: decimals - rest.count) + rest
  }

  /// A whole number with groups of three digits.
  static func whole(_ number: Int) -> String { (number < 0 ? "-" : "") + grouped(Int(number.magnitude)) }

  /// Microseconds in the unit in which they are read best.
  static func time(microseconds: Double) -> String {
    abs(microseconds) < 1_000 ? decimal(microseconds, 0) + " µs" : decimal(microseconds / 1_000, 2) + " ms"
  }

  /// Milliseconds; seconds from ten of them on.
  static func time(milliseconds: Double) -> String {
    abs(milliseconds) < 10_000 ? decimal(milliseconds, 1) + " ms" : decimal(milliseconds / 1_000, 1) + " s"
  }

  /// Bytes in the unit in which they are read best, by powers of 1,000.
  static func bytes(_ count: Int) -> String {
    switch count.magnitude {
    case ..<1_000: whole(count) + " B"
    case ..<1_000_000: decimal(Double(count) / 1e3, 1) + " kB"
    case ..<1_000_000_000: decimal(Double(count) / 1e6, 1) + " MB"
    default: decimal(Double(count) / 1e9, 2) + " GB"
    }
  }

  private static func grouped(_ number: Int) -> String {
    var text = String(number)
    var place = text.count - 3
    while place > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: place))
      place -= 3
    }
    return text
  }
}
