/// When a scene was taken: a day of its season within several years, at the hour of its light.
enum CaptureDate {
  /// The first year and how many there are.
  private static let firstYear = 2019
  private static let years = 6

  /// Seconds since 1970 by the camera's clock.
  ///
  /// Pictures come in journeys: those of a season of a year fall on a few days of one month, as far as the first
  /// sixty or so go; a larger library fills the other months.
  static func seconds(index: Int, season: Season, mood: LightMood, random: inout PaintRandom) -> Int64 {
    let year = firstYear + random.below(years)
    let month = (index < 80 ? mainMonth(season, year: year) : random.below(3)) + firstMonth(season)
    let journey = 4 + (year * 7 + month * 5) % 15
    let day = index < 80 ? journey + random.below(5) : 1 + random.below(28)
    let hours = mood.hours(halfDay: halfDay(season))
    let second = random.within((hours.lowerBound * 3_600)...(hours.upperBound * 3_600))
    let wrapped = month > 12 ? (year + 1, month - 12) : (year, month)
    return days(year: wrapped.0, month: wrapped.1, day: day) * 86_400 + Int64(second)
  }

  private static func firstMonth(_ season: Season) -> Int {
    switch season {
    case .spring: 3
    case .summer: 6
    case .autumn: 9
    case .winter: 12
    }
  }

  private static func mainMonth(_ season: Season, year: Int) -> Int { (year + season.rawValue) % 3 }

  /// Half the length of a day, in hours.
  private static func halfDay(_ season: Season) -> Float {
    switch season {
    case .spring: 6.7
    case .summer: 7.8
    case .autumn: 5.6
    case .winter: 4.3
    }
  }

  /// Days since 1970 of a date of the Gregorian calendar, after Howard Hinnant's `days_from_civil`.
  static func days(year: Int, month: Int, day: Int) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468)
  }

  /// The date of a number of days since 1970, after Howard Hinnant's `civil_from_days`.
  static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
