import CollectionUI
public import FramePacing
import Foundation
public import Geometry
public import Rendering
import SDLBackend
public import Views

/// An object that runs a root view with a display, a clock, scripts and reports according to the common options.
public final class Host {
  /// The window, or SDL's dummy display in a headless run.
  let display: SDLDisplay
  /// The clock of the run.
  public let clock: any FrameClock
  /// The resources that views draw with.
  public let resources: RenderResources
  /// The settings of the run.
  public let options: HostingOptions
  /// The height in points at the window's top that the overlay leaves free for a bar.
  ///
  /// Set this before the run.
  public var overlayTop = 0.0
  /// Returns the path prefix of traces that `SIGUSR1` requests without `--trace`, or nil if there is no suitable
  /// folder.
  ///
  /// Called when a trace is requested. The folder must exist. Set this before the run.
  public var tracePrefix: () -> String? = { nil }

  /// The scheduling request of the drawing thread, or nil on simulated clocks.
  let frameThread: FrameThreadRequest?
  let version: String
  private let launch: FrameInstant
  private let interrupt: Interrupt
  private let pacing: LoopPacing
  /// The fault injector, or nil if no script step needs one.
  let faultInjector: FaultInjector?
  /// The action that a script's `shuffle` step calls to reorder the items with an animated update.
  ///
  /// Set this before the run.
  public var onShuffle: (() -> Void)?
  /// The window's size in points when the recording started.
  var recordedSize = Size.zero
  /// Whether a signal ended the run, possibly in the middle of a frame.
  private(set) var wasInterrupted = false
  /// The identifiers of the interrupt handlers that belong to this host.
  private var interruptHandlers: [Int] = []

  /// Opens the display and selects the clock.
  ///
  /// - Parameters:
  ///   - options: The settings of the run.
  ///   - title: The window's title.
  ///   - identifier: The name of the program's desktop file without its extension: the window's `app_id` on Wayland and
  ///     its class on X. By default, the executable's name.
  ///   - version: The program's version, for the report. By default, the library's version.
  ///   - icon: The window's icon.
  ///   - windowFrame: The saved frame of the window, in points of the desktop.
  ///   - launch: The time at which the process started, on the monotonic clock. By default, as reported by the kernel.
  ///   - interrupt: The flag that requests the end of the run. By default, one that is never raised.
  /// - Throws: `DisplayError` if no display is available.
  public init(
    options: HostingOptions, title: String, identifier: String? = nil, version: String = Version.number,
    icon: Bitmap? = nil, windowFrame: Rect? = nil,
    launch: FrameInstant = ProcessFigures.launchInstant(), interrupt: Interrupt = Interrupt()
  ) throws(DisplayError) {
    var options = options
    options.applyDesktopSettings()
    self.interrupt = interrupt
    self.options = options
    self.version = version
    self.launch = launch
    var configuration = Host.makeConfiguration(options, title: title, icon: icon, windowFrame: windowFrame)
    configuration.applicationIdentifier = identifier
    display = try SDLDisplay(configuration: configuration)
    display.onRendererFailure = { Console(program: ProcessInfo.processInfo.processName).printError($0) }
    pacing = Host.makePacing(options, display.info)
    let time: any FrameClock =
      pacing.kind.isSimulated
      ? SimulatedClock(kind: pacing.kind, processorScale: options.processorScale) : MonotonicClock(kind: pacing.kind)
    frameThread = pacing.kind.isSimulated ? nil : FrameThreadRequest()
    faultInjector =
      options.steps.contains(where: \.needsFaultInjector)
      ? FaultInjector(display, time, refreshHz: 1 / pacing.interval.seconds) : nil
    clock = faultInjector?.clock ?? time
    resources = RenderResources(display: display, text: display.textRasterizer)
    resources.uploads.modelledCost = .milliseconds(options.uploadCost)
  }

  // MARK: - Window and Descriptions

  /// The waker, which wakes the loop from any thread.
  public var waker: any LoopWaker { display.events.waker }

  /// The window's frame in points of the desktop, or nil if it should not be saved.
  public var restorableWindowFrame: Rect? {
    options.isHeadless || display.isFullScreen || display.isMaximized ? nil : display.windowFrame
  }

  /// The reason why text may be missing, for the user, or nil if there is none.
  public var textWarning: String? { display.textWarning }

  /// The version of the linked SDL library.
  public static var sdlVersion: String { SDLVersion.linked }

  /// A description of the renderer and its device.
  public var rendererDescription: String {
    let reason = display.rendererReason
    let device = display.info.device.map { ": \($0)" } ?? ""
    return "\(display.info.driver), renderer \(display.rendererName)\(device)" + (reason.isEmpty ? "" : " (\(reason))")
  }

