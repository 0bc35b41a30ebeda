import FramePacing
import Geometry
import ImagePipeline
import Rendering

/// Pictures on their way to the screen, as events: who decoded each, when it became a texture, and an arrow between.
nonisolated struct TraceImageEvents {
  private typealias Track = TraceTimeline.Track
  /// A texture was made of what a decode had made.
  private static let flow: StaticString = "picture"
  private static let decode: StaticString = "decode"

  /// A decode that may have an arrow from its end.
  private nonisolated struct Origin {
    var name: String
    var track: Int
    /// Within the decode, for readers in whose eyes it does not hold its end.
    var flowStart: FrameInstant
  }

  /// The decodes by number.
  private var origins: [UInt64: Origin] = [:]
  /// The last slice of each worker's row.
  private var lastSlices: [Int: (began: FrameInstant, ended: FrameInstant)] = [:]
  private var flowCount: UInt64 = 0

  /// A decode's events: on its worker's row, and as a pair that may overlap others.
  ///
  /// One that was made on the thread that draws, by a program that decodes by itself, lies within the phase that it held up.
  /// A worker does one after the other, so that its row holds them all. Should two of them overlap all the same, the row
  /// shows of the later one what no other covers; the pair has the true moments.
  ///
  /// - Parameter span: the decode; told in the order in which they ended.
  mutating func events(of span: DecodeSpan) -> [TraceEvent] {
    let track = TraceImageEvents.track(of: span)
    let name = TraceImageEvents.name(of: span)
    let began = track == Track.main ? span.began : sliceStart(of: span, track: track)
    let color = span.failure.map { $0 == .interrupted ? "grey" : "bad" }
    var events = [
      TraceEvent(.span(from: began, to: span.ended), name, track: track, color: color, threadArguments(of: span))
    ]
    guard span.number > 0 else { return events }
    origins[span.number] = Origin(
      name: name, track: track,
      flowStart: span.ended > began ? span.ended - FrameDuration(nanoseconds: 1) : span.ended)
    events.append(
      TraceEvent(
        .begin(at: span.began, category: TraceImageEvents.decode, id: span.number), "decode", track: track,
        resultArguments(of: span, name)))
    events.append(
      TraceEvent(.end(at: span.ended, category: TraceImageEvents.decode, id: span.number), "decode", track: track))
    return events
  }

  /// How many workers have rows.
  static func workerCount(of spans: [DecodeSpan]) -> Int {
    1 + (spans.lazy.filter { !$0.context.isDrawingThread }.map(\.context.worker).max() ?? -1)
  }

  private static func track(of span: DecodeSpan) -> Int {
    span.context.isDrawingThread ? Track.main : Track.firstWorker + span.context.worker
  }

  /// Where a decode's slice begins so that it lies behind the last one of its row, or within that.
  private mutating func sliceStart(of span: DecodeSpan, track: Int) -> FrameInstant {
    if let last = lastSlices[track], span.ended <= last.ended {
      return span.ended < last.began ? span.ended : max(span.began, last.began)
    }
    let began = max(span.began, lastSlices[track]?.ended ?? span.began)
    lastSlices[track] = (began, span.ended)
    return began
  }

  /// An upload's events: a span within the frame's phase, and an arrow from the decode where that is kept.
  ///
  /// - Parameter span: the upload; told after the decodes.
  mutating func events(of span: UploadSpan) -> [TraceEvent] {
    let origin = origins[span.bitmapNumber]
    var events = [
      TraceEvent(
        .span(from: span.began, to: span.ended), origin?.name ?? "bitmap", track: Track.main,
        [("bytes", .integer(span.bytes))])
    ]
    guard let origin, origin.flowStart <= span.began else { return events }
    flowCount += 1
    events.append(
      TraceEvent(
        .flowStart(at: origin.flowStart, category: TraceImageEvents.flow, id: flowCount), "picture", track: origin.track
      ))
    events.append(
      TraceEvent(.flowEnd(at: span.began, category: TraceImageEvents.flow, id: flowCount), "picture", track: Track.main)
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
      ("rung", .text(String(describing: span.representation))),
    ]
    if span.isStored { arguments.append(("from_disk", .flag(true))) }
    if let failure = span.failure { arguments.append(("failure", .text(String(describing: failure)))) }
    return arguments
  }

  /// A file's name, the number of what was painted, an address, or the key's number.
  private static func name(of span: DecodeSpan) -> String {
    switch span.source {
    case .file(let path): String(decoding: path.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    case .generated(let number): "painted \(number)"
    case .memory, nil: "picture \(span.key.source)"
    case .remote(let request): request.url.description
    }
  }
}
