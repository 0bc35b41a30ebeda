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
}