  /// A description of the clock and the reason for its selection.
  public var clockDescription: String { "\(pacing.kind.rawValue) (\(pacing.reason))" }

  /// A description of the drawing thread's scheduling.
  ///
  /// Waits for it for at most one second.
  public var frameThreadDescription: String {
    frameThread?.awaitedDescription ?? "not requested: the clock is simulated"
  }

  /// Requests the drawing thread's scheduling for the calling thread and returns its description, when no window can be
  /// opened.
  ///
  /// The scheduling remains until the program ends. Waits for the reply for at most one second.
  public static func requestFrameThread() -> String {
    let request = FrameThreadRequest()
    defer { request.end() }
    return request.awaitedDescription
  }

  /// The channel order of bitmaps that are fastest to draw (`ImagePipelineConfiguration.pixels`).
  public var preferredChannelOrder: ChannelOrder { display.preferredChannelOrder }

  /// Sets the window's title.
  public func setTitle(_ title: String) { display.setTitle(title) }

  /// Copies text, given as bytes, to the clipboard.
  ///
  /// - Returns: Whether the text was copied.
  public func setClipboardText(_ bytes: [UInt8]) -> Bool { display.setClipboardText(bytes) }

  // MARK: - Running

  /// Adds a closure to call on another thread when a signal requests the end of the program, until the host is closed.
  ///
  /// Use it to end waits of the drawing thread, as on a simulated clock (`ImagePipeline.stopWaiting()`). It may be
  /// called more than once.
  public func addInterruptHandler(_ call: @escaping @Sendable () -> Void) {
    interruptHandlers.append(interrupt.addHandler(call))
  }

  /// Closes the display.
  ///
  /// Nothing can be drawn afterwards.
  public func close() {
    for call in interruptHandlers { interrupt.removeHandler(call) }
    interruptHandlers = []
    frameThread?.end()
    display.close()
  }

  /// Runs until a limit, the user or a signal ends the run, and then writes the requested files.
  ///
  /// The host handles keys that no view handles: F3 cycles through the levels of the frame overlay, F11 toggles full
  /// screen, and Ctrl+Q and Ctrl+W quit.
  ///
  /// - Parameters:
  ///   - root: The view that fills the window below the overlay.
  ///   - scrollView: The view that scripts scroll. A collection view is configured by the options for prefetching and
  ///     motion.
  ///   - figures: The program's figures for the report and the overlay.
  ///   - configure: A closure that is called once with the window and the loop, before the first frame.
  /// - Returns: The exit status: 0, or 130 after a signal.
  /// - Throws: ``HostError`` if a requested file cannot be written or the program does not support a script's step.
  public func run(
    root: View, scrollView: ScrollView?, figures: RunFigures, configure: (Window, CommitLoop) -> Void
  ) throws(HostError) -> Int32 {
    let rootView = HostRootView(root)
    let window = Window(rootView: rootView, resources: resources)
    let start = clock.now()
    let events = replayedEvents(from: start) ?? display.events
    let recorder = makeRecorder(of: events, from: start)
    let loop = CommitLoop(
      window: window, display: faultInjector?.display ?? display, events: recorder ?? events, clock: clock,
      pacing: pacing,
      historyCapacity: options.needsFullHistory ? FrameHistory.defaultCapacity : FrameHistory.shortCapacity)
    recorder?.frameCount = { [weak loop] in loop?.history.count ?? 0 }
    configureRoot(rootView, loop, figures)
    if let view = scrollView as? CollectionView { configureCollectionView(view) }
    let launchTimer = LaunchTimer(launch: launch, isFullyShown: figures.isFullyShown)
    configure(window, loop)
    let scriptEnvironment = HostScriptEnvironment(display, loop, faultInjector, onShuffle: onShuffle)
    try startScripts(options, in: window, scrollView, scriptEnvironment)
    window.addParticipant(launchTimer)
    window.resize(to: display.info.size)
    let waker = waker
    addInterruptHandler { waker.wake() }
    loop.isInterrupted = { [interrupt] in interrupt.isRaised }
    faultInjector?.clock.isInterrupted = { [interrupt] in interrupt.isRaised }
    // A simulation must be independent of the machine's load.
    if !clock.kind.isSimulated { loop.contention = ContentionMeter(workers: figures.workerTime) }
    let memory = clock.kind.isSimulated ? nil : MemoryMonitor(waker: waker)
    defer { memory?.stop() }
    if let memory { loop.isMemoryLow = { memory.isShort(at: MonotonicClock.now()) } }
    let tracer = makeTraceRecorder(of: loop, figures)
    loop.onFrameBoundary = { tracer.recordLatestFrame() }
    interrupt.setTraceHandler { waker.wake() }
    wasInterrupted = loop.run(limits) == .interrupted
    let console = Console(program: ProcessInfo.processInfo.processName)
    for warning in figures.warnings() { console.printError(warning) }
    try writeResults(loop, launchTimer, figures, recorder, tracer, from: start)
    return wasInterrupted ? 130 : 0
  }

