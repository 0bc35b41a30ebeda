import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("The commit loop makes frames when something changed, and rests otherwise")
struct CommitLoopTests {
  final class Mover: FrameParticipant {
    var left: Int
    let view: View
    var phases: [String] = []

    init(frames: Int, view: View) {
      left = frames
      self.view = view
    }

    var needsFrames: Bool { left > 0 }
    var isTracked: Bool { true }
    func update(at target: FrameInstant) {
      phases.append("update")
      left -= 1
      view.frame.origin.x += 1
    }
    func collect(_ budget: FrameBudget) { phases.append("collect") }
    func layout() { phases.append("layout") }
    func commit(_ record: inout FrameRecord) { phases.append("commit") }
    func performSlackStep(_ budget: FrameBudget) -> Bool {
      phases.append("slack")
      return false
    }
    func frameDidEnd(_ record: FrameRecord) { phases.append("end") }
  }

  @Test("With nothing to do one frame is drawn and time passes in rest")
  func restsAfterFirstFrame() {
    let stage = WindowHarness(root: View())
    stage.run(milliseconds: 1_000)
    #expect(stage.display.presentedFrames == 1)
    #expect(stage.clock.now() == FrameInstant.zero + .milliseconds(1_000))
  }

  /// Needs a frame every tenth of a second.
  final class Ticker: FrameParticipant {
    private(set) var targets: [FrameInstant] = []
    var nextFrame: FrameInstant? {
      let shown = targets.last?.nanoseconds ?? 0
      return FrameInstant(nanoseconds: (shown / 100_000_000 + 1) * 100_000_000)
    }
    func update(at target: FrameInstant) { targets.append(target) }
  }

  @Test("Who needs a frame at an instant gets one then, and until then the loop rests; not where nobody sees it")
  func ticks() {
    let stage = WindowHarness(root: View())
    let ticker = Ticker()
    stage.window.addParticipant(ticker)
    stage.run(milliseconds: 1_050)
    #expect(ticker.targets.count == 11 && stage.display.presentedFrames == 11)
    for (tick, target) in ticker.targets.enumerated().dropFirst() {
      let late = (target - FrameInstant.zero).milliseconds - 100 * Double(tick)
      #expect(late >= 0 && late <= 32, "\(tick): \(late)")
    }
    stage.sendEvent(.hidden)
    stage.run(milliseconds: 1_000)
    #expect(ticker.targets.count == 11)
    stage.sendEvent(.shown)
    stage.run(milliseconds: 250)
    #expect((13...15).contains(ticker.targets.count))
  }

  @Test("Phases run in their order, once a frame")
  func order() {
    let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let root = View()
    root.addSubview(view)
    let stage = WindowHarness(root: root)
    let mover = Mover(frames: 2, view: view)
    stage.window.addParticipant(mover)
    stage.run(frames: 2)
    let one = ["update", "collect", "layout", "commit", "slack", "end"]
    #expect(mover.phases == one + one)
  }

  @Test("A moving view is drawn where it stands, a refresh apart")
  func movement() {
    let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    view.backgroundColor = .white
    let root = View()
    root.addSubview(view)
    let stage = WindowHarness(root: root)
    stage.window.addParticipant(Mover(frames: 5, view: view))
    stage.run(milliseconds: 500)
    let places = stage.display.frames.compactMap { $0.commands.first?.destination.x }
    #expect(places == [1, 2, 3, 4, 5])
    #expect(stage.loop.history.hitchCount == 0)
  }

  @Test("Equal runs have equal digests, and another picture has another")
  func digests() throws {
    func digest(_ color: Color) throws -> String {
      let image = ImageView(frame: Rect(x: 0, y: 0, width: 8, height: 8))
      image.image = try Bitmap.square(8, color)
      let root = View()
      root.addSubview(image)
      let stage = WindowHarness(root: root)
      stage.run(frames: 4)
      return stage.loop.frameDigest.text
    }
    let red = Color(hex: 0xFF0000)
    #expect(try digest(red) == digest(red))
    #expect(try digest(red) != digest(.white))
  }

  @Test("A hidden window draws nothing until it is shown again")
  func occlusion() {
    let stage = WindowHarness(root: View())
    stage.run(milliseconds: 10)
    stage.events.append(.hidden, at: stage.clock.now())
    stage.window.setNeedsFrame()
    stage.run(milliseconds: 50)
    let before = stage.display.presentedFrames
    stage.window.setNeedsFrame()
    stage.run(milliseconds: 50)
    #expect(stage.display.presentedFrames == before)
  }

  @Test("Input that is there ends a rest at once, whatever the loop waits for")
  func inputEndsRest() {
    let root = View()
    let stage = WindowHarness(root: root)
    stage.run(milliseconds: 100)
    stage.resize(to: Size(width: 120, height: 90))
    stage.run(milliseconds: 100)
    #expect(root.frame.size == Size(width: 120, height: 90))
    #expect(stage.display.presentedFrames == 2)
  }

  @Test("Many resizes in one frame are one layout at the last size")
  func resizeStorm() {
    final class Counter: View {
      var layouts = 0
      override func layoutSubviews() { layouts += 1 }
    }
    let root = Counter()
    let stage = WindowHarness(root: root)
    stage.run(frames: 1)
    let before = root.layouts
    for side in 100..<200 {
      stage.display.resize(to: Size(width: Double(side), height: 50))
      stage.events.append(.resized, at: stage.clock.now())
    }
    stage.run(frames: 2)
    #expect(root.layouts == before + 1)
    #expect(root.frame.size == Size(width: 199, height: 50))
  }

  @Test("Closing the window ends the run")
  func quit() {
    let stage = WindowHarness(root: View())
    stage.events.append(.quit)
    #expect(stage.loop.run(LoopLimits(frames: 10)) == .quit)
  }
}
