import CollectionUI
public import FramePacing
import Foundation
public import Geometry
public import Rendering
import SDLBackend
public import Views

/// Runs a root view by the shared options: display, clock, scripts, report, screenshot.
public final class Host {
  /// A window, or SDL's dummy.
  let display: SDLDisplay
  /// The run's time.
  public let clock: any FrameClock
  /// What views draw with.
  public let resources: RenderResources
  /// The settings of the run.
  public let options: HostingOptions
  /// The points at the window's top that the overlay leaves free, for a bar; set before the run.
  public var overlayTop = 0.0
  /// Where a trace goes that somebody asks for by `SIGUSR1` while there is no `--trace`: a folder that stands, and the
  /// beginning of the files' names in it; nothing where it has no place.
  ///
  /// Asked when it is wanted; set before the run.
  public var tracePrefix: () -> String? = { nil }

  /// What the thread that draws asked of the kernel; nil on simulated clocks.
  let frameThread: FrameThreadRequest?
  let version: String
  private let launch: FrameInstant
  private let interrupt: Interrupt
  private let pacing: LoopPacing
  /// What a script lets go wrong; nothing where it does not.
  let faultInjector: FaultInjector?
  /// Shows the items in another order by an animated update, where a script says so; set before the run.
  public var onShuffle: (() -> Void)?
  /// The window's size in points when a recording began.
  var recordedSize = Size.zero
  /// Whether a signal ended the run: amid a frame's work, wherever that was.
  private(set) var wasInterrupted = false
  /// What the interrupt calls on behalf of this host.
  private var interruptHandlers: [Int] = []

