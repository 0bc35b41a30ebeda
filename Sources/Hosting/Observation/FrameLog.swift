import FramePacing

/// Every kept frame of a run in a line of its own, for programs that compare: numbers between tabs, times in nanoseconds on the
/// run's clock, which in real time is CLOCK_MONOTONIC; `-` for what there was none of.
struct FrameLog {
  /// The names of the columns.
  static let header =
    "frame\ttarget\tstart\tcommitted\tpresent_start\tpresented\tshown\tinput\thitch\tclass\ttracked\tfirst\tallocations\n"
  /// How many bytes are made before they are written.
  private static let flushThreshold = 1 << 20

  /// `-` for standard output, else a file's path.
  let destination: String

  /// A frame's line.
  ///
  /// - Parameter record: the frame.
  static func line(of record: FrameRecord) -> String {
    let times = [
      record.target, record.start, record.phaseEnds[FramePhase.raster.rawValue], record.presentStart,
      record.phaseEnds[FramePhase.present.rawValue], record.shown,
    ]
    let columns =
      ["\(record.index)"] + times.map { "\($0.nanoseconds)" } + [
        record.inputInstant.map { "\($0.nanoseconds)" } ?? "-", "\(record.hitch.nanoseconds)", record.hitchClass.name,
        record.isTracked ? "1" : "0", record.isFirstAfterIdle ? "1" : "0",
        record.allocations.map { "\($0)" } ?? "-",
      ]
    return columns.joined(separator: "\t") + "\n"
  }

  /// Writes the frames that are kept, the oldest first.
  ///
  /// - Throws: ``OutputError`` where they cannot be written.
  /// - Complexity: O(frames).
  func write(_ history: FrameHistory) throws(OutputError) {
    let file = try OutputFile(destination)
    var text = FrameLog.header
    for age in (0..<history.availableCount).reversed() {
      text += FrameLog.line(of: history.record(atAge: age))
      guard text.utf8.count >= FrameLog.flushThreshold else { continue }
      try file.write(text.utf8)
      text = ""
    }
    try file.write(text.utf8)
    try file.close()
  }
}
