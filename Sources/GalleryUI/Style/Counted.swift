/// Numbers and nouns as people read them.
nonisolated enum CountFormat {
  /// A whole number in groups of three.
  static func number(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return number < 0 ? "-" + text : text
  }

  /// A number of things: `1 photograph`, `2,048 photographs`.
  static func quantity(_ count: Int, _ noun: String) -> String {
    "\(number(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// A number of bytes in thousands of thousands: `0 bytes`, `12.4 MB`, `340 kB`; three digits tell enough.
  static func bytes(_ count: Int64) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB"]
    guard count >= 1_000 else { return quantity(Int(max(0, count)), "byte") }
    var (value, unit) = (Double(count) / 1_000, 0)
    while value >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
    guard value < 99.95 else { return "\(number(Int(value.rounded()))) \(units[unit])" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
