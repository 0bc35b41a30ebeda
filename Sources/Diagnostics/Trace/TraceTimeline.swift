import VitrineDataStructures
import VitrineFramePacing

/// The events of a run's frames: the main thread's phases, and the expected and actual time of each frame.
nonisolated struct TraceTimeline {
  /// The numbers of the tracks in the file.
  ///
  /// Workers follow the last one.
  nonisolated enum Track {
    static let main = 1
    static let expected = 2
    static let actual = 3
    static let firstWorker = 10
  }

  let version: String
  /// The refresh interval.
  let interval: FrameDuration
  /// Which of the frames' costs the clock measures.
  ///
  /// Other times are omitted.
  var visibility = CostVisibility.measured

  /// Returns the names of the tracks in their order.
  func headings(workers: Int) -> [TraceEvent] {
    var events = [TraceEvent(.metadata, "process_name", track: Track.main, [("name", .text("vitrine \(version)"))])]
    var tracks = [(Track.main, "main"), (Track.expected, "Expected timeline"), (Track.actual, "Actual timeline")]
    tracks += (0..<workers).map { (Track.firstWorker + $0, "decode \($0)") }
    for (place, (track, name)) in tracks.enumerated() {
      events.append(TraceEvent(.metadata, "thread_name", track: track, [("name", .text(name))]))
      events.append(TraceEvent(.metadata, "thread_sort_index", track: track, [("sort_index", .integer(place))]))
    }
    return events
  }

  /// Returns the events of a frame.
  ///
  /// - Parameters:
  ///   - record: The frame.
  ///   - last: The preceding frame, if it is in the history. Events of one track must not overlap.
  func events(of record: FrameRecord, after last: FrameRecord?) -> [TraceEvent] {
    let name = "frame \(record.index)"
    let end = record.phaseEnds[FramePhase.present.rawValue]
    var events = [
      TraceEvent(.span(from: record.start, to: end), name, track: Track.main, arguments(of: record))
    ]
    // A deferred step that started after the last present and ended after the refresh fills the time in between.
    if record.deferredStepDelay > .zero, let began = last?.phaseEnds[FramePhase.present.rawValue], began < record.start
    {
      events.append(TraceEvent(.span(from: began, to: record.start), "ahead", track: Track.main))
    }
    for phase in FramePhase.allCases where record.duration(of: phase) > .zero {
      let start = record.start(of: phase)
      events.append(
        TraceEvent(.span(from: start, to: record.phaseEnds[phase.rawValue]), phase.name, track: Track.main))
    }
    if record.resamplingDuration > .zero {
      events.append(
        TraceEvent(
          .span(from: record.resamplingStart, to: record.resamplingEnd), "late input resampling", track: Track.main))
    }
    // The grid may have shifted, and the refresh interval may have changed.
    let due = max(record.target - interval, last?.target ?? .zero)
    events.append(TraceEvent(.span(from: due, to: record.target), name, track: Track.expected))
    let began = max(record.start, last?.shown ?? record.start)
    events.append(
      TraceEvent(
        .span(from: began, to: max(began, record.shown)),
        record.hitch > .zero ? "\(name): \(record.hitchClass.name)" : name, track: Track.actual,
        color: color(of: record), statusArguments(of: record)))
    return events
  }

  /// Returns the arguments that describe whether and why a frame was late.
  private func statusArguments(of record: FrameRecord) -> [(name: String, value: TraceEvent.Value)] {
    var attributes: [(name: String, value: TraceEvent.Value)] = [("frame", .integer(record.index))]
    if visibility != .none {
      attributes += [
        ("class", .text(record.hitchClass.name)), ("hitch_ms", .milliseconds(record.hitch)),
        ("overrun_ms", .milliseconds(record.overrun)),
      ]
    }
    attributes.append(("tracked", .flag(record.isTracked)))
    if let cause = record.cause { attributes.append(("cause", .text(cause))) }
    if visibility != .none, let latency = record.inputToPresent {
      attributes.append(("input_to_present_ms", .milliseconds(latency)))
    }
    return attributes
  }

  private func arguments(of record: FrameRecord) -> [(name: String, value: TraceEvent.Value)] {
    var arguments: [(name: String, value: TraceEvent.Value)] = [("frame", .integer(record.index))]
    if visibility != .none {
      arguments += [
        ("commit_ms", .milliseconds(record.commit)),
        ("left_ms", .milliseconds(record.deadline - record.phaseEnds[FramePhase.raster.rawValue])),
      ]
    }
    arguments += [
      ("entered", .integer(Int(record.cellsEntered))), ("uploads", .integer(Int(record.uploads))),
    ]
    if record.cellsForced > 0 {
      arguments += [("forced", .integer(Int(record.cellsForced))), ("forced_ms", .milliseconds(record.forcedDuration))]
      if let type = record.slowestForcedType { arguments.append(("forced_type", .text(String(describing: type)))) }
    }
    if record.deferredStepDelay > .zero {
      arguments.append(("carried_over_ms", .milliseconds(record.deferredStepDelay)))
    }
    if record.wakeLateness > .zero { arguments.append(("woken_late_ms", .milliseconds(record.wakeLateness))) }
    if record.contention.waited > .zero {
      arguments.append(("processor_wait_ms", .milliseconds(record.contention.waited)))
      arguments.append(("own_workers_ms", .milliseconds(record.contention.ownWork)))
    }
    if record.preempted > .zero { arguments.append(("preempted_ms", .milliseconds(record.preempted))) }
    if record.isOccluded { arguments.append(("occluded", .flag(true))) }
    return arguments
  }

  /// Returns Perfetto's color for a frame that was in time, late by less than a refresh, or later.
  private func color(of record: FrameRecord) -> String {
    guard record.hitch > .zero else { return "good" }
    return record.hitch < interval ? "bad" : "terrible"
  }
}

/// The counter events of a run.
///
/// Unchanged values are omitted.
nonisolated struct TraceCounters {
  /// The time span over which hitches are summed.
  static let window = FrameDuration.seconds(1)

  /// Which of the frames' costs the clock measures.
  ///
  /// If none, there is no counter of hitches.
  private let visibility: CostVisibility
  private var lastValues: [String: [TraceEvent.Value]] = [:]
  /// The hitches of the last second, oldest first, and their sum.
  private var hitches = Deque<(shown: FrameInstant, hitch: FrameDuration)>()
  private var hitchTime = FrameDuration.zero

  init(visibility: CostVisibility = .measured) { self.visibility = visibility }

  /// Returns the counters that a frame changes: entered cells, uploaded bytes, and hitches of the last second.
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

  /// Returns the counters of a sample: queues, caches and memory.
  mutating func events(of sample: TraceSample) -> [TraceEvent] {
    var memory: [(name: String, value: TraceEvent.Value)] = [
      ("pictures MB", .megabytes(sample.bitmapBytes)), ("textures MB", .megabytes(sample.textureBytes)),
    ]
    if let resident = sample.residentBytes { memory.append(("resident MB", .megabytes(resident))) }
    return [
      event(
        "cells on screen", at: sample.instant,
        [("all", .integer(sample.visibleCells)), ("cold", .integer(sample.cellsWithoutImage))]),
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
