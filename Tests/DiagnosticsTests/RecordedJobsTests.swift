import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineDiagnostics

@Suite("Recorded jobs are run in the same frames")
struct RecordedJobsTests {
  private final class Program {
    let label = Label(style: TextStyle(size: 20, weight: .regular), color: .white)
    let harness: WindowHarness
    private(set) var recorder: RecordingJobQueue?
    private(set) var replay: ReplayJobQueue?

    init(replaying jobs: [RecordedJobs]? = nil) {
      harness = WindowHarness(root: label)
      let (clock, start) = (harness.clock, harness.clock.now())
      if let jobs { replay = ReplayJobQueue(jobs, of: harness.jobs, clock: clock, from: start) }
      let recorder = RecordingJobQueue(replay ?? harness.jobs, from: start)
      harness.loop.jobs = recorder
      self.recorder = recorder
    }

    var recordedJobs: [RecordedJobs] { recorder?.recordedJobs ?? [] }
    var digest: String { harness.loop.frameDigest.text }

    func append(_ text: String) { harness.jobs.append { [label] in label.text = text } }
  }

  /// Returns a program in which jobs arrived at various times, also within a series of frames.
  private func record() -> Program {
    let program = Program()
    program.harness.run(milliseconds: 100)
    program.append("a")
    program.harness.run(milliseconds: 37)
    program.append("b")
    program.append("c")
    program.harness.run(frames: 3)
    program.append("d")
    program.harness.run(milliseconds: 500)
    return program
  }

  @Test("Jobs that arrive early wait, and jobs that arrive late are awaited")
  func sameFrames() {
    let first = record()
    #expect(first.recordedJobs.count == 3)
    let duration = (first.harness.clock.now() - FrameInstant.zero).milliseconds
    for isEarly in [true, false] {
      let program = Program(replaying: first.recordedJobs)
      let texts = [["a"], ["b", "c"], ["d"]]
      if isEarly {
        // Only the first ones, because all that have arrived are run together.
        program.append("a")
      }
      var next = isEarly ? 1 : 0
      program.harness.jobs.onWait = {
        for text in texts[next] { program.append(text) }
        next += 1
      }
      program.harness.run(milliseconds: 137)
      program.harness.run(frames: 3)
      program.harness.run(milliseconds: duration)
      #expect(program.recordedJobs == first.recordedJobs && program.replay?.missedFrames == 0)
      #expect(program.digest == first.digest)
    }
  }

  @Test("Jobs that the recording has not are not run")
  func otherJobs() {
    let program = Program(replaying: [])
    program.append("a")
    program.harness.run(milliseconds: 100)
    #expect(program.label.text.isEmpty && program.recordedJobs.isEmpty)
  }

  @Test("A replay goes on without jobs that do not arrive")
  func missingJobs() {
    let program = Program(replaying: [RecordedJobs(ns: 1, frame: 0), RecordedJobs(ns: 2, frame: 1)])
    program.harness.run(milliseconds: 100)
    #expect(program.replay?.missedFrames == 2 && program.recordedJobs.isEmpty)
  }

  @Test("A recording with jobs has another format, and is read as it was written")
  func file() throws {
    var recording = RecordingFileTests.recording()
    recording.jobs = [RecordedJobs(ns: 5, frame: 1), RecordedJobs(ns: 7, frame: 2)]
    recording.end.jobs = 2
    #expect(throws: (any Error).self) {
      // Older programs, which read format 1, do not know the lines.
      try RecordingReader.recording(in: RecordingWriter.bytes(of: recording), of: "r")
    }
    recording.header.format = RecordingHeader.format(recordsJobs: true)
    #expect(try RecordingReader.recording(in: RecordingWriter.bytes(of: recording), of: "r") == recording)
    recording.end.jobs = 1
    #expect(throws: (any Error).self) {
      try RecordingReader.recording(in: RecordingWriter.bytes(of: recording), of: "r")
    }
  }
}
