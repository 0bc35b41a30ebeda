import CollectionUI
import class FoundationEssentials.ProcessInfo
import VitrineFramePacing
import VitrineGeometry
public import VitrineHosting
import VitrineRendering
import VitrineSDLBackend
public import VitrineViews

/// An observer that measures, records, replays and scripts the run of a host, as its options say.
///
///     let diagnostics = RunDiagnostics(options)
///     let host = try context.openHost(options.hosting, title: "Numbers", observer: diagnostics)
///     defer { host.close() }
///     diagnostics.figures = RunFigures(of: view)
///     return try host.run(root: view, scrollView: view) { window, _ in … }
///
/// F3 cycles through the levels of the frame overlay. `SIGUSR1` writes a trace of the last seconds.
@MainActor
public final class RunDiagnostics {
  /// The settings of the run.
  public let options: DiagnosticOptions
  /// The program's figures for the report and the overlay.
  ///
  /// Set this before the run.
  public var figures = RunFigures()
  /// The height in points at the window's top that the overlay leaves free for a bar.
  ///
  /// Set this before the run.
  public var overlayTop = 0.0
  /// Returns the path prefix of traces that `SIGUSR1` requests without `--trace`, or nil if there is no suitable
  /// folder.
  ///
  /// Called when a trace is requested. The folder must exist. Set this before the run.
  public var tracePrefix: () -> String? = { nil }
  /// The action that a script's `shuffle` step calls to reorder the items with an animated update.
  ///
  /// Set this before the run.
  public var onShuffle: (() -> Void)?

  /// The fault injector, or nil if no script step needs one.
  private(set) var faultInjector: FaultInjector?
  /// The time at which the run started.
  private(set) var start = FrameInstant.zero
  /// The recorder of the run's input, or nil if the run is not recorded.
  private(set) var recorder: RecordingEventSource?
  /// The queue that runs jobs in the recorded frames, or nil if the run is no replay.
  private(set) var jobReplay: ReplayJobQueue?
  /// The recorder of the frames with jobs of the main queue, or nil if the run is not recorded.
  private(set) var jobRecorder: RecordingJobQueue?
  /// The recorder of the run's traces.
  private(set) var tracer: TraceRecorder?
  /// The timer of the first frames.
  private(set) var launchTimer: LaunchTimer?
  /// The window's size in points when the recording started.
  var recordedSize = Size.zero
  /// Whether a signal ended the run, possibly in the middle of a frame.
  private(set) var wasInterrupted = false

  /// Creates an observer with the given settings.
  public init(_ options: DiagnosticOptions) { self.options = options }
}

extension RunDiagnostics: RunObserver {
  /// Wraps the clock and the display if a script simulates faults.
  public func prepareDevices(_ devices: inout RunDevices) {
    guard options.needsFaultInjector else { return }
    let injector = FaultInjector(
      devices.display, devices.clock, refreshHz: 1 / devices.pacing.interval.seconds)
    faultInjector = injector
    (devices.clock, devices.display) = (injector.clock, injector.display)
    // The script's refresh rate takes precedence over the requested one.
    devices.pacing.followsDisplay = true
  }

  /// Returns a root view with the frame overlay.
  public func makeRootView(for content: View) -> HostRootView { DiagnosticRootView(content) }

  /// Replays or records the input and the frames with jobs.
  public func prepareRun(_ configuration: inout RunConfiguration, of host: Host) {
    start = host.clock.now()
    wasInterrupted = false
    host.resources.uploads.modelledCost = .milliseconds(options.uploadCost)
    if let events = replayedEvents(of: host) { configuration.events = events }
    recorder = makeRecorder(of: configuration.events, host)
    if let recorder { configuration.events = recorder }
    jobReplay = replayedJobs(of: configuration.jobs, host)
    if let jobReplay { configuration.jobs = jobReplay }
    jobRecorder = makeJobRecorder(of: configuration.jobs)
    if let jobRecorder { configuration.jobs = jobRecorder }
    if let limits = replayedLimits(of: host) { configuration.limits = limits }
    if options.needsFullHistory { configuration.historyCapacity = FrameHistory.defaultCapacity }
  }

