import Foundation
import Geometry
import ImageMetadata
import Testing

@testable import SampleLibrary

@Suite("The album of scenes")
struct SceneAlbumTests {
  @Test("Sizes have the sides that were promised", arguments: [1, 2, 77] as [UInt64])
  func sizes(seed: UInt64) {
    for index in 0..<300 {
      let size = SceneAlbum(seed: seed).scene(at: index).size
      #expect((1_600...SceneAlbum.longestSide).contains(max(size.width, size.height)))
      #expect(min(size.width, size.height) >= 600)
    }
  }

  @Test(
    "Sixty pictures are stored in all eight orientations, most of them upright", arguments: [1, 2, 3, 4] as [UInt64])
  func orientations(seed: UInt64) {
    let orientations = (0..<60).map { SceneAlbum(seed: seed).scene(at: $0).orientation }
    #expect(Set(orientations) == Set(Orientation.allCases))
    #expect(orientations.count { $0 == .up } > 30)
  }

  @Test("A deal of the deck shows every motif but those that no plate has, and never one twice in a row")
  func motifs() {
    let motifs = Set(ScenePlate.deck.map(\.motif))
    for seed in 1...20 as ClosedRange<UInt64> {
      let shown = (0..<ScenePlate.deck.count).map { SceneAlbum(seed: seed).scene(at: $0).motif }
      #expect(Set(shown) == motifs)
      #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 != $1 }, "seed \(seed): \(shown)")
    }
    #expect(motifs == Set(Motif.allCases))
  }

  @Test("Pictures are taken in their season, at the hour of their light, over several years")
  func dates() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    var years: Set<Int> = []
    for index in 0..<400 {
      let scene = SceneAlbum(seed: 5).scene(at: index)
      let date = Date(timeIntervalSince1970: Double(scene.captureTime))
      let parts = calendar.dateComponents([.year, .month, .hour], from: date)
      let (year, month, hour) = (try #require(parts.year), try #require(parts.month), try #require(parts.hour))
      years.insert(year)
      #expect(scene.season.rawValue == (month % 12 + 9) / 3 % 4, "\(scene.title) in month \(month)")
      switch scene.mood {
      case .noonClear, .noonHaze, .overcast: #expect((11...14).contains(hour))
      case .dawnMist, .dawnRose: #expect((4...9).contains(hour))
      case .moonlit, .starlit: #expect(hour >= 21)
      default: #expect((5...21).contains(hour))
      }
    }
    #expect(years.count >= 5)
    #expect(years.isSubset(of: Set(2019...2025)))
  }

  @Test("A library's months hold several pictures each, as journeys do")
  func journeys() {
    let months = Set((0..<60).map { SceneAlbum(seed: 1).scene(at: $0).captureTime / 86_400 / 30 })
    #expect((8...30).contains(months.count))
  }

  @Test("Dates are the calendar's own, forth and back")
  func calendarDays() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for days in stride(from: -40_000 as Int64, to: 60_000, by: 61) {
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(days) * 86_400))
      let date = CaptureDate.date(days: days)
      #expect(parts.year == Int(date.year) && parts.month == Int(date.month) && parts.day == Int(date.day))
      if date.year >= 0 {
        #expect(CaptureDate.days(year: Int(date.year), month: Int(date.month), day: Int(date.day)) == days)
      }
    }
  }
}
