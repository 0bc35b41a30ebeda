/// A date as cameras write it, `YYYY:MM:DD HH:MM:SS`, in the proleptic Gregorian calendar and no time zone.
struct ExifDate: Hashable, Sendable {
  /// The characters of a date.
  static let byteCount = 19

  /// Seconds since the beginning of 1970, as if the camera's clock were UTC.
  let secondsSince1970: Int64

  /// Reads 19 characters; nothing when they are blank, or name a day or time that never was.
  init?(_ text: some Collection<UInt8>) {
    let text = Array(text)
    guard text.count == ExifDate.byteCount, let year = ExifDate.parseNumber(text[0..<4]),
      let month = ExifDate.parseNumber(text[5..<7]), let day = ExifDate.parseNumber(text[8..<10]),
      let hour = ExifDate.parseNumber(text[11..<13]), let minute = ExifDate.parseNumber(text[14..<16]),
      let second = ExifDate.parseNumber(text[17..<19])
    else { return nil }
    let daySeparators = Array(":-/".utf8)
    guard daySeparators.contains(text[4]), daySeparators.contains(text[7]), Array(" T".utf8).contains(text[10]),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":")
    else { return nil }
    // There are no photographs of before.
    guard year >= 1800, (1...12).contains(month), (1...ExifDate.days(in: month, of: year)).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let days = ExifDate.daysSince1970(year: year, month: month, day: day)
    secondsSince1970 = Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  private static func parseNumber(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Counts in years that begin in March, so that the leap day is a year's last.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let monthsSinceMarch = (month + 9) % 12
    let daysBeforeMonth = (153 * monthsSinceMarch + 2) / 5
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    let daysFromYearZeroTo1970 = 719_468
    return marchYear * 365 + leapDays + daysBeforeMonth + day - 1 - daysFromYearZeroTo1970
  }
}
