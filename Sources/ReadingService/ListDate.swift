import VitrineImageMetadata
import VitrineReadingProtocol

/// A parser for the dates of a list.
///
/// A date is `2021-06-07`, `2021-06-07T09:08`, optionally with seconds, fractions of a second and a time zone offset,
/// or a number of seconds since 1970. As in photograph headers, the time is the camera's local time; the offset is
/// ignored.
enum ListDate {
  /// Returns the seconds since 1970 for a date string, or nil if the string is invalid.
  static func seconds(from text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    guard rest.count <= 64, let year = parseDigits(4, &rest), consumeCharacter("-", &rest),
      let month = parseDigits(2, &rest),
      consumeCharacter("-", &rest),
      let day = parseDigits(2, &rest), (1...12).contains(month),
      let days = CalendarMonth(year: year, month: month).daysSince1970(toDay: day)
    else { return nil }
    let date = days * 86_400
    if rest.isEmpty { return date }
    guard consumeCharacter("T", &rest) || consumeCharacter(" ", &rest), let hour = parseDigits(2, &rest), hour < 24,
      consumeCharacter(":", &rest),
      let minute = parseDigits(2, &rest), minute < 60
    else { return nil }
    var second = 0
    if consumeCharacter(":", &rest) {
      guard let parsed = parseDigits(2, &rest), parsed <= 60 else { return nil }
      second = min(parsed, 59)
      if consumeCharacter(".", &rest) { rest = rest.drop { (0x30...0x39).contains($0) } }
    }
    guard rest.isEmpty || isOffset(rest) else { return nil }
    return date + Int64(hour * 3_600 + minute * 60 + second)
  }

  /// Returns the given seconds since 1970, or nil if they are outside the supported range.
  static func seconds(from number: Int) -> Int64? {
    ListEntry.dates.contains(Int64(number)) ? Int64(number) : nil
  }

  private static func parseDigits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }

  private static func consumeCharacter(_ sign: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func isOffset(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    if consumeCharacter("Z", &rest) { return rest.isEmpty }
    guard consumeCharacter("+", &rest) || consumeCharacter("-", &rest), parseDigits(2, &rest) != nil else {
      return false
    }
    _ = consumeCharacter(":", &rest)
    return rest.isEmpty || parseDigits(2, &rest) != nil && rest.isEmpty
  }
}
