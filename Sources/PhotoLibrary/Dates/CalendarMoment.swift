/// A moment by the calendar and a clock, to the minute.
public struct CalendarMoment: Hashable, Sendable {
  /// Year and month.
  public let month: CalendarMonth
  /// The day of the month, from 1.
  public let day: Int
  /// The hour of the day, 0 to 23.
  public let hour: Int
  /// The minute of the hour, 0 to 59.
  public let minute: Int

  /// The moment of a number of seconds since the beginning of 1970, by the same clock.
  ///
  /// - Complexity: O(1).
  public init(secondsSince1970 seconds: Int64) {
    let days = CalendarMonth.flooredQuotient(seconds, 86_400)
    let second = seconds - days * 86_400
    (month, day) = CalendarMonth.date(daysSince1970: days)
    hour = Int(second / 3_600)
    minute = Int(second / 60 % 60)
  }

  /// The moment as a list shows it, such as `3 Jul 2024, 17:05`: hours and minutes in two digits.
  public var text: String {
    let minutes = minute < 10 ? "0\(minute)" : "\(minute)"
    let hours = hour < 10 ? "0\(hour)" : "\(hour)"
    return "\(day) \(month.name.prefix(3)) \(month.year), \(hours):\(minutes)"
  }
}
