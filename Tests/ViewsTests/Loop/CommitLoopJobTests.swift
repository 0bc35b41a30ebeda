import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("A loop runs jobs in the collect phase of its frames")
struct CommitLoopJobTests {
  private let label = Label(style: CommitLoopJobTests.style, color: .white)
  private let harness: WindowHarness

  private static let style = TextStyle(size: 20, weight: .regular)

  init() {
    label.text = "before"
    harness = WindowHarness(root: label)
    harness.run(milliseconds: 1_000)
  }

  private var shownTexts: [String] {
    harness.drawnTexts(["before", "after", "again"], in: CommitLoopJobTests.style).map(\.text)
  }

  @Test("A job wakes a resting loop, and its frame shows what it changes")
  func jobAtRest() {
    #expect(shownTexts == ["before"])
    let frames = harness.display.presentedFrames
    harness.jobs.append { [label] in label.text = "after" }
    #expect(harness.events.wakeCount == 1)
    harness.run(milliseconds: 16)
    #expect(harness.display.presentedFrames == frames + 1)
    #expect(harness.jobs.frames == [frames] && shownTexts == ["after"])
  }

  @Test("After its jobs the loop rests without a time limit")
  func restAfterJobs() {
    let harness = TimerWindowHarness(root: label)
    let jobs = ManualJobQueue(waker: harness.events.waker)
    harness.loop.jobs = jobs
    jobs.append { [label] in label.text = "after" }
    harness.run(frames: 1)
    #expect(jobs.frames == [0])
    let (frames, waits) = (harness.display.presentedFrames, harness.events.waits.count)
    _ = harness.loop.run(LoopLimits(duration: .seconds(10)))
    // The limit of the run ends the only wait.
    #expect(harness.display.presentedFrames <= frames + 1)
    #expect(harness.events.waits.count <= waits + 2)
  }

  @Test("A job that enqueues another one runs it in the next frame")
  func jobOfJob() {
    let frames = harness.display.presentedFrames
    harness.jobs.append { [label, jobs = harness.jobs] in
      label.text = "after"
      jobs.append { label.text = "again" }
    }
    harness.run(frames: 1)
    #expect(shownTexts == ["after"])
    harness.run(frames: 1)
    #expect(shownTexts == ["again"] && harness.jobs.frames == [frames, frames + 1])
  }

  @Test("A job that enqueues itself delays no frame, and other work continues")
  func endlessJob() {
    let (label, jobs) = (label, harness.jobs)
    func enqueueAgain() { jobs.append { enqueueAgain() } }
    enqueueAgain()
    let frames = harness.display.presentedFrames
    harness.run(milliseconds: 160)
    let count = harness.display.presentedFrames - frames
    #expect((9...11).contains(count) && jobs.frames.count == count)
    harness.sendEvent(.quit)
    label.text = "after"
    harness.run(milliseconds: 100)
    #expect(shownTexts == ["after"])
  }

  @Test("Jobs are run after the participants have collected, whose completions may enqueue some")
  func afterParticipants() {
    final class Completion: FrameParticipant {
      var onCollect: (() -> Void)?
      func collect(_ budget: FrameBudget) {
        onCollect?()
        onCollect = nil
      }
    }
    let completion = Completion()
    harness.window.addParticipant(completion)
    completion.onCollect = { [label, jobs = harness.jobs] in jobs.append { label.text = "after" } }
    harness.run(frames: 1)
    #expect(shownTexts == ["after"])
  }

  @Test("An invisible window draws nothing, but its jobs are run, and may end the run")
  func invisibleWindow() {
    harness.sendEvent(.hidden)
    harness.run(milliseconds: 100)
    let frames = harness.display.presentedFrames
    harness.jobs.append { [label] in label.text = "after" }
    harness.run(milliseconds: 100)
    #expect(label.text == "after" && harness.display.presentedFrames == frames)
    harness.jobs.append { [loop = harness.loop] in loop.quit() }
    #expect(harness.loop.run() == .quit)
    #expect(harness.display.presentedFrames == frames)
  }

  @Test("An invisible window whose job enqueues itself handles input, and is shown again")
  func endlessJobWhileInvisible() {
    let (label, loop, jobs) = (label, harness.loop, harness.jobs)
    harness.sendEvent(.hidden)
    harness.run(milliseconds: 100)
    var isStopped = false
    func enqueueAgain() { jobs.append { if !isStopped { enqueueAgain() } } }
    enqueueAgain()
    let frames = harness.display.presentedFrames
    harness.sendEvent(.shown)
    label.text = "after"
    harness.run(milliseconds: 50)
    #expect(harness.display.presentedFrames > frames && shownTexts == ["after"])
    harness.sendEvent(.hidden)
    harness.run(frames: 1)
    harness.sendEvent(.quit)
    #expect(loop.run() == .quit)
    isStopped = true
  }

  @Test("A task of a test runs between frames, and the next frame shows what it changed")
  func mainQueue() async {
    Task { @MainActor [label] in label.text = "after" }
    await harness.runMainQueue()
    #expect(shownTexts == ["after"])
  }
}
