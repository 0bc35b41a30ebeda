import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("CommitLoop")
struct CommitLoopTests {
  final class Mover: FrameParticipant {
    var remainingFrames: Int
    let view: View
    var phases: [String] = []

    init(frames: Int, view: View) {
      remainingFrames = frames
      self.view = view
    }

    var needsFrames: Bool { remainingFrames > 0 }
    var isTracked: Bool { true }
    func update(at target: FrameInstant) {
      phases.append("update")
      remainingFrames -= 1
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

  @Test("Without changes the loop draws one frame and is idle")
  func idleAfterFirstFrame() {
    let harness = WindowHarness(root: View())
    harness.run(milliseconds: 1_000)
    #expect(harness.display.presentedFrames == 1)
    #expect(harness.clock.now() == FrameInstant.zero + .milliseconds(1_000))
  }

  /// A participant that needs a frame every 100 ms.
  final class Ticker: FrameParticipant {
    private(set) var targets: [FrameInstant] = []
    var nextFrame: FrameInstant? {
      let shown = targets.last?.nanoseconds ?? 0
      return FrameInstant(nanoseconds: (shown / 100_000_000 + 1) * 100_000_000)
    }
    func update(at target: FrameInstant) { targets.append(target) }
  }

  @Test("A participant gets a frame at the instant at which it needs one unless the window is hidden")
  func scheduledFrames() {
    let harness = WindowHarness(root: View())
    let ticker = Ticker()
    harness.window.addParticipant(ticker)
    harness.run(milliseconds: 1_050)
    #expect(ticker.targets.count == 11 && harness.display.presentedFrames == 11)
    for (tick, target) in ticker.targets.enumerated().dropFirst() {
      let late = (target - FrameInstant.zero).milliseconds - 100 * Double(tick)
      #expect(late >= 0 && late <= 32, "\(tick): \(late)")
    }
    harness.sendEvent(.hidden)
    harness.run(milliseconds: 1_000)
    #expect(ticker.targets.count == 11)
    harness.sendEvent(.shown)
    harness.run(milliseconds: 250)
    #expect((13...15).contains(ticker.targets.count))
  }

  @Test("Phases run in order, once per frame")
  func phaseOrder() {
    let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let root = View()
    root.addSubview(view)
    let harness = WindowHarness(root: root)
    let mover = Mover(frames: 2, view: view)
    harness.window.addParticipant(mover)
    harness.run(frames: 2)
    let one = ["update", "collect", "layout", "commit", "slack", "end"]
    #expect(mover.phases == one + one)
  }

  @Test("A moving view is drawn at its position in every refresh")
  func movement() {
    let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    view.backgroundColor = .white
    let root = View()
    root.addSubview(view)
    let harness = WindowHarness(root: root)
    harness.window.addParticipant(Mover(frames: 5, view: view))
    harness.run(milliseconds: 500)
    let positions = harness.display.frames.compactMap { $0.commands.first?.destination.x }
    #expect(positions == [1, 2, 3, 4, 5])
    #expect(harness.loop.history.hitchCount == 0)
  }

  @Test("Equal runs have equal digests, and different images have different digests")
  func digests() throws {
    func digest(_ color: Color) throws -> String {
      let image = ImageView(frame: Rect(x: 0, y: 0, width: 8, height: 8))
      image.image = try Bitmap.square(8, color)
      let root = View()
      root.addSubview(image)
      let harness = WindowHarness(root: root)
      harness.run(frames: 4)
      return harness.loop.frameDigest.text
    }
    let red = Color(hex: 0xFF0000)
    #expect(try digest(red) == digest(red))
    #expect(try digest(red) != digest(.white))
  }

  @Test("A hidden window draws no frames until it is shown")
  func occlusion() {
    let harness = WindowHarness(root: View())
    harness.run(milliseconds: 10)
    harness.events.append(.hidden, at: harness.clock.now())
    harness.window.setNeedsFrame()
    harness.run(milliseconds: 50)
    let before = harness.display.presentedFrames
    harness.window.setNeedsFrame()
    harness.run(milliseconds: 50)
    #expect(harness.display.presentedFrames == before)
  }

  @Test("Pending input wakes an idle loop immediately")
  func inputWakesLoop() {
    let root = View()
    let harness = WindowHarness(root: root)
    harness.run(milliseconds: 100)
    harness.resize(to: Size(width: 120, height: 90))
    harness.run(milliseconds: 100)
    #expect(root.frame.size == Size(width: 120, height: 90))
    #expect(harness.display.presentedFrames == 2)
  }

  @Test("Many resizes in one frame cause one layout at the last size")
  func repeatedResizes() {
    final class Counter: View {
      var layouts = 0
      override func layoutSubviews() { layouts += 1 }
    }
    let root = Counter()
    let harness = WindowHarness(root: root)
    harness.run(frames: 1)
    let before = root.layouts
    for side in 100..<200 {
      harness.display.resize(to: Size(width: Double(side), height: 50))
      harness.events.append(.resized, at: harness.clock.now())
    }
    harness.run(frames: 2)
    #expect(root.layouts == before + 1)
    #expect(root.frame.size == Size(width: 199, height: 50))
  }

  @Test("Closing the window ends the run")
  func quit() {
    let harness = WindowHarness(root: View())
    harness.events.append(.quit)
    #expect(harness.loop.run(LoopLimits(frames: 10)) == .quit)
  }
}

// MARK: - Scheduled frames

@Suite("Scheduled frames of an idle loop")
struct ScheduledFrameTests {
  /// A participant that needs frames at given instants, one after another.
  final class ScheduledParticipant: FrameParticipant {
    var instants: [FrameInstant]
    var frames: [FrameInstant] = []

    init(_ milliseconds: [Double]) { instants = milliseconds.map { .zero + .milliseconds($0) } }

    var nextFrame: FrameInstant? { instants.first }
    func update(at target: FrameInstant) {
      guard let next = instants.first, next <= target else { return }
      instants.removeFirst()
      frames.append(target)
    }
  }

  @Test("Each instant gets the first frame after it, and there are no other frames")
  func frames() {
    let harness = WindowHarness(root: View())
    let participant = ScheduledParticipant([100, 700, 701])
    harness.window.addParticipant(participant)
    harness.run(milliseconds: 5_000)
    #expect(participant.instants.isEmpty)
    let late = zip(participant.frames, [100, 700, 701]).map { $0.0 - (FrameInstant.zero + .milliseconds($0.1)) }
    #expect(late.allSatisfy { $0 >= .zero && $0 < .milliseconds(40) })
    #expect(harness.display.presentedFrames <= 4)
    let idleFrames = harness.display.presentedFrames
    harness.run(milliseconds: 5_000)
    #expect(harness.display.presentedFrames == idleFrames)
  }

  @Test("A hidden window schedules no frames until it is shown")
  func hiddenWindow() {
    let harness = WindowHarness(root: View())
    let participant = ScheduledParticipant([100])
    harness.window.addParticipant(participant)
    harness.run(frames: 1)
    harness.sendEvent(.hidden)
    harness.run(milliseconds: 1_000)
    #expect(participant.frames.isEmpty)
    harness.sendEvent(.shown)
    harness.run(milliseconds: 1_000)
    #expect(participant.frames.count == 1)
  }
}
