/// A month of a year of the proleptic Gregorian calendar.
public struct CalendarMonth: Hashable, Comparable, Sendable {
  /// Months since the beginning of the year 0.
  public let number: Int

  /// The year, which may be 0 or negative.
  public var year: Int { number >= 0 ? number / 12 : -((11 - number) / 12) }

  /// The month of the year, 1 to 12.
  public var month: Int { number - year * 12 + 1 }

  /// The month that holds a moment, in seconds since the beginning of 1970 of the same clock.
  ///
  /// - Complexity: O(1).
  public init(containing seconds: Int64) {
    self = CalendarMonth.date(daysSince1970: CalendarMonth.flooredQuotient(seconds, 86_400)).month
  }

  /// Month and day of a number of days since the beginning of 1970.
  static func date(daysSince1970 days: Int64) -> (month: CalendarMonth, day: Int) {
    // Counted from March of the year 0, in eras of 400 years, which are all as long.
    let shifted = days + 719_468
    let era = flooredQuotient(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let sinceMarch = (5 * dayOfYear + 2) / 153
    let month = CalendarMonth(year: Int(era * 400 + year), month: Int(sinceMarch) + 3)
    return (month, Int(dayOfYear - (153 * sinceMarch + 2) / 5) + 1)
  }

  /// Names a month.
  ///
  /// - Parameter month: 1 to 12; others count on into years before and after.
  public init(year: Int, month: Int) { number = year * 12 + month - 1 }

  /// Whether a month was before another.
  public static func < (one: CalendarMonth, other: CalendarMonth) -> Bool { one.number < other.number }

  /// The month as people write it, such as `July 2024`.
  public var name: String { "\(CalendarMonth.names[month - 1]) \(year)" }

  private static let names = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// Divides, rounding down.
  static func flooredQuotient(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
  }
}