  /// Connects the overlay and the hooks for external observers, and applies the options for cells.
  public func runWillConfigure(_ run: HostRun) {
    let (loop, display) = (run.loop, run.host.display)
    recorder?.frameCount = { [weak loop] in loop?.history.count ?? 0 }
    if let root = run.rootView as? DiagnosticRootView {
      root.overlayTop = overlayTop
      root.overlay.level = options.overlay
      root.overlay.loop = loop
      root.overlay.figures = figures.overlay
      root.overlay.textureBytes = { display.textureBytes }
      if options.drawsFrameNumbers { root.showFrameNumbers(of: loop) }
    }
    // The window of a replay with input has the recorded sizes.
    if options.loadedReplay != nil, acceptsInput {
      var isFullScreen = false
      run.rootView.onToggleFullScreen = { isFullScreen.toggle() }
      run.rootView.isFullScreen = { isFullScreen }
    }
    // Only on this clock are equal runs equal on all machines.
    loop.digestsFrames = run.host.clock.kind == .virtual
    loop.modelsCosts = options.cellCost > 0 || options.uploadCost > 0
    loop.commitProbe = FrameProbe(
      count: figures.allocationCount, observer: options.drawsFrameNumbers ? ExternalFrameObserver() : nil)
    guard let view = run.scrollView as? CollectionView else { return }
    let switches = DemonstrationSwitches(view)
    switches.isCellPrefetchingEnabled = options.isCellPrefetchingEnabled
    switches.addedCellCost = .milliseconds(options.cellCost)
  }

  /// Starts the scripts, the timer of the first frames and the traces.
  public func runWillStart(_ run: HostRun) throws(HostError) {
    let (host, loop) = (run.host, run.loop)
    try startScripts(run)
    let launchTimer = LaunchTimer(launch: host.launch, isFullyShown: figures.isFullyShown)
    run.window.addParticipant(launchTimer)
    self.launchTimer = launchTimer
    faultInjector?.clock.isInterrupted = { [interrupt = host.interrupt] in interrupt.isRaised }
    // A simulation must be independent of the machine's load.
    if !host.clock.kind.isSimulated { loop.contention = ContentionMeter(workers: figures.workerTime) }
    let tracer = makeTraceRecorder(run)
    loop.onFrameBoundary = { tracer.recordLatestFrame() }
    let waker = host.waker
    host.interrupt.setTraceHandler { waker.wake() }
    self.tracer = tracer
  }

  /// Prints the warnings and writes the requested files.
  public func runDidEnd(_ run: HostRun, _ reason: LoopExitReason) throws(HostError) {
    wasInterrupted = reason == .interrupted
    let console = Console(program: ProcessInfo.processInfo.processName)
    for warning in figures.warnings() { console.printError(warning) }
    try writeResults(run)
  }

  /// Adds the participants that perform the scripts of the options.
  ///
  /// - Throws: `HostError` if a step shuffles the items and the program does not support it.
  private func startScripts(_ run: HostRun) throws(HostError) {
    if let script = options.script, let scrollView = run.scrollView {
      run.window.addFirstParticipant(
        ScrollScriptDriver(script, scrollView: scrollView, seed: options.hosting.seed))
    }
    guard !options.steps.isEmpty else { return }
    if onShuffle == nil, let place = options.steps.firstIndex(of: .shuffle) {
      throw HostError("--scroll: step \(place + 1), apply: this program has no order to change")
    }
    let environment = HostScriptEnvironment(run.host.display, run.loop, faultInjector, onShuffle: onShuffle)
    run.window.addFirstParticipant(
      ScriptStepDriver(options.steps, window: run.window, scrollView: run.scrollView, environment: environment))
  }

  /// Returns the recorder of the run's traces.
  private func makeTraceRecorder(_ run: HostRun) -> TraceRecorder {
    let display = run.host.display
    return TraceRecorder(
      run.loop, run.host.resources, figures, version: run.host.version,
      capturePolicy: TraceCapturePolicy(
        destination: options.trace, threshold: options.traceHitchThreshold.map { FrameDuration.milliseconds($0) }),
      recordsWholeRun: options.trace != nil, interrupt: run.host.interrupt,
      console: Console(program: ProcessInfo.processInfo.processName), prefix: tracePrefix
    ) { display.textureBytes }
  }
}
