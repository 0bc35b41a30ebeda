import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A line of type that a frame has no time for comes in a later one")
struct LateLineTests {
  /// Spends so much in each commit.
  private final class Worker: FrameParticipant {
    private let clock: SimulatedClock
    var commitCost = FrameDuration.zero
    var isTracked = false

    init(clock: SimulatedClock) { self.clock = clock }

    func commit(_ record: inout FrameRecord) { clock.spend(commitCost) }
  }

  private let stage: WindowHarness
  private let worker: Worker
  private let label = Label(style: TextStyle(size: 10), color: .white)

  init() {
    let root = View()
    stage = WindowHarness(root: root)
    worker = Worker(clock: stage.clock)
    stage.window.addParticipant(worker)
    label.frame = Rect(x: 0, y: 0, width: 200, height: 20)
    label.allowsDeferredLine = true
    root.addSubview(label)
  }

  /// How many commands the last frame had: a label's line is one.
  private var drawn: Int { stage.lastFrameCommands.count }

  @Test("In time it is drawn at once; where half of the frame was used up, in slack, and shown by the next frame")
  func later() {
    label.text = "in time"
    stage.run(frames: 1)
    #expect(drawn == 1)
    worker.commitCost = .milliseconds(12)
    label.text = "late"
    stage.run(frames: 1)
    #expect(drawn == 0, "nothing stands in its place, above all not the line of before")
    #expect(stage.resources.deferredLines.isEmpty, "slack was enough")
    stage.run(frames: 1)
    #expect(drawn == 1)
  }

  @Test("A line that gave way to one of another width is painted again when its width comes back")
  func widthComesBack() {
    label.text = "a line that is cut where it does not fit"
    stage.run(frames: 1)
    worker.commitCost = .milliseconds(40)
    worker.isTracked = true
    label.frame.size.width = 40
    stage.run(frames: 1)
    #expect(drawn == 0)
    label.frame.size.width = 200
    stage.run(frames: 1)
    worker.isTracked = false
    stage.run(frames: 2)
    #expect(drawn == 1 && stage.resources.deferredLines.isEmpty)
  }

  @Test("What may not come later is drawn whatever it takes")
  func atOnce() {
    label.allowsDeferredLine = false
    worker.commitCost = .milliseconds(40)
    label.text = "at once"
    stage.run(frames: 1)
    #expect(drawn == 1)
  }

  @Test("Where frames have no slack it waits while something moves, and not for ever once nothing does")
  func waits() {
    worker.commitCost = .milliseconds(40)
    worker.isTracked = true
    label.text = "patient"
    stage.run(frames: 5)
    #expect(drawn == 0 && stage.resources.deferredLines.count == 1)
    worker.isTracked = false
    stage.run(frames: 2)
    #expect(drawn == 1 && stage.resources.deferredLines.isEmpty)
  }

  @Test("A label that left the window is waited for no longer")
  func gone() {
    worker.commitCost = .milliseconds(12)
    label.text = "gone"
    worker.isTracked = true
    worker.commitCost = .milliseconds(40)
    stage.run(frames: 1)
    label.removeFromSuperview()
    stage.run(frames: 1)
    #expect(stage.resources.deferredLines.isEmpty)
  }
}
