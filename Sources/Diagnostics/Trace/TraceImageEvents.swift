import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrineRendering

/// The events of images: decodes, uploads, and an arrow from each decode to its upload.
nonisolated struct TraceImageEvents {
  private typealias Track = TraceTimeline.Track
  /// The category of arrows from decodes to uploads.
  private static let flow: StaticString = "picture"
  private static let decode: StaticString = "decode"

  /// A decode from which an arrow may start.
  private nonisolated struct Origin {
    var name: String
    var track: Int
    /// The start of an arrow, just inside the span, because some readers exclude its end.
    var flowStart: FrameInstant
  }

  /// The decodes by their number.
  private var origins: [UInt64: Origin] = [:]
  /// The last span of each worker's track.
  private var lastSlices: [Int: (began: FrameInstant, ended: FrameInstant)] = [:]
  private var flowCount: UInt64 = 0

  /// Returns the events of a decode: a span on its worker's track and an asynchronous span.
  ///
  /// A decode on the drawing thread, by a program that decodes in place, is nested in the phase that it delayed. A
  /// worker decodes one image at a time, so the spans of its track do not overlap. If they do, the later one is
  /// clipped, and the asynchronous span has the exact times.
  ///
  /// - Parameter span: The decode. Decodes must be passed in the order in which they ended.
  mutating func events(of span: DecodeSpan) -> [TraceEvent] {
    let track = TraceImageEvents.track(of: span)
    let name = TraceImageEvents.name(of: span)
    let began = track == Track.main ? span.start : sliceStart(of: span, track: track)
    let color = span.failure.map { $0 == .interrupted ? "grey" : "bad" }
    var events = [
      TraceEvent(.span(from: began, to: span.end), name, track: track, color: color, threadArguments(of: span))
    ]
    guard span.number > 0 else { return events }
    origins[span.number] = Origin(
      name: name, track: track,
      flowStart: span.end > began ? span.end - FrameDuration(nanoseconds: 1) : span.end)
    events.append(
      TraceEvent(
        .begin(at: span.start, category: TraceImageEvents.decode, id: span.number), "decode", track: track,
        resultArguments(of: span, name)))
    events.append(
      TraceEvent(.end(at: span.end, category: TraceImageEvents.decode, id: span.number), "decode", track: track))
    return events
  }

  /// Returns the number of workers that have tracks.
  static func workerCount(of spans: [DecodeSpan]) -> Int {
    1 + (spans.lazy.filter { !$0.context.isDrawingThread }.map(\.context.worker).max() ?? -1)
  }

  private static func track(of span: DecodeSpan) -> Int {
    span.context.isDrawingThread ? Track.main : Track.firstWorker + span.context.worker
  }

  /// Returns the start of a decode's span so that it follows the last span of its track or is nested in it.
  private mutating func sliceStart(of span: DecodeSpan, track: Int) -> FrameInstant {
    if let last = lastSlices[track], span.end <= last.ended {
      return span.end < last.began ? span.end : max(span.start, last.began)
    }
    let began = max(span.start, lastSlices[track]?.ended ?? span.start)
    lastSlices[track] = (began, span.end)
    return began
  }

  /// Returns the events of an upload: a span in the frame's upload phase and, if the decode is known, an arrow from it.
  ///
  /// - Parameter span: The upload. Uploads must be passed after the decodes.
  mutating func events(of span: UploadSpan) -> [TraceEvent] {
    let origin = origins[span.bitmapNumber]
    var events = [
      TraceEvent(
        .span(from: span.start, to: span.end), origin?.name ?? "bitmap", track: Track.main,
        [("bytes", .integer(span.bytes))])
    ]
    guard let origin, origin.flowStart <= span.start else { return events }
    flowCount += 1
    events.append(
      TraceEvent(
        .flowStart(at: origin.flowStart, category: TraceImageEvents.flow, id: flowCount), "picture", track: origin.track
      ))
    events.append(
      TraceEvent(.flowEnd(at: span.start, category: TraceImageEvents.flow, id: flowCount), "picture", track: Track.main)
    )
    return events
  }

  private func threadArguments(of span: DecodeSpan) -> [(name: String, value: TraceEvent.Value)] {
    let place = span.context
    var arguments: [(name: String, value: TraceEvent.Value)] = [
      ("thread", .integer(Int(place.thread))), ("on_render_thread", .flag(place.isDrawingThread)),
    ]
    if let process = place.process, !span.isStored { arguments.append(("process", .integer(Int(process)))) }
    return arguments
  }

  private func resultArguments(of span: DecodeSpan, _ name: String) -> [(name: String, value: TraceEvent.Value)] {
    var arguments: [(name: String, value: TraceEvent.Value)] = [
      ("picture", .text(name)), ("width", .integer(span.key.size.width)), ("height", .integer(span.key.size.height)),
      ("representation", .text(String(describing: span.representation))),
    ]
    if span.isStored { arguments.append(("from_disk", .flag(true))) }
    if let failure = span.failure { arguments.append(("failure", .text(String(describing: failure)))) }
    return arguments
  }

  /// Returns a file's name, the number of a generated image, an address, or the key's number.
  private static func name(of span: DecodeSpan) -> String {
    switch span.source {
    case .file(let path): String(decoding: path.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    case .generated(let number): "painted \(number)"
    case .memory, nil: "picture \(span.key.source)"
    case .remote(let image): image.description
    }
  }
}
