import VitrineFramePacing

/// An SVG chart of a run's last frames, with their stacked phases and lines for the deadline and the refresh.
///
/// If there are more frames than columns, each column shows the longest of its frames, so that no late frame is lost.
struct FrameChart {
  /// A column of the chart, in milliseconds.
  struct Column: Hashable {
    /// The frame's number.
    var frame: Int
    /// The duration of each phase, in the order of ``phases``.
    var phases: [Double]
    /// The lateness of the frame.
    var hitch: Double
    /// A description of the lateness, or an empty string if the frame was in time.
    var tooltip: String

    /// The sum of all phases.
    var total: Double { phases.reduce(0, +) }
  }

  static let width = 960.0
  static let height = 220.0
  /// The maximum number of columns.
  static let maximumColumnCount = 480
  /// The phases that a column stacks, from bottom to top.
  static let phases = OverlayPalette.phases
  /// The height of the chart in refresh intervals.
  private static let scale = 1.25

  /// The columns, oldest first.
  let columns: [Column]
  /// The refresh interval in milliseconds.
  let interval: Double
  /// The time from a frame's start to its deadline in milliseconds.
  let deadline: Double

  /// Creates a chart of a history.
  ///
  /// - Complexity: O(frames).
  init(_ history: FrameHistory, interval: FrameDuration) {
    let count = history.availableCount
    var columns: [Column] = []
    let columnCount = min(count, FrameChart.maximumColumnCount)
    for place in 0..<columnCount {
      let frames = (place * count / columnCount)..<((place + 1) * count / columnCount)
      let candidates = frames.map { FrameChart.makeColumn(history.record(atAge: count - 1 - $0)) }
      // A late frame takes precedence over a long one.
      if let worst = candidates.max(by: { ($0.hitch, $0.total) < ($1.hitch, $1.total) }) { columns.append(worst) }
    }
    self.columns = columns
    self.interval = interval.milliseconds
    deadline =
      count > 0
      ? (history.record(atAge: 0).deadline - history.record(atAge: 0).start).milliseconds : interval.milliseconds
  }

  private static func makeColumn(_ record: FrameRecord) -> Column {
    Column(
      frame: record.index, phases: phases.map { max(0, record.duration(of: $0).milliseconds) },
      hitch: record.hitch.milliseconds,
      tooltip: record.hitch > .zero
        ? "frame \(record.index), \(ReportNumberFormatter.decimal(record.hitch.milliseconds, 1)) ms late, \(record.hitchClass.name)"
          + (record.cause.map { ": \($0)" } ?? "") : "")
  }

  /// The chart as an SVG element.
  var svg: String {
    let (width, height) = (FrameChart.width, FrameChart.height)
    let step = columns.isEmpty ? width : width / Double(columns.count)
    var floor = [Double](repeating: 0, count: columns.count)
    var text = "<svg viewBox=\"0 0 \(formatted(width)) \(formatted(height))\" role=\"img\" aria-label=\"Frames\">\n"
    for (place, phase) in FrameChart.phases.enumerated() {
      var path = ""
      for (index, column) in columns.enumerated() where column.phases[place] > 0 {
        let low = y(floor[index])
        floor[index] += column.phases[place]
        let high = y(floor[index])
        guard low - high >= 0.05 else { continue }
        path +=
          "M\(formatted(Double(index) * step)) \(formatted(low))V\(formatted(high))h\(formatted(step))V\(formatted(low))z"
      }
      if !path.isEmpty { text += "<path class=\"\(phase.name)\" d=\"\(path)\"/>\n" }
    }
    for (index, column) in columns.enumerated() where column.hitch > 0 {
      text +=
        "<rect class=\"hitch\" x=\"\(formatted(Double(index) * step))\" y=\"0\" width=\"\(formatted(max(2, step)))\" height=\"6\">"
        + "<title>\(HTMLText.escaped(column.tooltip))</title></rect>\n"
    }
    text += horizontalLine("refresh", at: interval) + horizontalLine("deadline", at: deadline)
    return text + "</svg>\n"
  }

  private func horizontalLine(_ name: String, at milliseconds: Double) -> String {
    let y = formatted(y(milliseconds))
    return "<line class=\"\(name)\" x1=\"0\" x2=\"\(formatted(FrameChart.width))\" y1=\"\(y)\" y2=\"\(y)\"/>\n"
  }

  private func y(_ milliseconds: Double) -> Double {
    guard interval > 0 else { return FrameChart.height }
    return FrameChart.height * (1 - min(1, milliseconds / (interval * FrameChart.scale)))
  }

  /// Formats a coordinate with one decimal, which is finer than a pixel.
  private func formatted(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }
}

/// An SVG histogram of the commit times of tracked frames.
///
/// The bins are logarithmic, four per doubling, so that 50 µs and 5 ms are shown with the same relative precision.
struct CommitHistogram {
  static let width = 960.0
  static let height = 120.0
  /// The range of the bins in microseconds.
  ///
  /// Other times belong to the first or last bin.
  static let range = (shortest: 8.0, longest: 131_072.0)
  /// The number of bins per doubling.
  static let binsPerDoubling = 4

  /// The number of frames in each bin.
  let counts: [Int]

  /// Counts the frames of a history.
  ///
  /// - Complexity: O(frames).
  init(_ history: FrameHistory) {
    var counts = [Int](repeating: 0, count: CommitHistogram.binCount)
    for age in 0..<history.availableCount {
      let record = history.record(atAge: age)
      if record.isTracked, !record.isOccluded { counts[CommitHistogram.binIndex(of: record.commit.microseconds)] += 1 }
    }
    self.counts = counts
  }

  static var binCount: Int { 14 * binsPerDoubling }

  /// Returns the index of the bin that contains a time.
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

  /// The histogram as an SVG element, or nil if there are no tracked frames.
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
