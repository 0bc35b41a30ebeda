import FramePacing
import ImagePipeline

/// Writes a run's time line where it was asked for, as Chrome's Trace Event Format has it: one event a line.
///
/// ui.perfetto.dev and chrome://tracing open it.
struct TraceWriter {
  /// How many bytes are made before they are written.
  private static let block = 1 << 20

  /// `-` for standard output, else a file's path.
  let destination: String

  /// Writes the frames that are kept, and the decodes.
  ///
  /// - Throws: ``OutputError`` where they cannot be written.
  /// - Complexity: O(frames + decodes).
  func write(
    _ timeline: TraceTimeline, _ history: FrameHistory, _ decodes: [DecodeSpan]
  ) throws(OutputError) {
    let file = try OutputFile(destination)
    var text = TraceText()
    text.plain("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")
    var isFirst = true
    func add(_ events: [TraceEvent]) throws(OutputError) {
      for event in events {
        if !isFirst { text.plain(",\n") }
        isFirst = false
        event.write(to: &text)
      }
      guard text.bytes.count >= TraceWriter.block else { return }
      try file.write(text.bytes)
      text = TraceText()
    }
    try add(timeline.headings(workers: 1 + (decodes.map(\.place.worker).max() ?? -1)))
    var lastShown: FrameInstant?
    for age in (0..<history.keptCount).reversed() {
      let record = history.recent(age)
      try add(timeline.events(of: record, lastShown: lastShown))
      lastShown = record.shown
    }
    for decode in decodes { try add([timeline.event(of: decode)]) }
    text.plain("\n]}\n")
    try file.write(text.bytes)
    try file.close()
  }
}
