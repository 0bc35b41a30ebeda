/// A month of the proleptic Gregorian calendar.
package struct CalendarMonth: Hashable, Comparable, Sendable {
  /// The number of months since January of the year 0.
  package let number: Int

  /// The year, which may be 0 or negative.
  package var year: Int { number >= 0 ? number / 12 : -((11 - number) / 12) }

  /// The month of the year, 1 to 12.
  package var month: Int { number - year * 12 + 1 }

  /// Creates the month that contains the given time, in seconds since 1970 on the same clock.
  ///
  /// - Complexity: O(1).
  package init(containing seconds: Int64) {
    self = CalendarMonth.date(daysSince1970: CalendarMonth.flooredQuotient(seconds, 86_400)).month
  }

  /// Returns the month and the day of the month for a number of days since January 1, 1970.
  package static func date(daysSince1970 days: Int64) -> (month: CalendarMonth, day: Int) {
    // Counts from March of the year 0, in eras of 400 years, which all have the same length.
    let shifted = days + 719_468
    let era = flooredQuotient(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let sinceMarch = (5 * dayOfYear + 2) / 153
    let month = CalendarMonth(year: Int(era * 400 + year), month: Int(sinceMarch) + 3)
    return (month, Int(dayOfYear - (153 * sinceMarch + 2) / 5) + 1)
  }

  /// Creates a month.
  ///
  /// - Parameter month: The month, 1 to 12. Other values carry over into earlier and later years.
  package init(year: Int, month: Int) { number = year * 12 + month - 1 }

  /// Returns whether the first month is earlier than the second.
  package static func < (one: CalendarMonth, other: CalendarMonth) -> Bool { one.number < other.number }

  /// The name of the month with its year, such as `July 2024`.
  package var name: String { "\(CalendarMonth.names[month - 1]) \(year)" }

  /// The English names of the months.
  package static let names = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// Returns the number of days from January 1, 1970 to the given day of this month, or nil if the month has no such
  /// day.
  package func daysSince1970(toDay day: Int) -> Int64? {
    let days = daysSince1970 + Int64(day) - 1
    return CalendarMonth.date(daysSince1970: days) == (self, day) ? days : nil
  }

  /// The first second of the month, counted from 1970 on the same clock.
  package var startSeconds: Int64 { daysSince1970 * 86_400 }

  /// The seconds of the month.
  package var seconds: Range<Int64> { startSeconds..<CalendarMonth(year: year, month: month + 1).startSeconds }

  /// The number of days from January 1, 1970 to the first day of the month.
  private var daysSince1970: Int64 {
    // Years count from March, so that the leap day is the last day of a year.
    let shifted = Int64(number) - 2
    let year = CalendarMonth.flooredQuotient(shifted, 12)
    let sinceMarch = shifted - year * 12
    let leapDays =
      CalendarMonth.flooredQuotient(year, 4) - CalendarMonth.flooredQuotient(year, 100)
      + CalendarMonth.flooredQuotient(year, 400)
    return year * 365 + leapDays + (153 * sinceMarch + 2) / 5 - 719_468
  }

  /// Returns the quotient, rounded down.
  package static func flooredQuotient(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// A date and a time of day, to the minute.
package struct CalendarMoment: Hashable, Sendable {
  /// The year and the month.
  package let month: CalendarMonth
  /// The day of the month, from 1.
  package let day: Int
  /// The hour of the day, 0 to 23.
  package let hour: Int
  /// The minute of the hour, 0 to 59.
  package let minute: Int

  /// Creates the moment that is the given number of seconds after the start of 1970, on the same clock.
  ///
  /// - Complexity: O(1).
  package init(secondsSince1970 seconds: Int64) {
    let days = CalendarMonth.flooredQuotient(seconds, 86_400)
    // The first day that begins before the range of the type wraps around to the right difference.
    let second = seconds &- days &* 86_400
    (month, day) = CalendarMonth.date(daysSince1970: days)
    hour = Int(second / 3_600)
    minute = Int(second / 60 % 60)
  }

  /// The moment for display, such as `3 Jul 2024, 17:05`, with two digits for hours and minutes.
  package var text: String {
    let minutes = minute < 10 ? "0\(minute)" : "\(minute)"
    let hours = hour < 10 ? "0\(hour)" : "\(hour)"
    return "\(day) \(month.name.prefix(3)) \(month.year), \(hours):\(minutes)"
  }
}
