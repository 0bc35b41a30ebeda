import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineThreads

@testable import VitrineViews

@Suite("BackgroundLineLoader: lines from other threads are delivered in the collect phase")
struct BackgroundLineLoaderTests {
  /// A rasterizer of blocks that renders lines of foxes asynchronously, on a thread or immediately.
  private final class AsyncTextRasterizer: TextRasterizer {
    private let blocks = BlockTextRasterizer()
    private let usesThread: Bool
    private var threads: [WorkerThread] = []
    var succeeds = true
    private(set) var started: [String] = []

    init(usesThread: Bool) { self.usesThread = usesThread }

    func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics { blocks.metrics(style, scale: scale) }

    func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int {
      blocks.width(of: text, style: style, scale: scale)
    }

    func needsLayout(_ text: String, style: TextStyle, scale: DisplayScale) -> Bool {
      !text.isEmpty && text.allSatisfy { $0 == "🦊" }
    }

    func startRendering(of request: LineRequest, completion: @escaping @Sendable (RenderedLine?) -> Void) -> Bool {
      guard needsLayout(request.text, style: request.style, scale: request.scale) else { return false }
      started.append(request.text)
      let bitmap = succeeds ? blocks.bitmap(for: request.text, style: request.style, scale: request.scale) : nil
      let line = bitmap.map { RenderedLine(bitmap: $0) }
      if usesThread, let thread = try? WorkerThread(name: "rasterizer", { completion(line) }) {
        threads.append(thread)
      } else {
        completion(line)
      }
      return true
    }

    func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
      needsLayout(text, style: style, scale: scale) ? nil : blocks.bitmap(for: text, style: style, scale: scale)
    }

    func join() { threads.forEach { $0.join() } }
  }

  private static let style = TextStyle(size: 2)

  private func label(_ text: String, y: Double = 0) -> Label {
    let label = Label(style: Self.style, color: .white)
    label.frame = Rect(x: 0, y: y, width: 390, height: 10)
    label.text = text
    return label
  }

  /// Returns the number of lines that each frame drew, and the rasterizer.
  private func lines(_ texts: [String], frames: Int, usesThread: Bool) -> (
    counts: [Int], rasterizer: AsyncTextRasterizer
  ) {
    let root = View()
    let rasterizer = AsyncTextRasterizer(usesThread: usesThread)
    let harness = WindowHarness(root: root, text: rasterizer)
    for (index, text) in texts.enumerated() { root.addSubview(label(text, y: Double(index) * 10)) }
    let counts = (0..<frames).map { _ in
      harness.run(frames: 1)
      return harness.lastFrameCommands.count
    }
    rasterizer.join()
    return (counts, rasterizer)
  }

  @Test("On a simulated clock a line arrives at its modelled time", arguments: [false, true])
  func modelled(usesThread: Bool) {
    // The modelled cost is 250 microseconds per character, so 70 characters take longer than a frame of 16 ms.
    let (counts, rasterizer) = lines(
      ["🦊", String(repeating: "🦊", count: 70), "at once"], frames: 4, usesThread: usesThread)
    #expect(counts == [1, 2, 3, 3])
    #expect(rasterizer.started.map(\.count) == [1, 70])
  }

  @Test("A line that several labels display is rendered once")
  func shared() {
    let (counts, rasterizer) = lines(["🦊🦊", "🦊🦊", "🦊🦊"], frames: 2, usesThread: true)
    #expect(counts == [0, 3] && rasterizer.started == ["🦊🦊"])
  }

  @Test(
    "An arriving line wakes an idle loop, and a line that cannot be rendered is not requested again")
  func atRest() {
    let root = View()
    let rasterizer = AsyncTextRasterizer(usesThread: true)
    let harness = WindowHarness(root: root, text: rasterizer)
    root.addSubview(label("🦊🦊🦊"))
    #expect(harness.runUntilIdle() == 2 && harness.lastFrameCommands.count == 1)
    rasterizer.succeeds = false
    root.addSubview(label("🦊🦊🦊🦊🦊", y: 20))
    #expect(harness.runUntilIdle() == 2 && harness.lastFrameCommands.count == 1)
    #expect(rasterizer.started == ["🦊🦊🦊", "🦊🦊🦊🦊🦊"])
    rasterizer.join()
  }

  @Test("A text that changes before its line arrives displays its own line, and another scale requests all lines again")
  func textAndScaleChanges() {
    let root = View()
    let rasterizer = AsyncTextRasterizer(usesThread: false)
    let harness = WindowHarness(root: root, text: rasterizer)
    let label = label("🦊")
    root.addSubview(label)
    harness.run(frames: 1)
    label.text = "plain"
    harness.run(frames: 2)
    #expect(harness.lastFrameCommands.count == 1)
    label.text = "🦊🦊"
    harness.run(frames: 1)
    harness.resize(to: Size(width: 400, height: 300), scale: DisplayScale(pixelsPerPoint: 2))
    harness.run(frames: 3)
    #expect(harness.lastFrameCommands.count == 1 && rasterizer.started == ["🦊", "🦊🦊", "🦊🦊"])
  }

  @Test("A prepared line is available when a label needs it")
  func preparation() {
    let root = View()
    let rasterizer = AsyncTextRasterizer(usesThread: true)
    let harness = WindowHarness(root: root, text: rasterizer)
    harness.resources.prepareLine("🦊🦊🦊🦊", style: Self.style, width: 390, truncation: .byTruncatingTail)
    harness.run(frames: 2)
    root.addSubview(label("🦊🦊🦊🦊"))
    harness.run(frames: 1)
    #expect(harness.lastFrameCommands.count == 1 && rasterizer.started == ["🦊🦊🦊🦊"])
    rasterizer.join()
  }

  @Test("In real time an arrival wakes the loop, and a frame without time delivers one line")
  func realTime() {
    let clock = MonotonicClock()
    let waker = TestWaker()
    let background = BackgroundLineLoader()
    background.startDelivery(on: clock, clock.makeExecutor(), waker: waker)
    let budget = FrameBudget(clock: clock, limit: clock.now(), target: clock.now())
    var done: [Int] = []
    var threads: [WorkerThread] = []
    for number in 0..<3 {
      let request = background.requestLine(
        for: "🦊", label: nil,
        start: { completion in
          guard let thread = try? WorkerThread(name: "rasterizer", { completion(nil) }) else { return false }
          thread.join()
          threads.append(thread)
          return true
        }, finish: { _ in done.append(number) })
      #expect(request != nil)
    }
    #expect(threads.count == 3 && background.count == 3 && background.hasArrivals && background.nextArrival == nil)
    #expect(waker.pendingWakes == 3)
    for count in 1...3 {
      background.deliverLines(budget)
      #expect(done == Array(0..<count))
    }
    #expect(background.isEmpty && !background.hasArrivals)
  }
}

