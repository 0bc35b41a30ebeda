import CollectionUI
import FoundationEssentials
public import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering
package import VitrineSDLBackend
public import VitrineViews

/// An object that opens a window and runs a root view in it, on the clock that the options select.
///
/// Measuring, recording and scripting a run is the work of its ``RunObserver``.
@MainActor
public final class Host {
  /// The window, or SDL's dummy display in a headless run.
  package let display: SDLDisplay
  /// The clock of the run.
  public let clock: any FrameClock
  /// The resources that views draw with.
  public let resources: RenderResources
  /// The settings of the run.
  public let options: HostingOptions
  /// The time at which the process started, on the monotonic clock.
  public let launch: FrameInstant
  /// The program's version.
  public let version: String
  /// The flag that requests the end of the run.
  public let interrupt: Interrupt
  /// The clock, the display and the pacing of the run, as the observer set them.
  package let devices: RunDevices

  /// The scheduling request of the drawing thread, or nil on simulated clocks.
  private let frameThread: FrameThreadRequest?
  private let observer: (any RunObserver)?
  /// The identifiers of the interrupt handlers that belong to this host.
  private var interruptHandlers: [Int] = []
  /// The pipelines that the host made, with the participants that collect their images.
  var imageDeliveries: [ImageDelivery] = []

  /// Opens the display and selects the clock.
  ///
  /// - Parameters:
  ///   - options: The settings of the run.
  ///   - title: The window's title.
  ///   - identifier: The name of the program's desktop file without its extension: the window's `app_id` on Wayland and
  ///     its class on X. By default, the executable's name.
  ///   - version: The program's version, for the report. By default, the library's version.
  ///   - icon: The window's icon; evaluated only if there is a window.
  ///   - windowFrame: The saved frame of the window, in points of the desktop.
  ///   - launch: The time at which the process started, on the monotonic clock. By default, as reported by the kernel.
  ///   - interrupt: The flag that requests the end of the run. By default, one that is never raised.
  ///   - observer: The object that measures or controls the run. Default: nil.
  /// - Throws: `DisplayError` if no display is available.
  public init(
    options: HostingOptions, title: String, identifier: String? = nil, version: String = Version.number,
    icon: @autoclosure () -> Bitmap? = nil, windowFrame: Rect? = nil,
    launch: FrameInstant = ProcessFigures.launchInstant(), interrupt: Interrupt = Interrupt(),
    observer: (any RunObserver)? = nil
  ) throws(DisplayError) {
    var options = options
    options.applyDesktopSettings()
    self.interrupt = interrupt
    self.options = options
    self.version = version
    self.launch = launch
    var configuration = Host.makeConfiguration(
      options, title: title, icon: options.isHeadless ? nil : icon(), windowFrame: windowFrame)
    configuration.applicationIdentifier = identifier
    display = try SDLDisplay(configuration: configuration)
    display.onRendererFailure = { Console(program: ProcessInfo.processInfo.processName).printError($0) }
    let pacing = Host.makePacing(options, display.info)
    let time: any FrameClock =
      pacing.kind.isSimulated
      ? SimulatedClock(kind: pacing.kind, processorScale: options.processorScale) : MonotonicClock(kind: pacing.kind)
    frameThread = pacing.kind.isSimulated ? nil : FrameThreadRequest()
    var devices = RunDevices(clock: time, display: display, pacing: pacing)
    observer?.prepareDevices(&devices)
    self.observer = observer
    self.devices = devices
    clock = devices.clock
    resources = RenderResources(display: display, text: display.textRasterizer)
  }

