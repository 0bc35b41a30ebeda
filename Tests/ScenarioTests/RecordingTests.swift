import Foundation
import TestSupport
import Testing

extension Scenarios {
  @Suite("A recorded run is run again, and shows the same frames")
  struct RecordingTests {
    /// What a replay's report says of itself.
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
    ) throws -> (figures: RunFigures.Figures, replay: Report.Replay, complaints: String) {
      let end = try VitrineRun.end(["--replay", path, "--report", "-"] + options)
      try #require(end.status == 0, "\(end)")
      let report = try JSONDecoder().decode(Report.self, from: Data(end.output))
      return (try RunFigures(end.output).figures, report.replay, end.complaints)
    }

    private func lines(_ path: String) throws -> [String] {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test("A script on the virtual clock: the recording's own digest; other workers: the same frames but for pictures")
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
      // A replay that is recorded is a recording of the same run.
      for again in [try replay(path, ["--record", second]), try replay(second)] {
        #expect(again.replay.digestMatches == true && again.replay.overridden.isEmpty && again.complaints.isEmpty)
        #expect(again.figures.frameDigest == digest && again.figures.frames.count == first.figures.frames.count)
      }
      let other = try replay(path, ["--workers", "1"])
      #expect(other.replay.overridden == ["--workers"] && other.replay.digestMatches == nil)
      #expect(other.figures.frames.trackedSeconds == first.figures.frames.trackedSeconds)
      #expect(other.figures.cells.dequeued == first.figures.cells.dequeued)
    }

    @Test("Steps of a file come with the recording; files that went are placeholders, and are told of")
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
      let folder = try DigestTests.library(count: 60)
      let first = try VitrineRun.report(
        VitrineRun.smallWindow + ["--clock", "virtual", "--duration", "1.5", "--scroll", script, "--record", path],
        on: folder)
      try FileManager.default.removeItem(atPath: script)
      #expect(try lines(path).count { $0.hasPrefix(#"{"file""#) } == 65)
      let again = try replay(path)
      #expect(again.replay.digestMatches == true && again.complaints.isEmpty, "\(again)")
      #expect(again.replay.filesMissing == 0 && again.figures.frameDigest == first.figures.frameDigest)
      try FileManager.default.removeItem(atPath: folder.path(of: "photo 3.jpg"))
      try FileManager.default.removeItem(atPath: folder.path(of: "photo 7.jpg"))
      try folder.write(try PictureMaker().gradient(8), to: "photo 9.jpg")
      let less = try replay(path)
      #expect(less.replay.filesMissing == 2 && less.replay.filesChanged == 1 && less.replay.digestMatches == nil)
      #expect(less.figures.library.items == 65 && less.figures.library.failed == 4)
      #expect(less.complaints.contains("missing, shown as placeholders: 2, the first "), "\(less.complaints)")
      #expect(less.complaints.contains("photo 3.jpg") && less.complaints.contains("shown as they are now: 1"))
    }

    @Test("Examples are recorded and run again too, each by itself")
    func example() throws {
      let output = try TemporaryFolder()
      let path = output.path(of: "run.jsonl")
      let demo = ["--demo", "outline", "--report", "-"]
      let first = try VitrineRun.end(
        demo + [
          "--headless", "--size", "480x400", "--clock", "virtual", "--scroll", "flick:2000", "--duration", "0.1",
          "--overlay", "4", "--record", path,
        ])
      try #require(first.status == 0 && first.complaints.isEmpty, "\(first)")
      let again = try VitrineRun.end(demo + ["--replay", path])
      try #require(again.status == 0 && again.complaints.isEmpty, "\(again)")
      #expect(try JSONDecoder().decode(Report.self, from: Data(again.output)).replay.digestMatches == true)
      let gallery = try VitrineRun.end(["--replay", path])
      #expect(gallery.status == 2 && gallery.complaints.contains("one of vitrine is accepted"), "\(gallery)")
    }

    @Test("What is no recording is refused in a line, and nothing is written")
    func refused() throws {
      let output = try TemporaryFolder()
      try output.write(Array("{}\n".utf8), to: "none.jsonl")
      try output.write(Array("kept".utf8), to: "kept")
      for name in ["none.jsonl", "absent", "."] {
        let end = try VitrineRun.end(
          ["--replay", output.path(of: name), "--report", output.path(of: "kept")])
        #expect(end.status == 2 && end.complaintLines.count == 1, "\(end)")
        #expect(end.complaints.contains("--replay \(output.path(of: name))"))
      }
      #expect(try String(contentsOfFile: output.path(of: "kept"), encoding: .utf8) == "kept")
      #expect(try FileManager.default.contentsOfDirectory(atPath: output.path).sorted() == ["kept", "none.jsonl"])
    }

    @Test(
      "A window under a hand: two replays without a window are equal",
      .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func window() throws {
      let output = try TemporaryFolder()
      let path = output.path(of: "run.jsonl")
      let gallery = try GalleryWindow(["--size", "640x480", "--record", path])
      try gallery.act("key", "Down", "Down", "Page_Down")
      try gallery.act("click", "4")
      try gallery.server.xdotool("key", "ctrl+q")
      let end = try gallery.run.end()
      #expect(end.status == 0, "\(end)")
      let replays = try (0..<2).map { _ in try replay(path, ["--no-cache"]) }
      #expect(replays[0].figures.frameDigest != nil && replays[0].figures.frames.count > 5)
      #expect(replays[0].figures.frameDigest == replays[1].figures.frameDigest)
      #expect(replays[0].replay.events >= 8 && replays[0].replay.digestMatches == nil)
      #expect(["timer", "vsync"].contains(replays[0].replay.recordedClock))
      #expect(replays[0].figures.library.items == ShownItems.count && replays[0].complaints.isEmpty)
      // Its photographs are those that were replayed.
      withExtendedLifetime(gallery) {}
    }

    @Test("A signal amid a run leaves a whole recording")
    func interrupted() throws {
      let output = try TemporaryFolder()
      let path = output.path(of: "run.jsonl")
      let run = try VitrineRun(
        VitrineRun.smallWindow + [
          "--synthetic", "1000", "--headless", "--scroll", "steady:500", "--duration", "1000", "--record", path,
        ])
      let look = ProcessLook(number: run.process.number)
      try run.process.wait(for: "the thread that waits for signals") {
        look.threadNames.contains("signals") ? () : nil
      }
      run.process.signal(SIGINT)
      #expect(try run.end().status == 130)
      #expect(try replay(path).replay.overridden.isEmpty)
    }
  }
}