  /// Opens the display and chooses the clock.
  ///
  /// - Parameters:
  ///   - options: the settings of the run.
  ///   - title: the window's title.
  ///   - identifier: by what the desktop knows the program, the name of its desktop file without the ending: the window's
  ///     `app_id` on Wayland and its class on X; the executable's name unless told.
  ///   - version: the program's version, for the report; the library's unless told.
  ///   - icon: the window's icon.
  ///   - place: where the window stood last, in points of the desktop.
  ///   - launch: when the process was started, on the monotonic clock; as the kernel tells, unless told.
  ///   - interrupt: tells when the program is asked from outside to end; nobody does unless told.
  /// - Throws: `DisplayError` where there is no display to be had.
  public init(
    options: HostingOptions, title: String, identifier: String? = nil, version: String = Version.number,
    icon: Bitmap? = nil, place: Rect? = nil,
    launch: FrameInstant = ProcessFigures.launchInstant(), interrupt: Interrupt = Interrupt()
  ) throws(DisplayError) {
    var options = options
    options.applyDesktopSettings()
    self.interrupt = interrupt
    self.options = options
    self.version = version
    self.launch = launch
    var configuration = Host.makeConfiguration(options, title: title, icon: icon, place: place)
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

  /// Wakes the loop from any thread.
  public var waker: any LoopWaker { display.events.waker }

  /// Where the window stands, in points of the desktop; nothing where no place is worth remembering.
  public var restorableWindowFrame: Rect? {
    options.isHeadless || display.isFullScreen || display.isMaximized ? nil : display.windowFrame
  }

  /// Why type may be missing, in words for people; nothing where all is well.
  public var textWarning: String? { display.textWarning }

  /// The version of SDL that the program runs with.
  public static var libraryVersion: String { SDLVersion.linked }

  /// What draws and where, in words.
  public var rendererDescription: String {
    let reason = display.rendererReason
    let device = display.info.device.map { ": \($0)" } ?? ""
    return "\(display.info.driver), renderer \(display.rendererName)\(device)" + (reason.isEmpty ? "" : " (\(reason))")
  }

  /// The clock and why it is that one, in words.
  public var clockDescription: String { "\(pacing.kind.rawValue) (\(pacing.reason))" }

  /// What the kernel grants the thread that draws, in words; waits until that is known, a second at most.
  public var frameThreadDescription: String {
    frameThread?.awaitedDescription ?? "not asked for: the clock is simulated"
  }

  /// What the kernel would grant the calling thread if it drew, in words: for where no window can be opened.
  ///
  /// It is granted until the program ends. Waits until that is known, a second at most.
  public static func requestFrameThread() -> String {
    let request = FrameThreadRequest()
    defer { request.end() }
    return request.awaitedDescription
  }

  /// In which order of channels pictures are cheapest to draw (`ImagePipelineConfiguration.pixels`).
  public var preferredChannelOrder: ChannelOrder { display.preferredChannelOrder }

  /// Names the window.
  public func setTitle(_ title: String) { display.setTitle(title) }

  /// Puts text where other programs paste from, by its bytes.
  ///
  /// - Returns: whether it is there.
  public func setClipboardText(_ bytes: [UInt8]) -> Bool { display.setClipboardText(bytes) }

  /// Has something called on another thread when a signal asks the program to end, until the host is closed.
  ///
  /// For what the thread that draws may wait for, as on a simulated clock (`ImagePipeline.stopWaiting()`). It may be called
  /// more than once.
  public func addInterruptHandler(_ call: @escaping @Sendable () -> Void) {
    interruptHandlers.append(interrupt.addHandler(call))
  }

  /// Closes the display.
  ///
  /// Nothing is drawn after it.
  public func close() {
    for call in interruptHandlers { interrupt.removeHandler(call) }
    interruptHandlers = []
    frameThread?.end()
    display.close()
  }

  /// Runs until a limit, the user or a signal ends it; then writes what was asked for.
  ///
  /// Keys that no view uses: F3 shows more of the frames' figures over the root view, or none; F11 fills the screen or stops
  /// that; Ctrl+Q and Ctrl+W leave.
  ///
  /// - Parameters:
  ///   - root: fills the window, under the overlay.
  ///   - scrollView: what a scroll script scrolls; a collection view is told what the options say of preparing cells and of
  ///     motion.
  ///   - figures: what the program adds to the report.
  ///   - configure: called once with the window and the loop, before the first frame.
  /// - Returns: the exit status: 0, or 130 after a signal.
  /// - Throws: ``HostError`` where report, trace, recording or screenshot could not be written, or where a script asks
  ///   for what the program does not have.
  public func run(
    root: View, scrollView: ScrollView?, figures: RunFigures, configure: (Window, CommitLoop) -> Void
  ) throws(HostError) -> Int32 {
    let hosted = HostRootView(root)
    let window = Window(root: hosted, resources: resources)
    let start = clock.now()
    let events = replayedEvents(from: start) ?? display.events
    let recorder = makeRecorder(of: events, from: start)
    let loop = CommitLoop(
      window: window, display: faultInjector?.display ?? display, events: recorder ?? events, clock: clock,
      pacing: pacing,
      historyCapacity: options.needsFullHistory ? FrameHistory.defaultCapacity : FrameHistory.shortCapacity)
    recorder?.frameCount = { [weak loop] in loop?.history.count ?? 0 }
    configureRoot(hosted, loop, figures)
    if let view = scrollView as? CollectionView { configureCollectionView(view) }
    let watch = LaunchTimer(launch: launch, isFullyShown: figures.isFullyShown)
    configure(window, loop)
    let stagehand = HostScriptEnvironment(display, loop, faultInjector, onShuffle: onShuffle)
    try startScripts(options, in: window, scrollView, stagehand)
    window.addParticipant(watch)
    window.resize(to: display.info.size)
    let waker = waker
    addInterruptHandler { waker.wake() }
    loop.isInterrupted = { [interrupt] in interrupt.isRaised }
    faultInjector?.clock.isInterrupted = { [interrupt] in interrupt.isRaised }
    // A simulation is the same on every machine, under any load.
    if !clock.kind.isSimulated { loop.contention = ContentionMeter(workers: figures.workerTime) }
    let memory = clock.kind.isSimulated ? nil : MemoryMonitor(waker: waker)
    defer { memory?.stop() }
    if let memory { loop.isMemoryLow = { memory.isShort(at: MonotonicClock.now()) } }
    let tracer = makeTraceRecorder(of: loop, figures)
    loop.onFrameBoundary = { tracer.recordLatestFrame() }
    interrupt.setTraceHandler { waker.wake() }
    wasInterrupted = loop.run(limits) == .interrupted
    try writeResults(loop, watch, figures, recorder, tracer, from: start)
    return wasInterrupted ? 130 : 0
  }

  /// Keeps what a trace is made of.
  private func makeTraceRecorder(of loop: CommitLoop, _ figures: RunFigures) -> TraceRecorder {
    TraceRecorder(
      loop, resources, figures, version: version,
      keeper: TraceCapturePolicy(
        destination: options.trace, threshold: options.traceHitchThreshold.map { FrameDuration.milliseconds($0) }),
      isWhole: options.trace != nil, interrupt: interrupt,
      console: Console(program: ProcessInfo.processInfo.processName), prefix: tracePrefix
    ) { [display] in display.textureBytes }
  }

  /// Gives the overlay its figures, the keys their meaning, and whoever looks from outside what he looks at.
  private func configureRoot(_ hosted: HostRootView, _ loop: CommitLoop, _ figures: RunFigures) {
    hosted.overlayTop = overlayTop
    loop.modelsCosts = options.cellCost > 0 || options.uploadCost > 0
    hosted.overlay.level = options.overlay
    hosted.overlay.loop = loop
    hosted.overlay.figures = figures.overlay
    hosted.overlay.textureBytes = { [display] in display.textureBytes }
    if options.drawsFrameNumbers { hosted.showFrameNumbers(of: loop) }
    loop.commitProbe = FrameProbe(
      count: figures.allocationCount, observer: options.drawsFrameNumbers ? ExternalFrameObserver() : nil)
    // The window of a replayed hand has the sizes that were recorded.
    if options.loadedReplay == nil || !acceptsInput {
      hosted.onToggleFullScreen = { [display] in display.toggleFullScreen() }
    }
    hosted.onQuit = { [weak loop] in loop?.quit() }
  }

  /// Gives a collection view what the options say of its cells and its motion.
  private func configureCollectionView(_ view: CollectionView) {
    view.isCellPrefetchingEnabled = options.preparesCellsAhead
    view.addedCellCost = .milliseconds(options.cellCost)
    view.reducesMotion = options.reducesMotion
  }

  // MARK: Choices

  private static func makeConfiguration(
    _ options: HostingOptions, title: String, icon: Bitmap?, place: Rect?
  ) -> SDLDisplayConfiguration {
    var configuration = SDLDisplayConfiguration(
      title: title, size: options.size ?? place?.size ?? HostingOptions.defaultSize)
    configuration.position = options.size == nil ? place?.origin : nil
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

  /// The clock by option, or by what is known of the display; in a window the first presents settle it.
  private static func makePacing(_ options: HostingOptions, _ info: DisplayInfo) -> LoopPacing {
    let rate = options.refreshHz ?? info.refreshHz ?? 60
    let interval = FrameDuration.seconds(1 / rate)
    var pacing = Host.makePacing(options, info, interval)
    // A script's display changes as it says, whatever was asked for.
    if options.steps.contains(where: \.needsFaultInjector) { pacing.followsDisplay = true }
    return pacing
  }

  private static func makePacing(_ options: HostingOptions, _ info: DisplayInfo, _ interval: FrameDuration)
    -> LoopPacing
  {
    switch options.clock {
    case .virtual: return LoopPacing(kind: .virtual, interval: interval, isMeasured: false, reason: "asked for")
    case .cpu:
      let scale = options.processorScale
      return LoopPacing(
        kind: .cpu, interval: interval, isMeasured: false,
        reason: scale == 1 ? "asked for" : "asked for; a modelled machine: processor time counts \(scale) times")
    case .timer: return LoopPacing(kind: .timer, interval: interval, isMeasured: false, reason: "asked for")
    case .vsync: return LoopPacing(kind: .vsync, interval: interval, isMeasured: false, reason: "asked for")
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