  /// Returns the recorder of the run's traces.
  private func makeTraceRecorder(of loop: CommitLoop, _ figures: RunFigures) -> TraceRecorder {
    TraceRecorder(
      loop, resources, figures, version: version,
      capturePolicy: TraceCapturePolicy(
        destination: options.trace, threshold: options.traceHitchThreshold.map { FrameDuration.milliseconds($0) }),
      recordsWholeRun: options.trace != nil, interrupt: interrupt,
      console: Console(program: ProcessInfo.processInfo.processName), prefix: tracePrefix
    ) { [display] in display.textureBytes }
  }

  /// Connects the overlay, the keys and the hooks for external observers.
  private func configureRoot(_ rootView: HostRootView, _ loop: CommitLoop, _ figures: RunFigures) {
    rootView.overlayTop = overlayTop
    loop.modelsCosts = options.cellCost > 0 || options.uploadCost > 0
    rootView.overlay.level = options.overlay
    rootView.overlay.loop = loop
    rootView.overlay.figures = figures.overlay
    rootView.overlay.textureBytes = { [display] in display.textureBytes }
    if options.drawsFrameNumbers { rootView.showFrameNumbers(of: loop) }
    loop.commitProbe = FrameProbe(
      count: figures.allocationCount, observer: options.drawsFrameNumbers ? ExternalFrameObserver() : nil)
    // The window of a replay with input has the recorded sizes.
    if options.loadedReplay == nil || !acceptsInput {
      rootView.onToggleFullScreen = { [display] in display.toggleFullScreen() }
    }
    rootView.onQuit = { [weak loop] in loop?.quit() }
  }

  /// Applies the options for cells and motion to a collection view.
  private func configureCollectionView(_ view: CollectionView) {
    view.isCellPrefetchingEnabled = options.isCellPrefetchingEnabled
    view.addedCellCost = .milliseconds(options.cellCost)
    view.reducesMotion = options.reducesMotion
  }

  // MARK: - Configuration

  private static func makeConfiguration(
    _ options: HostingOptions, title: String, icon: Bitmap?, windowFrame: Rect?
  ) -> SDLDisplayConfiguration {
    var configuration = SDLDisplayConfiguration(
      title: title, size: options.size ?? windowFrame?.size ?? HostingOptions.defaultSize)
    configuration.position = options.size == nil ? windowFrame?.origin : nil
    configuration.minimumSize = HostingOptions.minimumSize
    configuration.isHeadless = options.isHeadless
    configuration.icon = icon
    switch options.renderer {
    case .auto: configuration.renderer = .auto
    case .sdl: configuration.renderer = .sdl
    case .memory: configuration.renderer = .memory
    case .software: configuration.renderer = options.isHeadless ? .sdl : .memory
    case .opengl: configuration.renderer = .opengl
    case .opengles2: configuration.renderer = .opengles2
    }
    return configuration
  }

  /// Selects the clock by option or display.
  ///
  /// In a window, the first presents determine it.
  private static func makePacing(_ options: HostingOptions, _ info: DisplayInfo) -> LoopPacing {
    let rate = options.refreshHz ?? info.refreshHz ?? 60
    let interval = FrameDuration.seconds(1 / rate)
    var pacing = Host.makePacing(options, info, interval)
    // A script that changes the display's refresh rate takes precedence over the requested rate.
    if options.steps.contains(where: \.needsFaultInjector) { pacing.followsDisplay = true }
    return pacing
  }

  private static func makePacing(_ options: HostingOptions, _ info: DisplayInfo, _ interval: FrameDuration)
    -> LoopPacing
  {
    switch options.clock {
    case .virtual: return LoopPacing(kind: .virtual, interval: interval, isMeasured: false, reason: "requested")
    case .cpu:
      let scale = options.processorScale
      return LoopPacing(
        kind: .cpu, interval: interval, isMeasured: false,
        reason: scale == 1 ? "requested" : "requested; a modelled machine: processor time counts \(scale) times")
    case .timer: return LoopPacing(kind: .timer, interval: interval, isMeasured: false, reason: "requested")
    case .vsync: return LoopPacing(kind: .vsync, interval: interval, isMeasured: false, reason: "requested")
    case .auto where options.isHeadless:
      return LoopPacing(kind: .timer, interval: interval, isMeasured: false, reason: "headless: nothing to wait for")
    case .auto:
      let kind: ClockKind = info.requestsVsync ? .vsync : .timer
      return LoopPacing(
        kind: kind, interval: interval, isMeasured: true, reason: "not measured yet",
        followsDisplay: options.refreshHz == nil)
    }
  }
}
