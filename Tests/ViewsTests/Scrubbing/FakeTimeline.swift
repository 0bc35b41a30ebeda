import ScrollPhysics
import Views

/// Months of 500 points each, the latest first.
///
/// All names have different lengths, as far as fits: that is how type in blocks tells texts apart.
final class FakeTimeline: ScrubberDataSource {
  var count: Int
  var length = 500.0
  private(set) var questions = 0

  init(count: Int) { self.count = count }

  var numberOfSegments: Int { count }

  func offset(ofSegment stretch: Int) -> Double {
    questions += 1
    return Double(stretch) * length
  }

  /// The first stretch is the one month of a first year, the next twelve are the second year's.
  func title(ofSegment stretch: Int) -> ScrubberTitle {
    ScrubberTitle(
      name: FakeTimeline.name(stretch), label: "M\(stretch % 12)", group: FakeTimeline.year((stretch + 11) / 12))
  }

  static func name(_ stretch: Int) -> String { "Month " + String(repeating: "x", count: stretch % 32) }

  static func year(_ year: Int) -> String { String(repeating: "y", count: year % 12 + 1) }
}
