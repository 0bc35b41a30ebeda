import FramePacing
import ImagePipeline

/// Writes a run's time line where it was asked for, as Chrome's Trace Event Format has it: one event a line.
///
/// ui.perfetto.dev and chrome://tracing open it. On any thread.
nonisolated struct TraceWriter {
  /// How many bytes are made before they are written.
  private static let flushThreshold = 1 << 20

  /// `-` for standard output, else a file's path.
  let destination: String

  /// Writes what a snapshot holds.
  ///
  /// - Throws: ``OutputError`` where it cannot be written.
  /// - Complexity: O(frames + decodes + uploads + samples).
  func write(_ snapshot: TraceSnapshot) throws(OutputError) {
    let file = try OutputFile(destination)
    var text = TraceJSONWriter()
    text.writeRaw("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")
    var isFirst = true
    func add(_ events: [TraceEvent]) throws(OutputError) {
      for event in events {
        if !isFirst { text.writeRaw(",\n") }
        isFirst = false
        event.write(to: &text)
      }
      guard text.bytes.count >= TraceWriter.flushThreshold else { return }
      try file.write(text.bytes)
      text = TraceJSONWriter()
    }
    let timeline = TraceTimeline(
      version: snapshot.version, interval: snapshot.interval, visibility: snapshot.visibility)
    var counters = TraceCounters(visibility: snapshot.visibility)
    var pictures = TraceImageEvents()
    try add(timeline.headings(workers: TraceImageEvents.workerCount(of: snapshot.decodes)))
    // A span before what lies within it: readers sort by time alone, and keep the order of what is simultaneous.
    var last: FrameRecord?
    for record in snapshot.records {
      try add(timeline.events(of: record, after: last))
      try add(counters.events(of: record))
      last = record
    }
    for decode in snapshot.decodes { try add(pictures.events(of: decode)) }
    for upload in snapshot.uploads { try add(pictures.events(of: upload)) }
    for sample in snapshot.samples { try add(counters.events(of: sample)) }
    text.writeRaw("\n]}\n")
    try file.write(text.bytes)
    try file.close()
  }
}