  /// Sets the environment variables that the libraries of the window system read, unless they are set.
  ///
  /// Call it before other threads are started, which may read the environment, if a host is created after them. A host
  /// sets the variables otherwise.
  ///
  /// - Parameters:
  ///   - options: The settings of the run.
  ///   - identifier: The name of the program's desktop file without its extension.
  public static func prepareEnvironment(_ options: HostingOptions, identifier: String?) {
    SDLDisplay.prepareEnvironment(isHeadless: options.isHeadless, identifier: identifier)
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
  public var clockDescription: String { "\(devices.pacing.kind.rawValue) (\(devices.pacing.reason))" }

  /// A description of the drawing thread's scheduling.
  ///
  /// Waits for it for at most one second.
  public var frameThreadDescription: String {
    frameThread?.awaitedDescription ?? "not requested: the clock is simulated"
  }

  /// A description of the drawing thread's scheduling as far as it has been granted, or nil on simulated clocks.
  package var currentFrameThreadDescription: String? { frameThread?.description }

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

  /// The text of the clipboard as UTF-8, empty if there is none.
  public var clipboardText: [UInt8] { display.clipboardText }

  /// The color profile of the window's display, or nil if pictures are to be shown in sRGB.
  ///
  /// Without a window and on a simulated clock, there is none: pixels must be the same on every machine.
  public var colorProfile: ColorProfile? { clock.kind.isSimulated ? nil : display.colorProfile }

  // MARK: - The window's actions

  /// The root view of the run.
  private weak var rootView: HostRootView?

  /// Enters or leaves full screen, as F11 does.
  public func toggleFullScreen() { rootView?.onToggleFullScreen() }

  /// Whether the window is full screen; in a replay, whether the recorded one was.
  public var isFullScreen: Bool { rootView?.isFullScreen() ?? false }

  /// Hides the pointer while it is over the window, or shows it again.
  public func setPointerHidden(_ isHidden: Bool) { display.setPointerHidden(isHidden) }

  /// Keeps the screen on, or permits the desktop to turn it off again, as it may by default.
  public func setScreenSaverDisabled(_ isDisabled: Bool) { display.setScreenSaverDisabled(isDisabled) }

  /// Quits the program, as Ctrl+Q does.
  public func quit() { rootView?.onQuit() }

  /// Shows the next level of what the observer shows over the content, as F3 does with diagnostics.
  public func showNextOverlay() { rootView?.showNextOverlay() }

  // MARK: - Running

  /// Adds a closure to call on another thread when a signal requests the end of the program, until the host is closed.
  ///
  /// Use it to end waits of the drawing thread, as on a simulated clock (`ImagePipeline.stopWaiting()`). It may be
  /// called more than once.
  public func addInterruptHandler(_ call: @escaping @Sendable () -> Void) {
    interruptHandlers.append(interrupt.addHandler(call))
  }

  /// Closes the display, and shuts down the pipelines that the host made.
  ///
  /// Nothing can be drawn afterwards.
  public func close() {
    shutDownImagePipelines()
    for call in interruptHandlers { interrupt.removeHandler(call) }
    interruptHandlers = []
    frameThread?.end()
    display.close()
  }

  /// Runs until a limit, the user or a signal ends the run, and then writes the requested files.
  ///
  /// The host handles keys that no view handles: F11 toggles full screen, and Ctrl+Q and Ctrl+W quit.
  ///
  /// - Parameters:
  ///   - content: The view that fills the window.
  ///   - scrollView: The view that scripts scroll. The option for motion applies to a collection view.
  ///   - configure: A closure that is called once with the window and the loop, before the first frame.
  /// - Returns: The exit status: 0, or 130 after a signal.
  /// - Throws: ``HostError`` if a requested file cannot be written or the observer cannot run the program.
  public func run(
    root content: View, scrollView: ScrollView?, configure: (Window, CommitLoop) -> Void
  ) throws(HostError) -> Int32 {
    let rootView = observer?.makeRootView(for: content) ?? HostRootView(content)
    let window = Window(rootView: rootView, resources: resources)
    window.misuse.onReport = { Console(program: ProcessInfo.processInfo.processName).printError("warning: \($0)") }
    var configuration = RunConfiguration(
      events: display.events, jobs: makeMainQueue(),
      limits: LoopLimits(frames: options.frames, duration: options.duration.map { FrameDuration.seconds($0) }))
    observer?.prepareRun(&configuration, of: self)
    let loop = CommitLoop(
      window: window, display: devices.display, events: configuration.events, clock: clock, pacing: devices.pacing,
      historyCapacity: configuration.historyCapacity)
    loop.jobs = configuration.jobs
    self.rootView = rootView
    rootView.onToggleFullScreen = { [display] in display.toggleFullScreen() }
    rootView.isFullScreen = { [display] in display.isFullScreen }
    rootView.onQuit = { [weak loop] in loop?.quit() }
    if let view = scrollView as? CollectionView { view.reducesMotion = options.reducesMotion }
    window.reducesMotion = options.reducesMotion
    let run = HostRun(host: self, window: window, loop: loop, rootView: rootView, scrollView: scrollView)
    observer?.runWillConfigure(run)
    for delivery in imageDeliveries { window.addParticipant(delivery) }
    configure(window, loop)
    try observer?.runWillStart(run)
    window.resize(to: display.info.size)
    let waker = waker
    addInterruptHandler { waker.wake() }
    loop.isInterrupted = { [interrupt] in interrupt.isRaised }
    // A simulation must be independent of the machine's load.
    let memory = clock.kind.isSimulated ? nil : MemoryMonitor(waker: waker)
    let watchdog = clock.kind.isSimulated ? nil : makeWatchdog(window.activity)
    defer {
      watchdog?.stop()
      memory?.stop()
    }
    if let memory { loop.isMemoryLow = { memory.isShort(at: MonotonicClock.now()) } }
    let reason = loop.run(configuration.limits)
    try writeResults(run, reason)
    return reason == .interrupted ? 130 : 0
  }

  private func makeWatchdog(_ activity: FrameThreadActivity) -> FrameThreadWatchdog {
    let console = Console(program: ProcessInfo.processInfo.processName)
    return FrameThreadWatchdog(activity) { console.printError("warning: \($0)") }
  }

  /// Returns the main queue, whose jobs wake the loop, or nil if the loop cannot run them.
  private func makeMainQueue() -> MainQueue? {
    guard let queue = MainQueue() else { return nil }
    display.wakeLoop(whenSignalled: queue.descriptor)
    return queue
  }

  /// Writes the last frame and the files of the observer.
  ///
  /// An error does not prevent the remaining files from being written.
  private func writeResults(_ run: HostRun, _ reason: LoopExitReason) throws(HostError) {
    var failure: HostError?
    do throws(HostError) {
      try observer?.runDidEnd(run, reason)
    } catch {
      failure = error
    }
    if let path = options.screenshot {
      do throws(DisplayError) {
        try display.savePNG(try run.loop.lastFramePixels(), to: path)
      } catch {
        failure = failure ?? HostError("--screenshot \(path): \(error)")
      }
    }
    if let failure { throw failure }
  }

  // MARK: - Configuration

  private static func makeConfiguration(
    _ options: HostingOptions, title: String, icon: Bitmap?, windowFrame: Rect?
  ) -> SDLDisplayConfiguration {
    var configuration = SDLDisplayConfiguration(
      title: title, size: options.size ?? windowFrame?.size ?? HostingOptions.defaultSize)
    configuration.position = options.size == nil ? windowFrame?.origin : nil
    configuration.fitsDisplay = options.size == nil && !options.isHeadless
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
