import VitrineFramePacing
import VitrineHosting
import VitrineImagePipeline
import VitrineRendering

/// A writer of a run's timeline in Chrome's Trace Event Format, with one event per line.
///
/// The file opens in ui.perfetto.dev and chrome://tracing. The writer can be used on any thread.
nonisolated struct TraceWriter {
  /// The number of bytes that are buffered before they are written.
  private static let flushThreshold = 1 << 20

  /// The path of the file, or `-` for standard output.
  let destination: String

  /// Writes a snapshot.
  ///
  /// - Throws: `OutputError` if the trace cannot be written.
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
    // A span precedes those nested in it, because readers sort by time alone and keep the order of simultaneous events.
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

/// The data of a trace, copied between two frames so that any thread can write it during the run.
nonisolated struct TraceSnapshot: Sendable {
  /// The program's version.
  var version: String
  /// The refresh interval.
  var interval: FrameDuration
  /// Which of the frames' costs the clock measures.
  ///
  /// Other times are omitted.
  var visibility = CostVisibility.measured
  /// The frames, oldest first.
  var records: [FrameRecord] = []
  /// The decodes, in the order in which they ended.
  var decodes: [DecodeSpan] = []
  /// The uploads, in order.
  var uploads: [UploadSpan] = []
  /// The samples, in order.
  var samples: [TraceSample] = []
}

/// A sample of a run's queues, caches and memory, taken between two frames.
nonisolated struct TraceSample: Hashable, Sendable {
  /// The time of the sample on the run's clock.
  var instant: FrameInstant
  /// The number of visible cells.
  var visibleCells = 0
  /// The number of visible cells without their image.
  var cellsWithoutImage = 0
  /// The number of requests that are waiting for a decoder.
  var queued = 0
  /// The number of running decodes.
  var decoding = 0
  /// The number of bitmaps that are waiting for upload.
  var waitingUploads = 0
  /// The size of decoded images in memory in bytes.
  var bitmapBytes = 0
  /// The size of all textures in bytes.
  var textureBytes = 0
  /// The resident size of the process in bytes, or nil if the kernel does not provide it.
  var residentBytes: Int?
}
