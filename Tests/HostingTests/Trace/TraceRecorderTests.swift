import FramePacing
import Foundation
import ImagePipeline
import Rendering
import TestSupport
import Testing
import Views

@testable import Hosting

@Suite("A recorder looks on between frames, and has files written while the run goes on")
struct TraceRecorderTests {
  /// Something that moves, and holds up the frames that it is told to.
  private final class Mover: FrameParticipant {
    let clock: any FrameClock
    var late: [Int: Double] = [:]
    private var frame = 0
    init(_ clock: any FrameClock) { self.clock = clock }
    var needsFrames: Bool { true }
    var isTracked: Bool { true }
    func commit(_ record: inout FrameRecord) {
      clock.spend(.milliseconds(late[frame] ?? 1))
      frame += 1
    }
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "vitrine-recorder-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func recorder(
    _ stage: WindowHarness, to destination: String?, threshold: Double? = nil, prefix: String? = nil,
    interrupt: Interrupt = Interrupt(), figures: RunFigures = RunFigures()
  ) -> TraceRecorder {
    let recorder = TraceRecorder(
      stage.loop, stage.resources, figures, version: "1.2.3",
      keeper: TraceCapturePolicy(destination: destination, threshold: threshold.map { FrameDuration.milliseconds($0) }),
      isWhole: destination != nil, interrupt: interrupt, console: Console(program: "test"), prefix: { prefix }
    ) { 77 }
    stage.loop.onFrameBoundary = { recorder.recordLatestFrame() }
    return recorder
  }

  @Test("A hitch over the limit has the last ten seconds written; lesser ones have not")
  func hitch() throws {
    try withFolder { folder in
      let stage = WindowHarness(root: View())
      let mover = Mover(stage.clock)
      mover.late = [700: 40, 710: 17, 800: 60]
      stage.window.addParticipant(mover)
      let recorder = recorder(stage, to: folder + "/run.json", threshold: 8)
      stage.run(frames: 1_000)
      try recorder.waitForWriters()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["run-hitch-1.json"])
      let checker = try TraceChecker(Data(contentsOf: URL(fileURLWithPath: folder + "/run-hitch-1.json")))
      #expect(checker.faults == [])
      // Ten seconds are some 625 frames of 16 ms; the last of them is the late one.
      #expect((615...627).contains(checker.frames), "\(checker.frames)")
      #expect(checker.hitches.values.reduce(0, +) == 1)
      let whole = recorder.makeFullSnapshot(of: stage.loop)
      #expect(whole.records.count == 1_000)
    }
  }

  @Test("A file that cannot be written for a hitch is told at the end, by its name")
  func unwritable() throws {
    try withFolder { folder in
      let stage = WindowHarness(root: View())
      let mover = Mover(stage.clock)
      mover.late = [20: 40]
      stage.window.addParticipant(mover)
      let recorder = recorder(stage, to: folder + "/absent/run.json", threshold: 8)
      stage.run(frames: 30)
      let error = try #require(throws: HostError.self) { try recorder.waitForWriters() }
      #expect(error.description.contains("--trace-hitch: \(folder)/absent/run-hitch-1.json: "))
    }
  }

  @Test("What is held is looked at ten times a second")
  func samples() throws {
    let stage = WindowHarness(root: View())
    stage.window.addParticipant(Mover(stage.clock))
    var asked = 0
    var figures = RunFigures()
    figures.overlay = {
      asked += 1
      var figures = OverlayFigures()
      figures.queued = asked
      return figures
    }
    let recorder = recorder(stage, to: "/absent/run.json", figures: figures)
    stage.run(frames: 125)
    let samples = recorder.makeFullSnapshot(of: stage.loop).samples
    // Two seconds of frames of 16 ms: one every seventh frame.
    #expect(samples.count == asked && (17...20).contains(asked), "\(asked)")
    #expect(samples.map(\.queued) == Array(1...asked))
    #expect(samples.allSatisfy { $0.textureBytes == 77 })
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $1.instant - $0.instant >= TraceRecorder.sampleInterval })
  }

  @Test("Where no trace is wanted nothing is noted or asked")
  func off() throws {
    let stage = WindowHarness(root: View())
    stage.window.addParticipant(Mover(stage.clock))
    stage.resources.uploads.uploadLog = UploadLog()
    var asked = 0
    var figures = RunFigures()
    figures.overlay = {
      asked += 1
      return OverlayFigures()
    }
    let recorder = recorder(stage, to: nil, figures: figures)
    stage.run(frames: 50)
    #expect(asked == 0 && stage.resources.uploads.uploadLog == nil)
    #expect(recorder.makeFullSnapshot(of: stage.loop).samples.isEmpty)
    try recorder.waitForWriters()
  }

  @Test("Somebody who asks gets the frames so far, also where no trace of the run is wanted")
  func asked() throws {
    try withFolder { folder in
      let stage = WindowHarness(root: View())
      stage.window.addParticipant(Mover(stage.clock))
      let interrupt = Interrupt()
      let recorder = recorder(stage, to: nil, prefix: folder + "/trace-7", interrupt: interrupt)
      stage.run(frames: 50)
      interrupt.recordTraceRequest()
      // Once for one wish, however often the loop goes round.
      stage.run(frames: 300)
      interrupt.recordTraceRequest()
      stage.run(frames: 10)
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
