import FramePacing
import Foundation
import Geometry
import ImagePipeline
import Rendering
import SDLBackend
import Views

/// Recording a run, and running a recording.
extension Host {
  /// When the run ends by itself.
  var limits: LoopLimits {
    if let replay = options.loadedReplay, options.frames == nil, options.duration == nil { return replay.limits }
    return LoopLimits(frames: options.frames, duration: options.duration.map { FrameDuration.seconds($0) })
  }

  /// The digest of all frames, where equal runs have equal ones.
  func digest(of loop: CommitLoop) -> String? { loop.clock.kind == .virtual ? loop.frameDigest.text : nil }

  /// Whether a hand can do something, now or in the run that is replayed.
  var acceptsInput: Bool { !(options.loadedReplay?.recording.header.isHeadless ?? options.isHeadless) }

  /// What gives the run recorded input; nothing where none is replayed.
  func replayedEvents(from start: FrameInstant) -> (any EventSource)? {
    guard acceptsInput, let replay = options.loadedReplay else { return nil }
    return ReplayEventSource(
      replay.recording.events, beside: display.events, clock: clock, from: start
    ) { [display] size in display.windowFrame = Rect(origin: display.windowFrame.origin, size: size) }
  }

  /// What keeps the run's input; nothing where it is not to be kept.
  func makeRecorder(of events: any EventSource, from start: FrameInstant) -> RecordingEventSource? {
    guard options.record != nil else { return nil }
    // At its beginning, as the window may become another one.
    recordedSize = display.info.size
    return RecordingEventSource(events, clock: clock, from: start) { [display] in display.info.size }
  }

  /// The run as it can be run again.
  func makeRecording(
    of loop: CommitLoop, _ recorder: RecordingEventSource, _ figures: RunFigures, from start: FrameInstant
  ) -> Recording {
    let library = figures.recordedLibrary()
    let events = acceptsInput ? recorder.recordedEvents : []
    let header = RecordingHeader(
      program: options.program, version: version, clock: loop.clock.kind.rawValue, isHeadless: !acceptsInput,
      scale: display.info.scale.pixelsPerPoint,
      options: RecordedOptions.settings(
        given: options.parsedOptions, settled: settledOptions(of: loop) + library.options),
      script: options.scriptText, countsFrames: limits.frames != nil, operands: library.operands,
      workingFolder: library.workingFolder, wanted: library.wantedPath, listsFiles: library.files != nil)
    let files = library.files ?? []
    let arrivals = makeArrivals(figures.journal?.spans ?? [], loop.history, from: start)
    // What is kept on disk differs from machine to machine, and so do windows and what is done to them.
    let isEqualAnywhere =
      !wasInterrupted && options.isHeadless && !options.parsedOptions.contains { $0.name == "--cache-dir" }
    return Recording(
      header: header, files: files, events: events, arrivals: arrivals,
      end: RecordingEnd(
        ns: max(0, (loop.clock.now() - start).nanoseconds), frames: loop.history.count, files: files.count,
        events: events.count, arrivals: arrivals.count,
        frameDigest: isEqualAnywhere ? digest(of: loop) : nil))
  }

  /// What the display and the desktop settled, as options that settle the same.
  private func settledOptions(of loop: CommitLoop) -> [ParsedOption] {
    let sides = [recordedSize.width, recordedSize.height].map { Int(max(16, min(16_384, $0.rounded()))) }
    var settled = [ParsedOption("--size", "\(sides[0])x\(sides[1])")]
    // What a script makes of the display comes with the script.
    let isKnown = loop.clock.kind.isSimulated || faultInjector != nil
    let measured = isKnown ? display.info.refreshHz ?? 60 : 1 / loop.interval.seconds
    let rate = loop.clock.kind == .vsync ? measured : options.refreshHz ?? measured
    let hertz = max(1, min(1_000, rate))
    // As one would write it.
    settled.append(ParsedOption("--refresh", Int(exactly: hertz).map { "\($0)" } ?? "\(hertz)"))
    settled.append(ParsedOption("--seed", "\(options.seed)"))
    if options.reducesMotion { settled.append(ParsedOption("--reduce-motion")) }
    return settled
  }

  private func makeArrivals(_ spans: [DecodeSpan], _ history: FrameHistory, from start: FrameInstant)
    -> [RecordedArrival]
  {
    let first = history.count - history.availableCount
    let starts = (0..<history.availableCount).reversed().map { history.record(atAge: $0).start }
    return spans.map { span in
      // Frames begin one after the other.
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] < span.ended { low = middle + 1 } else { high = middle }
      }
      return RecordedArrival(
        item: Host.itemName(of: span.source), rung: span.representation == .embedded ? "embedded" : "full",
        width: span.key.size.width,
        height: span.key.size.height, ns: max(0, (span.ended - start).nanoseconds),
        frame: low < starts.count ? first + low : nil, isStored: span.isStored, hasFailed: span.failure != nil)
    }
  }

  private static func itemName(of source: ImageSource?) -> String {
    switch source {
    case .file(let path): PercentEncoding.text(of: path)
    case .generated(let number): "\(number)"
    case .remote: "remote"
    case .memory: "held"
    case nil: "in place"
    }
  }
}
