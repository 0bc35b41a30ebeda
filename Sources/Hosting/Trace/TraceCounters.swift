import DataStructures
import FramePacing

/// Figures over the time of a run, as events; what stays as it was is not told again.
nonisolated struct TraceCounters {
  /// How long a hitch counts.
  static let window = FrameDuration.seconds(1)

  /// What the clock sees of what frames cost: where it sees nothing, no sum of hitches is told.
  private let visibility: CostVisibility
  private var lastValues: [String: [TraceEvent.Value]] = [:]
  /// The hitches of the last second, the oldest first, and their sum.
  private var hitches = Deque<(shown: FrameInstant, hitch: FrameDuration)>()
  private var hitchTime = FrameDuration.zero

  init(visibility: CostVisibility = .measured) { self.visibility = visibility }

  /// What a frame changes: cells that entered it, bytes that it uploaded, hitches of the second that ends with it.
  mutating func events(of record: FrameRecord) -> [TraceEvent] {
    if record.hitch > .zero {
      hitches.append((record.shown, record.hitch))
      hitchTime += record.hitch
    }
    while let first = hitches.first, record.shown - first.shown >= TraceCounters.window {
      hitchTime = hitchTime - first.hitch
      _ = hitches.popFirst()
    }
    return [
      event(
        "cells", at: record.start,
        [("entered", .integer(Int(record.cellsEntered))), ("forced", .integer(Int(record.cellsForced)))]),
      event(
        "uploaded", at: record.start,
        [("bitmaps", .integer(Int(record.uploads))), ("MB", .megabytes(Int(record.uploadedBytes)))]),
      visibility == .none
        ? nil : event("hitches of the last second", at: record.shown, [("ms", .milliseconds(hitchTime))]),
    ].compactMap(\.self)
  }

  /// What was held and waited for between two frames.
  mutating func events(of sample: TraceSample) -> [TraceEvent] {
    var memory: [(name: String, value: TraceEvent.Value)] = [
      ("pictures MB", .megabytes(sample.bitmapBytes)), ("textures MB", .megabytes(sample.textureBytes)),
    ]
    if let resident = sample.residentBytes { memory.append(("resident MB", .megabytes(resident))) }
    return [
      event(
        "cells on screen", at: sample.instant,
        [("all", .integer(sample.visibleCells)), ("cold", .integer(sample.coldCells))]),
      event(
        "decode queue", at: sample.instant,
        [("waiting", .integer(sample.queued)), ("running", .integer(sample.decoding))]),
      event("bitmaps to upload", at: sample.instant, [("waiting", .integer(sample.waitingUploads))]),
      event("memory", at: sample.instant, memory),
    ].compactMap(\.self)
  }

  private mutating func event(
    _ name: String, at instant: FrameInstant, _ figures: [(name: String, value: TraceEvent.Value)]
  ) -> TraceEvent? {
    let values = figures.map(\.value)
    guard lastValues.updateValue(values, forKey: name) != values else { return nil }
    return TraceEvent(.counters(at: instant), name, track: TraceTimeline.Track.main, figures)
  }
}
