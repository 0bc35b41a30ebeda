import Testing
import VitrineImageMetadata
import VitrinePhotoLibrary

@Suite("Seconds since 1970 are converted to months, days and minutes of the Gregorian calendar")
struct CalendarMonthTests {
  @Test(
    "Known dates have the expected names",
    arguments: [
      (0, "January 1970", "1 Jan 1970, 00:00"), (-1, "December 1969", "31 Dec 1969, 23:59"),
      (1_720_026_305, "July 2024", "3 Jul 2024, 17:05"), (951_782_399, "February 2000", "28 Feb 2000, 23:59"),
      (951_782_400, "February 2000", "29 Feb 2000, 00:00"), (951_868_800, "March 2000", "1 Mar 2000, 00:00"),
      (1_709_164_800, "February 2024", "29 Feb 2024, 00:00"), (4_107_542_400, "March 2100", "1 Mar 2100, 00:00"),
      (-5_364_662_400, "January 1800", "1 Jan 1800, 00:00"),
    ])
  func known(seconds: Int64, month: String, moment: String) {
    #expect(CalendarMonth(containing: seconds).name == month)
    #expect(CalendarMoment(secondsSince1970: seconds).text == moment)
  }

  @Test("Over eight centuries of days, months are consecutive and start at day 1")
  func everyDay() {
    var last = CalendarMonth(containing: -400 * 366 * 86_400)
    var lastDay = CalendarMoment(secondsSince1970: -400 * 366 * 86_400).day
    var lengths: [Int: Set<Int>] = [:]
    for day in (-400 * 366 + 1)..<(400 * 366) {
      let moment = CalendarMoment(secondsSince1970: Int64(day) * 86_400 + 43_200)
      #expect(moment.hour == 12 && moment.minute == 0)
      if moment.day == 1 {
        #expect(moment.month.number == last.number + 1)
        lengths[last.month, default: []].insert(lastDay)
      } else {
        #expect(moment.month == last && moment.day == lastDay + 1)
      }
      (last, lastDay) = (moment.month, moment.day)
    }
    #expect(lengths[2] == [28, 29] && lengths[4] == [30] && lengths[12] == [31])
  }

  @Test("Months are ordered and normalized by year and month, also before year 0")
  func order() {
    #expect(CalendarMonth(year: 2023, month: 12) < CalendarMonth(year: 2024, month: 1))
    #expect(CalendarMonth(year: 2024, month: 13) == CalendarMonth(year: 2025, month: 1))
    for number in [-25, -13, -12, -1, 0, 11, 12] {
      let month = CalendarMonth(year: 0, month: number + 1)
      #expect((1...12).contains(month.month))
      #expect(CalendarMonth(year: month.year, month: month.month) == month)
    }
  }

  @Test("Extreme values are converted to months")
  func extremes() {
    #expect(CalendarMonth(containing: .max) > CalendarMonth(containing: 0))
    #expect(CalendarMonth(containing: .min) < CalendarMonth(containing: 0))
    #expect(CalendarMoment(secondsSince1970: .min).text.hasSuffix(", 08:29"))
  }
}