// MARK: - Deferred lines

@Suite("Lines that exceed the time of a frame are deferred")
struct DeferredLineTests {
  /// A participant whose commits have a cost.
  private final class CommitLoad: FrameParticipant {
    private let clock: SimulatedClock
    var commitCost = FrameDuration.zero
    var isTracked = false

    init(clock: SimulatedClock) { self.clock = clock }

    func commit(_ record: inout FrameRecord) { clock.spend(commitCost) }
  }

  private let harness: WindowHarness
  private let load: CommitLoad
  private let label = Label(style: TextStyle(size: 10), color: .white)

  init() {
    let root = View()
    harness = WindowHarness(root: root)
    load = CommitLoad(clock: harness.clock)
    harness.window.addParticipant(load)
    label.frame = Rect(x: 0, y: 0, width: 200, height: 20)
    label.allowsDeferredLine = true
    root.addSubview(label)
  }

  /// The number of commands of the last frame; the line of a label is one command.
  private var lineCount: Int { harness.lastFrameCommands.count }

  @Test("A line is drawn immediately if there is time, otherwise it is rendered in slack and drawn in the next frame")
  func deferral() {
    label.text = "in time"
    harness.run(frames: 1)
    #expect(lineCount == 1)
    load.commitCost = .milliseconds(12)
    label.text = "late"
    harness.run(frames: 1)
    #expect(lineCount == 0, "neither the new nor the previous line is drawn")
    #expect(harness.resources.deferredLines.isEmpty, "the slack was enough")
    harness.run(frames: 1)
    #expect(lineCount == 1)
  }

  @Test("A line that was replaced by one of another width is rendered again when its width is restored")
  func widthChange() {
    label.text = "a line that is cut where it does not fit"
    harness.run(frames: 1)
    load.commitCost = .milliseconds(40)
    load.isTracked = true
    label.frame.size.width = 40
    harness.run(frames: 1)
    #expect(lineCount == 0)
    label.frame.size.width = 200
    harness.run(frames: 1)
    load.isTracked = false
    harness.run(frames: 2)
    #expect(lineCount == 1 && harness.resources.deferredLines.isEmpty)
  }

  @Test("A line that must not be deferred is rendered at any cost")
  func withoutDeferral() {
    label.allowsDeferredLine = false
    load.commitCost = .milliseconds(40)
    label.text = "at once"
    harness.run(frames: 1)
    #expect(lineCount == 1)
  }

  @Test("Without slack a line is deferred during motion and rendered at rest")
  func waitsDuringMotion() {
    load.commitCost = .milliseconds(40)
    load.isTracked = true
    label.text = "patient"
    harness.run(frames: 5)
    #expect(lineCount == 0 && harness.resources.deferredLines.count == 1)
    load.isTracked = false
    harness.run(frames: 2)
    #expect(lineCount == 1 && harness.resources.deferredLines.isEmpty)
  }

  @Test("The deferred line of a label that left the window is removed from the queue")
  func removedLabel() {
    load.commitCost = .milliseconds(12)
    label.text = "gone"
    load.isTracked = true
    load.commitCost = .milliseconds(40)
    harness.run(frames: 1)
    label.removeFromSuperview()
    harness.run(frames: 1)
    #expect(harness.resources.deferredLines.isEmpty)
  }
}
