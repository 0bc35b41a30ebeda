import Foundation
import Testing

extension Scenarios {
  @Suite("The emoji demo runs headless and counts its operations")
  struct EmojiDemoTests {
    private struct Report: Decodable {
      struct Operations: Decodable, Equatable {
        var started: Int
        var completed: Int
        var cancelled: Int
        var running: Int
        var shown: Int
        var ahead: Int
        var wasted: Int
        var waitingCellMs: Double
      }

      struct Frames: Decodable {
        var trackedSeconds: Double
      }

      var operations: Operations
      var frames: Frames
      var frameDigest: String?
    }

    private func report(_ options: [String]) throws -> Report {
      let words = ["--demo", "emoji", "--headless", "--size", "400x320", "--report", "-"]
      let end = try VitrineRun.end(words + options)
      try #require(end.status == 0, "\(end)")
      return try JSONDecoder().decode(Report.self, from: Data(end.output))
    }

    @Test("Equal commands on the virtual clock show equal frames; a run that scrolls ends by itself")
    func digests() throws {
      let options = ["--scroll", "mixed", "--clock", "virtual"]
      let first = try report(options)
      let digest = try #require(first.frameDigest)
      #expect(try report(options).frameDigest == digest)
      let short = ["--scroll", "jump", "--clock", "virtual", "--duration", "1.2"]
      let digests = try [[], ["--seed", "2"], ["--theme", "light"], ["--step", "2"]].map {
        try report(short + $0).frameDigest
      }
      #expect(Set(digests).count == 4)
      // One round of the script.
      #expect(first.frames.trackedSeconds > 9.9 && first.frames.trackedSeconds <= 10.1)
      let counts = first.operations
      #expect(counts.started == counts.completed + counts.cancelled + counts.running)
      #expect(counts.completed == counts.shown + counts.ahead + counts.wasted)
      #expect(counts.started > 200 && counts.cancelled > 50 && counts.shown > 20 && counts.waitingCellMs > 0)
    }

    @Test("The log tells on standard error what is loaded ahead and given up, and the report stays JSON")
    func log() throws {
      let words = ["--demo", "emoji", "--headless", "--size", "400x320", "--clock", "virtual", "--report", "-"]
      let end = try VitrineRun.end(words + ["--log", "--scroll", "jump", "--duration", "1"])
      try #require(end.status == 0, "\(end)")
      #expect(end.complaints.hasPrefix("Prefetch: [[0, ") && end.complaints.contains("\nCancel prefetch: [[0, "))
      _ = try JSONDecoder().decode(Report.self, from: Data(end.output))
      let silent = try VitrineRun.end(words + ["--duration", "1"])
      #expect(!silent.complaints.contains("refetch"), "\(silent)")
    }

    @Test("A signal amid loading ends the program at once, with its report", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
      let run = try VitrineRun(["--demo", "emoji", "--headless", "--report", "-", "--duration", "3600"])
      let look = ProcessLook(number: run.process.number)
      try run.process.wait(for: "the threads that load") {
        look.threadNames.contains("signals") && look.threadNames.contains("load 0") ? () : nil
      }
      run.process.signal(signal)
      let end = try run.end()
      #expect(end.status == 130, "\(end)")
      let counts = try JSONDecoder().decode(Report.self, from: Data(end.output)).operations
      #expect(counts.started == counts.completed + counts.cancelled + counts.running)
    }

    @Test(
      "What cannot be carried out is refused in a line",
      arguments: [
        (["--step", "5"], "1 to 4"), (["--operations", "0"], "1 to 256"), (["--items", "-1"], "0 to 10000000"),
        (["--theme", "pink"], "dark, light"), (["somewhere"], "only options"),
      ])
    func badInput(words: [String], accepted: String) throws {
      let end = try VitrineRun.end(["--demo", "emoji"] + words)
      #expect(end.status == 2 && end.complaintLines.count == 1 && end.complaints.hasPrefix("vitrine-emoji: "), "\(end)")
      #expect(end.complaints.contains(accepted), "\(end)")
    }
  }
}
