import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Threads

@testable import Views

@Suite("A line that another thread paints comes in a collect phase, and its labels are drawn again")
struct BackgroundLineTests {
  /// Paints blocks; lines of question marks on another thread, or at once where that is as good.
  private final class Painter: TextRasterizer {
    private let blocks = BlockTextRasterizer()
    private let usesThread: Bool
    private var threads: [WorkerThread] = []
    var paints = true
    private(set) var started: [String] = []

    init(usesThread: Bool) { self.usesThread = usesThread }

    func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics { blocks.metrics(style, scale: scale) }

    func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int {
      blocks.width(of: text, style: style, scale: scale)
    }

    func hasOwnColors(_ text: String) -> Bool { text.allSatisfy { $0 == "?" } }

    func startRendering(
      for text: String, style: TextStyle, scale: DisplayScale, completion: @escaping @Sendable (Bitmap?) -> Void
    ) -> Bool {
      guard hasOwnColors(text) else { return false }
      started.append(text)
      let bitmap = paints ? blocks.bitmap(for: text, style: style, scale: scale) : nil
      if usesThread, let thread = try? WorkerThread(name: "painter", { completion(bitmap) }) {
        threads.append(thread)
      } else {
        completion(bitmap)
      }
      return true
    }

    func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
      hasOwnColors(text) ? nil : blocks.bitmap(for: text, style: style, scale: scale)
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

  /// How many lines each of some frames drew.
  private func lines(_ texts: [String], frames: Int, usesThread: Bool) -> (counts: [Int], painter: Painter) {
    let root = View()
    let painter = Painter(usesThread: usesThread)
    let stage = WindowHarness(root: root, text: painter)
    for (place, text) in texts.enumerated() { root.addSubview(label(text, y: Double(place) * 10)) }
    let counts = (0..<frames).map { _ in
      stage.run(frames: 1)
      return stage.lastFrameCommands.count
    }
    painter.join()
    return (counts, painter)
  }

  @Test("On a simulated clock at a modelled time, whenever the thread has painted it", arguments: [false, true])
  func modelled(usesThread: Bool) {
    // 250 microseconds a character: 70 of them take longer than a frame of 16 milliseconds.
    let (counts, painter) = lines(
      ["?", String(repeating: "?", count: 70), "at once"], frames: 4, usesThread: usesThread)
    #expect(counts == [1, 2, 3, 3])
    #expect(painter.started.map(\.count) == [1, 70])
  }

  @Test("A line that several labels show is painted once")
  func shared() {
    let (counts, painter) = lines(["??", "??", "??"], frames: 2, usesThread: true)
    #expect(counts == [0, 3] && painter.started == ["??"])
  }

  @Test(
    "At rest the loop goes on when a line comes, and rests again; one that cannot be painted is not asked for again")
  func atRest() {
    let root = View()
    let painter = Painter(usesThread: true)
    let stage = WindowHarness(root: root, text: painter)
    root.addSubview(label("???"))
    #expect(stage.runUntilIdle() == 2 && stage.lastFrameCommands.count == 1)
    painter.paints = false
    root.addSubview(label("?????", y: 20))
    #expect(stage.runUntilIdle() == 2 && stage.lastFrameCommands.count == 1)
    #expect(painter.started == ["???", "?????"])
    painter.join()
  }

  @Test("A text that changed meanwhile shows its own line, and another scale asks for all again")
  func changes() {
    let root = View()
    let painter = Painter(usesThread: false)
    let stage = WindowHarness(root: root, text: painter)
    let label = label("?")
    root.addSubview(label)
    stage.run(frames: 1)
    label.text = "plain"
    stage.run(frames: 2)
    #expect(stage.lastFrameCommands.count == 1)
    label.text = "??"
    stage.run(frames: 1)
    stage.resize(to: Size(width: 400, height: 300), scale: DisplayScale(pixelsPerPoint: 2))
    stage.run(frames: 3)
    #expect(stage.lastFrameCommands.count == 1 && painter.started == ["?", "??", "??"])
  }

  @Test("Prepared ahead, a line is there when a label wants it")
  func ahead() {
    let root = View()
    let painter = Painter(usesThread: true)
    let stage = WindowHarness(root: root, text: painter)
    stage.resources.prepareLine("????", style: Self.style, width: 390, truncation: .tail)
    stage.run(frames: 2)
    root.addSubview(label("????"))
    stage.run(frames: 1)
    #expect(stage.lastFrameCommands.count == 1 && painter.started == ["????"])
    painter.join()
  }

  @Test("In real time the loop is woken, and a frame without time takes one line")
  func realTime() {
    let clock = MonotonicClock()
    let waker = TestWaker()
    let background = BackgroundLineLoader()
    background.startDelivery(on: clock, waker: waker)
    let budget = FrameBudget(clock: clock, limit: clock.now(), target: clock.now())
    var done: [Int] = []
    var threads: [WorkerThread] = []
    for number in 0..<3 {
      let asked = background.requestLine(
        for: "?", label: nil,
        start: { completion in
          guard let thread = try? WorkerThread(name: "painter", { completion(nil) }) else { return false }
          thread.join()
          threads.append(thread)
          return true
        }, finish: { _ in done.append(number) })
      #expect(asked != nil)
    }
    #expect(threads.count == 3 && background.count == 3 && background.hasArrivals && background.nextArrival == nil)
    #expect(waker.pendingWakes == 3)
    for taken in 1...3 {
      background.deliverLines(budget)
      #expect(done == Array(0..<taken))
    }
    #expect(background.isEmpty && !background.hasArrivals)
  }
}
