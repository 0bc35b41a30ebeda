/// A moment as HTTP writes it: "Sun, 06 Nov 1994 08:49:37 GMT".
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The seconds since 1970 of a date; nothing where it is none, or in one of the forms that nobody has written for decades.
  static func seconds(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].count == 4, words[0].last == ",", words[5] == "GMT",
      let day = number(words[1], 1...31), let month = months.firstIndex(of: String(words[2])),
      let year = number(words[3], 1_970...9_999)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = number(clock[0], 0...23), let minute = number(clock[1], 0...59),
      let second = number(clock[2], 0...60)
    else { return nil }
    return ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
  }

  /// Days since 1970, by counting from a March, after which the odd day of a leap year comes last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = (month + 10) % 12
    let years = month < 2 ? year - 1 : year
    return years * 365 + years / 4 - years / 100 + years / 400 + (153 * shifted + 2) / 5 + day - 719_469
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text)
    else { return nil }
    return range.contains(value) ? value : nil
  }
}
