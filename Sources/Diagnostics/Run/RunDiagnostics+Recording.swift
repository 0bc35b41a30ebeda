import VitrineFramePacing
import VitrineGeometry
import VitrineHosting
import VitrineImagePipeline
import VitrineRendering
import VitrineSDLBackend
import VitrineViews

/// Recording and replaying a run.
extension RunDiagnostics {
  /// Returns the limits of the recorded run that is replayed, or nil if the options specify others.
  func replayedLimits(of host: Host) -> LoopLimits? {
    host.options.frames == nil && host.options.duration == nil ? options.loadedReplay?.limits : nil
  }

  /// Returns the digest of all frames, or nil on clocks on which equal runs may differ.
  func digest(of loop: CommitLoop) -> String? { loop.clock.kind == .virtual ? loop.frameDigest.text : nil }

  /// Whether the run, or the recorded run that it replays, has a window that receives input.
  var acceptsInput: Bool { !(options.loadedReplay?.recording.header.isHeadless ?? options.hosting.isHeadless) }

  /// Returns the source of recorded input, or nil if the run replays none.
  func replayedEvents(of host: Host) -> (any EventSource)? {
    let display = host.display
    guard acceptsInput, let replay = options.loadedReplay else { return nil }
    return ReplayEventSource(
      replay.recording.events, wrapping: display.events, clock: host.clock, from: start
    ) { size in display.windowFrame = Rect(origin: display.windowFrame.origin, size: size) }
  }

  /// Returns the event source that records the run's input, or nil if the run is not recorded.
  func makeRecorder(of events: any EventSource, _ host: Host) -> RecordingEventSource? {
    let display = host.display
    guard options.record != nil else { return nil }
    // At the start of the run, because the window's size may change.
    recordedSize = display.info.size
    return RecordingEventSource(events, clock: host.clock, from: start) { display.info.size }
  }

  /// Returns a queue that runs jobs in the frames of the recording, or nil if the run replays none or has no jobs.
  func replayedJobs(of jobs: (any JobQueue)?, _ host: Host) -> ReplayJobQueue? {
    guard let jobs, let replay = options.loadedReplay else { return nil }
    return ReplayJobQueue(replay.recording.jobs, of: jobs, clock: host.clock, from: start)
  }

  /// Returns the queue that records the frames in which jobs are run, or nil if the run is not recorded or has no jobs.
  func makeJobRecorder(of jobs: (any JobQueue)?) -> RecordingJobQueue? {
    guard let jobs, options.record != nil else { return nil }
    return RecordingJobQueue(jobs, from: start)
  }

  /// Returns the recording of the run.
  func makeRecording(of run: HostRun, _ recorder: RecordingEventSource) -> Recording {
    let (host, loop) = (run.host, run.loop)
    let library = figures.recordedLibrary()
    let events = acceptsInput ? recorder.recordedEvents : []
    let jobs = jobRecorder?.recordedJobs ?? []
    let header = RecordingHeader(
      format: RecordingHeader.format(recordsJobs: !jobs.isEmpty), program: options.program, version: host.version,
      clock: loop.clock.kind.rawValue, isHeadless: !acceptsInput,
      scale: host.display.info.scale.pixelsPerPoint,
      options: RecordedOptions.settings(
        options: options.parsedOptions, derived: settledOptions(of: run) + library.options),
      script: options.scriptText, countsFrames: countsFrames(host), operands: library.operands,
      workingFolder: library.workingFolder, wanted: library.pathToReveal, listsFiles: library.files != nil)
    let files = library.files ?? []
    let arrivals = makeArrivals(figures.journal?.spans ?? [], loop.history)
    // Cached files, windows and their input differ from machine to machine.
    let isEqualAnywhere =
      !wasInterrupted && host.options.isHeadless && !options.parsedOptions.contains { $0.name == "--cache-dir" }
    return Recording(
      header: header, files: files, events: events, arrivals: arrivals, jobs: jobs,
      end: RecordingEnd(
        ns: max(0, (loop.clock.now() - start).nanoseconds), frames: loop.history.count, files: files.count,
        events: events.count, arrivals: arrivals.count, jobs: jobs.isEmpty ? nil : jobs.count,
        frameDigest: isEqualAnywhere ? digest(of: loop) : nil))
  }

  /// Whether the number of frames ends the run.
  private func countsFrames(_ host: Host) -> Bool {
    replayedLimits(of: host).map { $0.frames != nil } ?? (host.options.frames != nil)
  }

  /// Returns options that reproduce the settings derived from the display and the desktop.
  private func settledOptions(of run: HostRun) -> [ParsedOption] {
    let (host, loop) = (run.host, run.loop)
    let sides = [recordedSize.width, recordedSize.height].map { Int(max(16, min(16_384, $0.rounded()))) }
    var settled = [ParsedOption("--size", "\(sides[0])x\(sides[1])")]
    // A script file that changes the refresh rate is part of the recording.
    let isKnown = loop.clock.kind.isSimulated || faultInjector != nil
    let measured = isKnown ? host.display.info.refreshHz ?? 60 : 1 / loop.interval.seconds
    let rate = loop.clock.kind == .vsync ? measured : host.options.refreshHz ?? measured
    let hertz = max(1, min(1_000, rate))
    // Without a fraction if the rate is an integer.
    settled.append(ParsedOption("--refresh", Int(exactly: hertz).map { "\($0)" } ?? "\(hertz)"))
    settled.append(ParsedOption("--seed", "\(host.options.seed)"))
    if host.options.reducesMotion { settled.append(ParsedOption("--reduce-motion")) }
    return settled
  }

  private func makeArrivals(_ spans: [DecodeSpan], _ history: FrameHistory) -> [RecordedArrival] {
    let first = history.count - history.availableCount
    let starts = (0..<history.availableCount).reversed().map { history.record(atAge: $0).start }
    return spans.map { span in
      // Frames start in order, so a binary search finds the first one after the decode.
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] < span.end { low = middle + 1 } else { high = middle }
      }
      return RecordedArrival(
        item: RunDiagnostics.itemName(of: span.source), rung: span.representation == .embedded ? "embedded" : "full",
        width: span.key.size.width,
        height: span.key.size.height, ns: max(0, (span.end - start).nanoseconds),
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
