import FramePacing

/// A run's frames as events on tracks: the main thread's phases, when each frame was due and when it was shown.
nonisolated struct TraceTimeline {
  /// The tracks, by the numbers they have in the file; workers follow the last.
  nonisolated enum Track {
    static let main = 1
    static let expected = 2
    static let actual = 3
    static let firstWorker = 10
  }

  let version: String
  /// A refresh: what a frame has.
  let interval: FrameDuration
  /// What the clock sees of what frames cost: times that it does not see are left out.
  var visibility = CostVisibility.measured

  /// The names of the tracks, in the order in which they are to stand.
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

  /// A frame's events.
  ///
  /// - Parameters:
  ///   - record: the frame.
  ///   - last: the frame before, if it is kept: events of one track must not overlap.
  func events(of record: FrameRecord, after last: FrameRecord?) -> [TraceEvent] {
    let name = "frame \(record.index)"
    let end = record.phaseEnds[FramePhase.present.rawValue]
    var events = [
      TraceEvent(.span(from: record.start, to: end), name, track: Track.main, arguments(of: record))
    ]
    // A step that was taken when the last frame had been presented, and ended behind its refresh: what lies between is its.
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
        TraceEvent(.span(from: record.resamplingStart, to: record.resamplingEnd), "late answer", track: Track.main))
    }
    // The grid may have moved since, and a refresh may be another than those before.
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

  /// Whether a frame was in time, and why not.
  private func statusArguments(of record: FrameRecord) -> [(name: String, value: TraceEvent.Value)] {
    var verdict: [(name: String, value: TraceEvent.Value)] = [("frame", .integer(record.index))]
    if visibility != .none {
      verdict += [
        ("class", .text(record.hitchClass.name)), ("hitch_ms", .milliseconds(record.hitch)),
        ("overrun_ms", .milliseconds(record.overrun)),
      ]
    }
    verdict.append(("tracked", .flag(record.isTracked)))
    if let cause = record.cause { verdict.append(("cause", .text(cause))) }
    if visibility != .none, let latency = record.inputToPresent {
      verdict.append(("input_to_present_ms", .milliseconds(latency)))
    }
    return verdict
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

  /// Perfetto's colours for frames: one that was in time, one that was late by less than a refresh, one by more.
  private func color(of record: FrameRecord) -> String {
    guard record.hitch > .zero else { return "good" }
    return record.hitch < interval ? "bad" : "terrible"
  }
}
