import Foundation
import Testing
import VitrineFramePacing
import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("A trace recorder samples between frames and writes files during the run")
struct TraceRecorderTests {
  /// A participant that moves and delays given frames.
  private final class MovingParticipant: FrameParticipant {
    let clock: any FrameClock
    var frameCosts: [Int: Double] = [:]
    private var frame = 0
    init(_ clock: any FrameClock) { self.clock = clock }
    var needsFrames: Bool { true }
    var isTracked: Bool { true }
    func commit(_ record: inout FrameRecord) {
      clock.spend(.milliseconds(frameCosts[frame] ?? 1))
      frame += 1
    }
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "vitrine-recorder-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func makeRecorder(
    _ harness: WindowHarness, to destination: String?, threshold: Double? = nil, prefix: String? = nil,
    interrupt: Interrupt = Interrupt(), figures: RunFigures = RunFigures()
  ) -> TraceRecorder {
    let recorder = TraceRecorder(
      harness.loop, harness.resources, figures, version: "1.2.3",
      capturePolicy: TraceCapturePolicy(
        destination: destination, threshold: threshold.map { FrameDuration.milliseconds($0) }),
      recordsWholeRun: destination != nil, interrupt: interrupt, console: Console(program: "test"), prefix: { prefix }
    ) { 77 }
    harness.loop.onFrameBoundary = { recorder.recordLatestFrame() }
    return recorder
  }

  @Test("A hitch over the threshold writes the last ten seconds, and shorter hitches do not")
  func hitch() throws {
    try withFolder { folder in
      let harness = WindowHarness(root: View())
      let participant = MovingParticipant(harness.clock)
      participant.frameCosts = [700: 40, 710: 17, 800: 60]
      harness.window.addParticipant(participant)
      let recorder = makeRecorder(harness, to: folder + "/run.json", threshold: 8)
      harness.run(frames: 1_000)
      try recorder.waitForWriters()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["run-hitch-1.json"])
      let checker = try TraceChecker(Data(contentsOf: URL(fileURLWithPath: folder + "/run-hitch-1.json")))
      #expect(checker.faults == [])
      // Ten seconds are about 625 frames of 16 ms, and the last of them is the late one.
      #expect((615...627).contains(checker.frames), "\(checker.frames)")
      #expect(checker.hitches.values.reduce(0, +) == 1)
      let whole = recorder.makeFullSnapshot(of: harness.loop)
      #expect(whole.records.count == 1_000)
    }
  }

  @Test("A capture that cannot be written is reported at the end with its path")
  func unwritable() throws {
    try withFolder { folder in
      let harness = WindowHarness(root: View())
      let participant = MovingParticipant(harness.clock)
      participant.frameCosts = [20: 40]
      harness.window.addParticipant(participant)
      let recorder = makeRecorder(harness, to: folder + "/absent/run.json", threshold: 8)
      harness.run(frames: 30)
      let error = try #require(throws: HostError.self) { try recorder.waitForWriters() }
      #expect(error.description.contains("--trace-hitch: \(folder)/absent/run-hitch-1.json: "))
    }
  }

  @Test("Figures are sampled ten times a second")
  func samples() throws {
    let harness = WindowHarness(root: View())
    harness.window.addParticipant(MovingParticipant(harness.clock))
    var sampleCount = 0
    var figures = RunFigures()
    figures.overlay = {
      sampleCount += 1
      var figures = OverlayFigures()
      figures.queued = sampleCount
      return figures
    }
    let recorder = makeRecorder(harness, to: "/absent/run.json", figures: figures)
    harness.run(frames: 125)
    let samples = recorder.makeFullSnapshot(of: harness.loop).samples
    // Two seconds of frames of 16 ms: a sample every seventh frame.
    #expect(samples.count == sampleCount && (17...20).contains(sampleCount), "\(sampleCount)")
    #expect(samples.map(\.queued) == Array(1...sampleCount))
    #expect(samples.allSatisfy { $0.textureBytes == 77 })
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $1.instant - $0.instant >= TraceRecorder.sampleInterval })
  }

  @Test("Without a trace nothing is recorded or sampled")
  func recordsNothingWithoutTrace() throws {
    let harness = WindowHarness(root: View())
    harness.window.addParticipant(MovingParticipant(harness.clock))
    harness.resources.uploads.uploadLog = UploadLog()
    var sampleCount = 0
    var figures = RunFigures()
    figures.overlay = {
      sampleCount += 1
      return OverlayFigures()
    }
    let recorder = makeRecorder(harness, to: nil, figures: figures)
    harness.run(frames: 50)
    #expect(sampleCount == 0 && harness.resources.uploads.uploadLog == nil)
    #expect(recorder.makeFullSnapshot(of: harness.loop).samples.isEmpty)
    try recorder.waitForWriters()
  }

  @Test("A request writes the frames so far, also without a trace of the run")
  func writesOnRequest() throws {
    try withFolder { folder in
      let harness = WindowHarness(root: View())
      harness.window.addParticipant(MovingParticipant(harness.clock))
      let interrupt = Interrupt()
      let recorder = makeRecorder(harness, to: nil, prefix: folder + "/trace-7", interrupt: interrupt)
      harness.run(frames: 50)
      interrupt.recordTraceRequest()
      // Written once per request, for any number of loop iterations.
      harness.run(frames: 300)
      interrupt.recordTraceRequest()
      harness.run(frames: 10)
      try recorder.waitForWriters()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(names == ["trace-7-1.json", "trace-7-2.json"])
      let frames = try names.map { name in
        let checker = try TraceChecker(Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
        #expect(checker.faults == [])
        return checker.frames
      }
      #expect(frames == [50, 350])
    }
  }
}
