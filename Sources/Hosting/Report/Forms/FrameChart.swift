import FramePacing

/// A picture of a run's last frames in SVG: for each what its phases took, stacked, against the deadline and the refresh.
///
/// Where there are more frames than columns, a column shows the one of its frames that took longest: what is looked for
/// must not be lost.
struct FrameChart {
  /// What is drawn of one frame, in milliseconds.
  struct Column: Hashable {
    /// The frame's number.
    var frame: Int
    /// What each phase took, in the order of ``phases``.
    var phases: [Double]
    /// How late it was shown.
    var hitch: Double
    /// Why, in words; empty where it was in time.
    var tooltip: String

    /// The whole of it.
    var total: Double { phases.reduce(0, +) }
  }

  static let width = 960.0
  static let height = 220.0
  /// How many columns are drawn at most.
  static let maximumColumnCount = 480
  /// The phases that a column stacks, from the bottom up.
  static let phases = OverlayPalette.phases
  /// The refreshes that are seen from bottom to top.
  private static let scale = 1.25

  /// The columns, oldest first.
  let columns: [Column]
  /// A refresh in milliseconds.
  let interval: Double
  /// From a frame's start to its deadline, in milliseconds.
  let deadline: Double

  /// Takes the kept frames of a history.
  ///
  /// - Complexity: O(kept frames).
  init(_ history: FrameHistory, interval: FrameDuration) {
    let count = history.availableCount
    var columns: [Column] = []
    let columnCount = min(count, FrameChart.maximumColumnCount)
    for place in 0..<columnCount {
      let frames = (place * count / columnCount)..<((place + 1) * count / columnCount)
      let candidates = frames.map { FrameChart.makeColumn(history.record(atAge: count - 1 - $0)) }
      // One that was shown late before one that was merely long.
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

  /// The picture.
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

  /// A tenth of a unit is finer than a pixel.
  private func formatted(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }
}
