import Foundation
import Testing
import VitrineTestSupport

extension Scenarios {
  @Suite("Replaying a recorded run shows the same frames")
  struct RecordingTests {
    /// The part of a report that describes the replay.
    private struct Report: Decodable {
      struct Replay: Decodable {
        var events: Int
        var overridden: [String]
        var filesMissing: Int?
        var filesChanged: Int?
        var recordedClock: String
        var digestMatches: Bool?
      }

      var replay: Replay
    }

    private func replay(
      _ path: String, _ options: [String] = []
    ) throws -> (figures: RunFigures.Figures, replay: Report.Replay, errorOutput: String) {
      let result = try VitrineRun.run(["--replay", path, "--report", "-"] + options)
      try #require(result.status == 0, "\(result)")
      let report = try JSONDecoder().decode(Report.self, from: Data(result.output))
      return (try RunFigures(result.output).figures, report.replay, result.errorOutput)
    }

    private func lines(_ path: String) throws -> [String] {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test("A replay of a script has the recorded digest, and with other workers the same frames except for images")
    func scripted() throws {
      let output = try TemporaryFolder()
      let (path, second) = (output.path(of: "run.jsonl"), output.path(of: "again.jsonl"))
      let first = try VitrineRun.report(
        VitrineRun.smallWindow + [
          "--synthetic", "10000", "--seed", "5", "--clock", "virtual", "--scroll", "mixed", "--duration", "0.5",
          "--record", path,
        ])
      let digest = try #require(first.figures.frameDigest)
      #expect(try #require(lines(path).last).contains(digest))
      // Recording a replay creates a recording of the same run.
      for again in [try replay(path, ["--record", second]), try replay(second)] {
        #expect(again.replay.digestMatches == true && again.replay.overridden.isEmpty && again.errorOutput.isEmpty)
        #expect(again.figures.frameDigest == digest && again.figures.frames.count == first.figures.frames.count)
      }
      let other = try replay(path, ["--workers", "1"])
      #expect(other.replay.overridden == ["--workers"] && other.replay.digestMatches == nil)
      #expect(other.figures.frames.trackedSeconds == first.figures.frames.trackedSeconds)
      #expect(other.figures.cells.dequeued == first.figures.cells.dequeued)
    }

    @Test("Script steps are part of the recording, and missing files are reported and shown as placeholders")
    func files() throws {
      let output = try TemporaryFolder()
      let (path, script) = (output.path(of: "run.jsonl"), output.path(of: "steps.json"))
      try output.write(
        Array(
          #"""
          {"steps": [{"wait": 0.2}, {"key": "PageDown"}, {"wheel": {"notches": -3}}, {"wait": 0.3},
            {"resize": {"width": 500, "height": 420}}, {"wait": 0.2}, {"key": "F5"}]}
          """#
          .utf8),
        to: "steps.json")
      let folder = try TemporaryFolder.photoLibrary(count: 60)
      let first = try VitrineRun.report(
        VitrineRun.smallWindow + ["--clock", "virtual", "--duration", "1.5", "--scroll", script, "--record", path],
        on: folder)
      try FileManager.default.removeItem(atPath: script)
      #expect(try lines(path).count { $0.hasPrefix(#"{"file""#) } == 65)
      let again = try replay(path)
      #expect(again.replay.digestMatches == true && again.errorOutput.isEmpty, "\(again)")
      #expect(again.replay.filesMissing == 0 && again.figures.frameDigest == first.figures.frameDigest)
      try FileManager.default.removeItem(atPath: folder.path(of: "photo 3.jpg"))
      try FileManager.default.removeItem(atPath: folder.path(of: "photo 7.jpg"))
      try folder.write(try PictureMaker().gradient(8), to: "photo 9.jpg")
      let less = try replay(path)
      #expect(less.replay.filesMissing == 2 && less.replay.filesChanged == 1 && less.replay.digestMatches == nil)
      #expect(less.figures.library.items == 65 && less.figures.library.failed == 4)
      #expect(less.errorOutput.contains("missing, shown as placeholders: 2, the first "), "\(less.errorOutput)")
      #expect(less.errorOutput.contains("photo 3.jpg") && less.errorOutput.contains("shown as they are now: 1"))
    }

    @Test(
      "Examples are recorded and replayed, and refuse recordings of other programs",
      .enabled(if: BuiltProgram.hasExamples, "the package Examples is not built"))
    func example() throws {
      let output = try TemporaryFolder()
      let path = output.path(of: "run.jsonl")
      let demo = ["--demo", "outline", "--report", "-"]
      let first = try VitrineRun.run(
        demo + [
          "--headless", "--size", "480x400", "--clock", "virtual", "--scroll", "flick:2000", "--duration", "0.1",
          "--overlay", "4", "--record", path,
        ])
      try #require(first.status == 0 && first.errorOutput.isEmpty, "\(first)")
      let again = try VitrineRun.run(demo + ["--replay", path])
      try #require(again.status == 0 && again.errorOutput.isEmpty, "\(again)")
      #expect(try JSONDecoder().decode(Report.self, from: Data(again.output)).replay.digestMatches == true)
      let gallery = try VitrineRun.run(["--replay", path])
      #expect(gallery.status == 2 && gallery.errorOutput.contains("one of vitrine is accepted"), "\(gallery)")
    }

    @Test("An invalid recording is refused with one line, and no file is written")
    func refused() throws {
      let output = try TemporaryFolder()
      try output.write(Array("{}\n".utf8), to: "none.jsonl")
      try output.write(Array("kept".utf8), to: "kept")
      for name in ["none.jsonl", "absent", "."] {
        let result = try VitrineRun.run(
          ["--replay", output.path(of: name), "--report", output.path(of: "kept")])
        #expect(result.status == 2 && result.errorLines.count == 1, "\(result)")
        #expect(result.errorOutput.contains("--replay \(output.path(of: name))"))
      }
      #expect(try String(contentsOfFile: output.path(of: "kept"), encoding: .utf8) == "kept")
      #expect(try FileManager.default.contentsOfDirectory(atPath: output.path).sorted() == ["kept", "none.jsonl"])
    }

    @Test(
      "Two headless replays of a window's input are equal",
      .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func window() throws {
      let output = try TemporaryFolder()
      let path = output.path(of: "run.jsonl")
      let gallery = try GalleryWindow(["--size", "640x480", "--record", path])
      try gallery.performInput("key", "Down", "Down", "Page_Down")
      try gallery.performInput("click", "4")
      try gallery.server.xdotool("key", "ctrl+q")
      let result = try gallery.run.waitForExit()
      #expect(result.status == 0, "\(result)")
      let replays = try (0..<2).map { _ in try replay(path, ["--no-cache"]) }
      #expect(replays[0].figures.frameDigest != nil && replays[0].figures.frames.count > 5)
      #expect(replays[0].figures.frameDigest == replays[1].figures.frameDigest)
      #expect(replays[0].replay.events >= 8 && replays[0].replay.digestMatches == nil)
      #expect(["timer", "vsync"].contains(replays[0].replay.recordedClock))
      #expect(replays[0].figures.library.items == VisibleItems.count && replays[0].errorOutput.isEmpty)
      // The replays read the photographs.
      withExtendedLifetime(gallery) {}
    }

    @Test("A signal during a run leaves a complete recording")
    func interrupted() throws {
      let output = try TemporaryFolder()
      let path = output.path(of: "run.jsonl")
      let run = try VitrineRun(
        VitrineRun.smallWindow + [
          "--synthetic", "1000", "--headless", "--scroll", "steady:500", "--duration", "1000", "--record", path,
        ])
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "the thread that waits for signals") {
        inspector.threadNames.contains("signals") ? () : nil
      }
      run.process.signal(SIGINT)
      #expect(try run.waitForExit().status == 130)
      #expect(try replay(path).replay.overridden.isEmpty)
    }
  }
}
