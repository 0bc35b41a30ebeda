public import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering
public import VitrineViews

/// A window on a recording display and a virtual clock, for tests of views.
///
///     let harness = WindowHarness(root: view)
///     harness.window.addParticipant(view)
///     harness.runUntilIdle()
///     harness.click(at: Point(x: 20, y: 20))
///     #expect(view.indexPathsForSelectedItems.count == 1)
///
/// Nothing is shown on a screen. The time advances only while a test runs frames: equal tests produce equal frames, and
/// no test takes real time.
@MainActor
public final class WindowHarness {
  /// The display, which records the last frames.
  public let display: RecordingDisplay
  /// The clock, which advances from refresh to refresh and skips idle time.
  public let clock = SimulatedClock(kind: .virtual)
  /// The source of the events that a test sends.
  public let events: ScriptedEventSource
  /// The textures, with text drawn as blocks.
  public let resources: RenderResources
  /// The window of the root view.
  public let window: Window
  /// The frame loop, with frames 16 ms apart.
  public let loop: CommitLoop
  /// The jobs that the loop runs, as a program's loop runs those of the main queue.
  public let jobs: ManualJobQueue

  /// Creates a window with a root view.
  ///
  /// - Parameters:
  ///   - root: The root view, which fills the window.
  ///   - size: The size of the window in points. Default: 400 by 300.
  ///   - scale: The number of pixels per point. Default: 1.
  ///   - text: The text rasterizer. Default: one that draws blocks.
  public init(
    root: View, size: Size = Size(width: 400, height: 300), scale: DisplayScale = .one,
    text: any TextRasterizer = BlockTextRasterizer()
  ) {
    display = RecordingDisplay(size: size, scale: scale, frameLimit: 1_000)
    let clock = clock
    events = ScriptedEventSource(now: { clock.now() })
    resources = RenderResources(display: display, text: text)
    window = Window(rootView: root, resources: resources)
    loop = CommitLoop(
      window: window, display: display, events: events, clock: clock,
      pacing: LoopPacing(kind: .virtual, interval: .milliseconds(16), isMeasured: false, reason: "test"))
    jobs = ManualJobQueue(waker: events.waker)
    loop.jobs = jobs
    loop.digestsFrames = true
    window.resize(to: size)
  }

  /// Runs a number of frames, whether anything changes or not.
  public func run(frames: Int) { _ = loop.run(LoopLimits(frames: frames)) }

  /// Advances the time, and draws a frame whenever something changes.
  public func run(milliseconds: Double) { _ = loop.run(LoopLimits(duration: .milliseconds(milliseconds))) }

  /// Lets the main queue run the jobs that are waiting, such as those of tasks, and draws a frame if they change anything.
  ///
  /// A program's loop runs them in a frame's collect phase. A test's loop cannot, because the test is such a job itself.
  public func runMainQueue() async {
    await Task.yield()
    run(milliseconds: 16)
  }

  /// Sends an event to the window at the current time.
  public func sendEvent(_ kind: InputEvent.Kind) { events.append(kind, at: clock.now()) }

  /// Resizes the window as a drag of its corner would.
  ///
  /// - Parameters:
  ///   - size: The new size in points.
  ///   - scale: The new number of pixels per point, or nil to leave it. Default: nil.
  public func resize(to size: Size, scale: DisplayScale? = nil) {
    display.resize(to: size, scale: scale)
    sendEvent(.resized)
  }

  /// Advances the time by ten seconds, and draws a frame whenever something changes.
  ///
  /// Animations have ended afterwards, and nothing is drawn any more. Resting takes no real time.
  ///
  /// - Returns: The number of frames that were drawn.
  @discardableResult
  public func runUntilIdle() -> Int {
    let before = display.presentedFrames
    run(milliseconds: 10_000)
    return display.presentedFrames - before
  }

  /// The commands of the last frame, one line each.
  public var lastFrameCommands: [String] { display.frames.last?.commands.map(\.description) ?? [] }
}

extension WindowHarness {
  /// Returns the color of a point in the last frame, or nil outside of the window.
  ///
  /// The frame is painted for each call, with texts as blocks.
  public func color(at point: Point) -> Color? {
    guard let frame = try? loop.lastFramePixels() else { return nil }
    let pixel = display.info.scale.pixelRect(Rect(x: point.x, y: point.y, width: 1, height: 1))
    let (x, y) = (Int(pixel.x), Int(pixel.y))
    guard (0..<frame.size.width).contains(x), (0..<frame.size.height).contains(y) else { return nil }
    return frame.withPixels { bytes in
      Color(packed: bytes.loadUnaligned(fromByteOffset: y * frame.bytesPerRow + 4 * x, as: UInt32.self))
    }
  }
}

/// A text in a frame.
public struct DrawnText: Hashable {
  /// The text.
  public var text: String
  /// The frame in pixels.
  public var frame: PixelRect
  /// The color.
  public var color: Color
}

extension WindowHarness {
  /// Returns the occurrences of the given texts in the last frame, in drawing order.
  ///
  /// - Parameters:
  ///   - texts: The texts to look for.
  ///   - style: The style in which they are drawn.
  public func drawnTexts(_ texts: [String], in style: TextStyle) -> [DrawnText] {
    let rasterizer = BlockTextRasterizer()
    let scale = display.info.scale
    var names: [UInt64: String] = [:]
    for text in texts {
      if let bitmap = rasterizer.bitmap(for: text, style: style, scale: scale) { names[bitmap.contentDigest] = text }
    }
    guard let frame = display.frames.last else { return [] }
    return frame.commands.compactMap { command -> DrawnText? in
      guard command.kind == .texture, let bitmap = display.bitmap(of: command.texture),
        let text = names[bitmap.contentDigest]
      else { return nil }
      return DrawnText(text: text, frame: command.destination, color: command.color)
    }
  }
}
