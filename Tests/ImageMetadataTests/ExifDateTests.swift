import Testing

@testable import ImageMetadata

@Suite("A camera's date becomes seconds")
struct ExifDateTests {
  private func seconds(_ text: String) -> Int64? { ExifDate(Array(text.utf8))?.secondsSince1970 }

  @Test("Known instants")
  func knownInstants() {
    #expect(seconds("1970:01:01 00:00:00") == 0)
    #expect(seconds("1969:12:31 23:59:59") == -1)
    #expect(seconds("2000:02:29 12:34:56") == 951_827_696)
    #expect(seconds("2038:01:19 03:14:08") == 2_147_483_648)
    #expect(seconds("1826:06:01 12:00:00") == -4_531_118_400)
    #expect(seconds("2024-12-31T23:59:59") == 1_735_689_599)
  }

  @Test("Each day of six centuries follows the day before by a day")
  func daysFollowEachOther() {
    var expected: Int64?
    for year in 1800..<2400 {
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (index, length) in lengths.enumerated() {
        for day in 1...length {
          let month = index + 1
          let text = "\(year):\(month < 10 ? "0" : "")\(month):\(day < 10 ? "0" : "")\(day) 00:00:00"
          let now = seconds(text)
          #expect(now != nil)
          if let expected, now != expected {
            Issue.record("\(text) is \(String(describing: now)), not \(expected)")
            return
          }
          expected = now.map { $0 + 86_400 }
        }
      }
    }
  }

  @Test(
    "Nonsense is no date",
    arguments: [
      "0000:00:00 00:00:00", "    :  :     :  :  ", "2023:02:29 10:00:00", "2023:13:01 10:00:00",
      "2023:00:10 10:00:00", "2023:04:31 10:00:00", "2023:04:30 24:00:00", "2023:04:30 10:60:00",
      "2023:04:30 10:00:60", "1799:12:31 23:59:59", "2023:04:30 10:00:0", "2023:04:30 10:00:000",
      "2O23:04:30 10:00:00", "2023.04.30 10:00:00", "2023:04:30 10-00-00", "-123:04:30 10:00:00",
    ])
  func nonsense(text: String) {
    #expect(seconds(text) == nil)
  }
}
