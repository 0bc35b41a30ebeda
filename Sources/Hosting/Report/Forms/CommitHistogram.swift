import FramePacing

/// How often commits took how long, in SVG, over the kept frames in which something moved.
///
/// Each class is a quarter of a doubling wide: what is ten times as long is as easily told apart at 50 µs as at 5 ms.
struct CommitHistogram {
  static let width = 960.0
  static let height = 120.0
  /// The shortest time that is told apart, and the longest, in microseconds.
  static let range = (shortest: 8.0, longest: 131_072.0)
  /// Classes in a doubling.
  static let binsPerDoubling = 4

  /// Frames in each class.
  let counts: [Int]

  /// Counts the frames of a history.
  ///
  /// - Complexity: O(kept frames).
  init(_ history: FrameHistory) {
    var counts = [Int](repeating: 0, count: CommitHistogram.binCount)
    for age in 0..<history.availableCount {
      let record = history.record(atAge: age)
      if record.isTracked, !record.isOccluded { counts[CommitHistogram.binIndex(of: record.commit.microseconds)] += 1 }
    }
    self.counts = counts
  }

  static var binCount: Int { 14 * binsPerDoubling }

  /// The class of a time.
  static func binIndex(of microseconds: Double) -> Int {
    var bound = range.shortest
    var place = 0
    let step = 1.189_207_115_002_721  // the fourth root of 2
    while place < binCount - 1, microseconds >= bound * step {
      bound *= step
      place += 1
    }
    return place
  }

  /// The picture; nothing where nothing moved.
  var svg: String? {
    guard let most = counts.max(), most > 0 else { return nil }
    let step = CommitHistogram.width / Double(counts.count)
    let floor = CommitHistogram.height - 16
    var text =
      "<svg viewBox=\"0 0 \(Int(CommitHistogram.width)) \(Int(CommitHistogram.height))\" role=\"img\""
      + " aria-label=\"Commit times\">\n"
    for (place, count) in counts.enumerated() where count > 0 {
      let height = max(1, floor * Double(count) / Double(most))
      text +=
        "<rect class=\"commit\" x=\"\(ReportNumberFormatter.decimal(Double(place) * step, 1))\""
        + " y=\"\(ReportNumberFormatter.decimal(floor - height, 1))\" width=\"\(ReportNumberFormatter.decimal(step - 1, 1))\""
        + " height=\"\(ReportNumberFormatter.decimal(height, 1))\"><title>\(ReportNumberFormatter.whole(count)) frames</title></rect>\n"
    }
    for doubling in stride(from: 0, to: 14, by: 2) {
      var microseconds = CommitHistogram.range.shortest
      for _ in 0..<doubling { microseconds *= 2 }
      let x = Double(doubling * CommitHistogram.binsPerDoubling) * step
      text +=
        "<text x=\"\(ReportNumberFormatter.decimal(x, 1))\" y=\"\(Int(CommitHistogram.height) - 2)\">"
        + ReportNumberFormatter.time(microseconds: microseconds) + "</text>\n"
    }
    return text + "</svg>\n"
  }
}
