import Geometry
import Testing

@testable import SampleLibrary

@Suite("The album of sketches knows any picture by its number")
struct SketchAlbumTests {
  /// Months since the year 0 of a number of seconds since 1970.
  private func month(_ seconds: Int64) -> Int {
    let date = CaptureDate.date(days: seconds / 86_400)
    return Int(date.year * 12 + date.month - 1)
  }

  @Test("Dates go from month to month, the latest first, and forward within a month", arguments: [1, 7] as [UInt64])
  func dates(seed: UInt64) {
    let count = 40_000
    let album = SketchAlbum(count: count, seed: seed)
    var sizes: [Int] = [0]
    for number in 1..<count {
      let (before, now) = (album.captureTime(at: number - 1), album.captureTime(at: number))
      sizes[sizes.count - 1] += 1
      if month(now) == month(before) {
        #expect(now >= before, "\(number)")
      } else {
        #expect(month(now) == month(before) - 1, "\(number)")
        sizes.append(0)
      }
      #expect((6 * 3_600..<21 * 3_600).contains(now % 86_400), "\(number)")
    }
    // The last month may be cut off.
    #expect((470...482).contains(sizes.count))
    let whole = sizes.dropLast()
    #expect(Set(whole).count > 20 && (whole.min() ?? 0) > 40 && (whole.max() ?? 0) < 130)
  }

  @Test("Ten million pictures fall into forty years", arguments: [1_000_000, 10_000_000, 50_000_000])
  func vastDates(count: Int) {
    let album = SketchAlbum(count: count, seed: 3)
    let span = month(album.captureTime(at: 0)) - month(album.captureTime(at: count - 1))
    #expect((479...481).contains(span))
  }

  @Test("Few pictures are of some months, and one is of one")
  func fewDates() {
    let album = SketchAlbum(count: 100, seed: 1)
    let months = Set((0..<100).map { month(album.captureTime(at: $0)) })
    #expect((3...9).contains(months.count))
    #expect(album.captureTime(at: 0) > 1_700_000_000)
  }

  @Test("Sizes are those of photographs, of every proportion; a title tells its number")
  func facts() {
    let album = SketchAlbum(count: 5_000, seed: 1)
    let sizes = (0..<5_000).map(album.size)
    #expect(Set(sizes).count == Set(Sketch.shapes).count)
    #expect(sizes.allSatisfy { max($0.width, $0.height) == 4_000 && min($0.width, $0.height) > 1_000 })
    let titles = (0..<5_000).map(album.title)
    #expect(Set(titles.map { $0.drop { $0 != " " } }).count > 100)
    #expect(titles.enumerated().allSatisfy { $1.hasPrefix("\($0 + 1) ") })
  }

  @Test("The same seed gives the same pictures, whatever their number; another seed gives others")
  func seeds() {
    let (album, again) = (SketchAlbum(count: 10, seed: 5), SketchAlbum(count: 9_000, seed: 5))
    let other = SketchAlbum(count: 9_000, seed: 6)
    let numbers = 0..<400
    #expect(
      numbers.allSatisfy { album.title(at: $0) == again.title(at: $0) && album.size(at: $0) == again.size(at: $0) })
    #expect(numbers.count { again.title(at: $0) != other.title(at: $0) } > 350)
  }
}
