public import FramePacing
public import Geometry
public import Rendering
public import Views

/// A window on a recording display and a virtual clock: equal tests make equal frames, and none takes real time.
@MainActor
public final class WindowHarness {
  /// Keeps the last frames that were drawn.
  public let display: RecordingDisplay
  /// Advances from refresh to refresh, and over rests at once.
  public let clock = SimulatedClock(kind: .virtual)
  /// Gives the window what a test writes into it.
  public let events: ScriptedEventSource
  /// Textures, and type in blocks.
  public let resources: RenderResources
  /// The window over the root view.
  public let window: Window
  /// Makes the frames, 16 ms apart.
  public let loop: CommitLoop

  /// Puts a root view on the stage.
  ///
  /// - Parameter text: the port to type; paints blocks by default.
  public init(
    root: View, size: Size = Size(width: 400, height: 300), scale: DisplayScale = .one,
    text: any TextRasterizer = BlockTextRasterizer()
  ) {
    display = RecordingDisplay(size: size, scale: scale, frameLimit: 1_000)
    let clock = clock
    events = ScriptedEventSource(now: { clock.now() })
    resources = RenderResources(display: display, text: text)
    window = Window(root: root, resources: resources)
    loop = CommitLoop(
      window: window, display: display, events: events, clock: clock,
      pacing: LoopPacing(kind: .virtual, interval: .milliseconds(16), isMeasured: false, reason: "test"))
    window.resize(to: size)
  }

  /// Makes so many frames, whether anything changes or not.
  public func run(frames: Int) { _ = loop.run(LoopLimits(frames: frames)) }

  /// Lets time pass; frames are made where something changes.
  public func run(milliseconds: Double) { _ = loop.run(LoopLimits(duration: .milliseconds(milliseconds))) }

  /// Gives the window an event now.
  public func sendEvent(_ kind: InputEvent.Kind) { events.append(kind, at: clock.now()) }

  /// Gives the window another size, as a drag of its corner would.
  public func resize(to size: Size, scale: DisplayScale? = nil) {
    display.resize(to: size, scale: scale)
    sendEvent(.resized)
  }

  /// Lets time pass until nothing moves or fades.
  ///
  /// - Returns: how many frames that took.
  @discardableResult
  public func runUntilIdle() -> Int {
    let before = display.presentedFrames
    run(milliseconds: 10_000)
    return display.presentedFrames - before
  }

  /// The commands of the last frame, a line for each.
  public var lastFrameCommands: [String] { display.frames.last?.commands.map(\.description) ?? [] }
}
