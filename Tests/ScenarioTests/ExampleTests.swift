import Foundation
import Glibc
import Testing
import VitrineTestSupport

extension Scenarios {
  @Suite(
    "The examples have the command line of the gallery",
    .enabled(if: BuiltProgram.hasExamples, "the package Examples is not built"))
  struct ExampleTests {
    @Test("The help of an example fits 80 columns and lists its options, and an error is one line with status 2")
    func options() throws {
      for name in ["destinations", "emoji", "outline"] {
        let help = try VitrineRun.run(["--demo", name, "--help"])
        #expect(help.status == 0 && help.text.hasPrefix("usage: vitrine-\(name) [options]\n"), "\(help)")
        for line in help.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        for option in ["--headless", "--overlay", "--theme", "--help"] { #expect(help.text.contains("  \(option)")) }
        let refused = try VitrineRun.run(["--demo", name, "a folder"])
        #expect(refused.status == 2 && refused.errorLines.count == 1, "\(refused)")
        #expect(refused.errorOutput.hasPrefix("vitrine-\(name): a folder: only options"), "\(refused)")
      }
    }

    @Test("The smallest grid shows a million numbers and accepts the common options")
    func smallest() throws {
      func run(_ arguments: String...) throws -> ProcessResult {
        try VitrineRun.run(arguments, wrapper: ["sh", "-c", "exec \"$(dirname \"$0\")/SmallestGrid\" \"$@\""])
      }
      let result = try run(
        "--headless", "--clock", "virtual", "--scroll", "jump", "--duration", "2", "--overlay", "4", "--report", "-")
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      #expect(result.text.contains("\"items\" : 1000000,") && result.text.contains("\"hitches\" : null,"), "\(result)")
      for word in ["--nonsense", "a folder"] {
        let refused = try run(word)
        #expect(refused.status == 2 && refused.errorLines.count == 1, "\(refused)")
        #expect(refused.errorOutput.hasPrefix("SmallestGrid: ") && refused.errorOutput.contains(word), "\(refused)")
      }
      let help = try run("--help")
      #expect(help.status == 0 && help.text.hasPrefix("usage: SmallestGrid [options]\n"), "\(help)")
    }

    // MARK: Destinations

    @Test("The story reports six steps as JSON, of which the first three decode on the render thread")
    func story() throws {
      struct StoryReport: Decodable {
        struct Step: Decodable {
          let step: Int
          let ratioMsPerS: Double
          let longestHitchMs: Double
          let placeholderCellMs: Double
          let decodedOnRenderThread: Int
        }

        let steps: [Step]
      }
      let folder = try TemporaryFolder()
      let maker = try PictureMaker()
      for number in 0..<6 { try folder.write(maker.gradient(number, width: 640, height: 427), to: "\(number).jpg") }
      let result = try VitrineRun.run([
        "--demo", "destinations", "--story", "--report", "-", "--pictures", folder.path, "--posts", "60", "--size",
        "480x360", "--scroll", "steady:1200", "--duration", "1.5",
      ])
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      let steps = try JSONDecoder().decode(StoryReport.self, from: Data(result.output)).steps
      #expect(steps.map(\.step) == Array(1...6))
      // The number of decoded images depends on the machine.
      #expect(steps[..<3].allSatisfy { $0.decodedOnRenderThread > 0 }, "\(result)")
      #expect(steps[3...].allSatisfy { $0.decodedOnRenderThread == 0 }, "\(result)")
      #expect(steps.allSatisfy { ($0.ratioMsPerS > 0) == ($0.longestHitchMs > 0) }, "\(result)")
      #expect(steps[5].placeholderCellMs < steps[4].placeholderCellMs, "\(result)")
    }

    @Test("Options of Destinations that are not valid are refused with the accepted values")
    func destinations() throws {
      for (arguments, named) in [
        (["--step", "7"], "from 1 to 6"), (["--server", "polite"], "usual, absent, slow, failing"),
        (["--pictures", "/absent"], "JPEG, PNG or WebP"), (["--story", "--screenshot", "s.png"], "--story"),
        (["--failures", "101"], "from 0 to 100"), (["--latency", "5001"], "from 0 to 5000"),
        (["--server", "slow", "--clock", "virtual"], "--server slow"),
      ] {
        let result = try VitrineRun.run(["--demo", "destinations", "--headless"] + arguments)
        #expect(result.status == 2 && result.errorLines.count == 1 && result.errorOutput.contains(named), "\(result)")
      }
    }

    @Test("Equal runs of Destinations on the virtual clock show equal frames, with a real server and real processes")
    func digests() throws {
      func digest() throws -> Substring {
        let result = try VitrineRun.run([
          "--demo", "destinations", "--headless", "--clock", "virtual", "--scroll", "steady:1500", "--duration", "1.5",
          "--size", "640x480", "--report", "-",
        ])
        #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
        return try #require(result.text.firstMatch(of: /"frameDigest" : "([0-9a-f]+)"/)).output.1
      }
      #expect(try digest() == digest())
    }

    @Test("An interrupt ends Destinations while its downloads are stalled, with the report and status 130")
    func interrupt() throws {
      let run = try VitrineRun([
        "--demo", "destinations", "--headless", "--server", "slow", "--report", "-", "--size", "640x480",
      ])
      let inspector = ProcessInspector(processID: run.process.id)
      var children: Set<Int32> = []
      try run.process.wait(for: "the program to download from its server") {
        // Idle decoding processes exit, possibly before the first download starts.
        children.formUnion(inspector.children)
        return inspector.isConnectedToItself ? () : nil
      }
      run.process.signal(SIGINT)
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.text.contains("\"placeholderCellMs\""), "\(result)")
      #expect(!inspector.isAlive)
      // They are killed with the program. On a busy machine the last of them exits a moment later.
      try Deadline().wait(for: "the decoding processes to be gone") {
        children.allSatisfy { !ProcessInspector(processID: $0).isAlive } ? () : nil
      }
    }

    @Test("An interrupt during image generation, before the first frame, ends the program without an error message")
    func interruptedGeneration() throws {
      for options in [["--clock", "virtual", "--step", "1"], ["--story"]] {
        let run = try VitrineRun(["--demo", "destinations", "--headless", "--size", "640x480"] + options)
        let inspector = ProcessInspector(processID: run.process.id)
        try run.process.wait(for: "image generation") { inspector.threadNames.contains("painter") ? () : nil }
        run.process.signal(SIGINT)
        let result = try run.waitForExit()
        #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)")
      }
    }

    @Test("Images that fail are counted, and the trace contains the decodes")
    func figures() throws {
      let folder = try TemporaryFolder()
      let result = try VitrineRun.run([
        "--demo", "destinations", "--headless", "--size", "640x480", "--clock", "virtual", "--duration", "1",
        "--failures", "50", "--report", "-", "--trace", folder.path(of: "trace.json"),
      ])
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      let failed = try #require(result.text.firstMatch(of: /"library" : {\s*"failed" : (\d+)/)).output.1
      #expect(try #require(Int(failed)) > 0, "\(result)")
      #expect(try String(contentsOfFile: folder.path(of: "trace.json"), encoding: .utf8).contains("\"decode 0\""))
    }
  }
}

// MARK: - The option --demo

extension Scenarios {
  @Suite(
    "--demo runs an example instead of the gallery",
    .enabled(if: BuiltProgram.hasExamples, "the package Examples is not built"))
  struct DemoTests {
    @Test("The example receives all other options, and its status and output are those of the run")
    func replaced() throws {
      let version = try VitrineRun.run(["--version", "--demo", "emoji"])
      #expect(version.status == 0 && version.text.hasPrefix("vitrine-emoji "), "\(version)")
      let refused = try VitrineRun.run(["--demo=emoji", "--nonsense"])
      #expect(refused.status == 2 && refused.errorOutput.hasPrefix("vitrine-emoji: unknown option --nonsense"))
      let report = try VitrineRun.run(
        ["--headless", "--clock", "virtual", "--demo", "emoji", "--frames", "3", "--report", "-"])
      #expect(report.status == 0 && report.errorOutput.isEmpty, "\(report)")
      #expect(report.text.contains("\"count\" : 3,") && report.text.contains("\"clock\" : \"virtual\""))
    }

    @Test("An unknown name is refused with the known names, and a missing name with the syntax")
    func unknown() throws {
      for (arguments, named) in [
        (["--demo", "teapot"], ["--demo teapot", "destinations, emoji, layouts, outline"]),
        (["--demo"], ["--demo NAME"]),
        (["--demo", "emoji", "--demo", "outline"], ["--demo", "twice"]),
        (["--report", "--demo", "emoji"], ["--report --demo", "that is an option"]),
      ] {
        let result = try VitrineRun.run(arguments)
        #expect(
          result.status == 2 && result.errorLines.count == 1 && result.errorOutput.hasPrefix("vitrine: "), "\(result)")
        for word in named { #expect(result.errorOutput.contains(word), "\(result)") }
      }
    }

    @Test("An example that is not next to the program is an error with status 2")
    func absent() throws {
      let folder = try TemporaryFolder()
      let copy = folder.path(of: "vitrine")
      let result = try VitrineRun.run(
        ["--demo", "outline"],
        wrapper: ["sh", "-c", "cp \"$0\" '\(copy)' && exec '\(copy)' \"$@\""])
      #expect(result.status == 2 && result.errorLines.count == 1, "\(result)")
      for word in ["--demo outline", "vitrine-outline", "not found next to"] {
        #expect(result.errorOutput.contains(word), "\(result)")
      }
    }
  }
}

// MARK: - Emoji

extension Scenarios {
  @Suite(
    "The emoji example runs headless and counts its operations",
    .enabled(if: BuiltProgram.hasExamples, "the package Examples is not built"))
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
      let common = ["--demo", "emoji", "--headless", "--size", "400x320", "--report", "-"]
      let result = try VitrineRun.run(common + options)
      try #require(result.status == 0, "\(result)")
      return try JSONDecoder().decode(Report.self, from: Data(result.output))
    }

    @Test("Equal runs on the virtual clock show equal frames, and a scripted run ends by itself")
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
      // One iteration of the script.
      #expect(first.frames.trackedSeconds > 9.9 && first.frames.trackedSeconds <= 10.1)
      let counts = first.operations
      #expect(counts.started == counts.completed + counts.cancelled + counts.running)
      #expect(counts.completed == counts.shown + counts.ahead + counts.wasted)
      #expect(counts.started > 200 && counts.cancelled > 50 && counts.shown > 20 && counts.waitingCellMs > 0)
    }

    @Test("The log writes prefetching and its cancellation to standard error, and the report stays valid JSON")
    func log() throws {
      let options = ["--demo", "emoji", "--headless", "--size", "400x320", "--clock", "virtual", "--report", "-"]
      let result = try VitrineRun.run(options + ["--log", "--scroll", "jump", "--duration", "1"])
      try #require(result.status == 0, "\(result)")
      #expect(
        result.errorOutput.hasPrefix("Prefetch: [[0, ") && result.errorOutput.contains("\nCancel prefetch: [[0, "))
      _ = try JSONDecoder().decode(Report.self, from: Data(result.output))
      let silent = try VitrineRun.run(options + ["--duration", "1"])
      #expect(!silent.errorOutput.contains("refetch"), "\(silent)")
    }

    @Test("A signal while the example loads ends it immediately, with its report", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
      let run = try VitrineRun(["--demo", "emoji", "--headless", "--report", "-", "--duration", "3600"])
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "the threads that load") {
        inspector.threadNames.contains("signals") && inspector.threadNames.contains("load 0") ? () : nil
      }
      run.process.signal(signal)
      let result = try run.waitForExit()
      #expect(result.status == 130, "\(result)")
      let counts = try JSONDecoder().decode(Report.self, from: Data(result.output)).operations
      #expect(counts.started == counts.completed + counts.cancelled + counts.running)
    }

    @Test(
      "Invalid options are refused with one line",
      arguments: [
        (["--step", "5"], "1 to 4"), (["--operations", "0"], "1 to 256"), (["--items", "-1"], "0 to 10000000"),
        (["--theme", "pink"], "dark, light"), (["somewhere"], "only options"),
      ])
    func badInput(arguments: [String], accepted: String) throws {
      let result = try VitrineRun.run(["--demo", "emoji"] + arguments)
      #expect(
        result.status == 2 && result.errorLines.count == 1 && result.errorOutput.hasPrefix("vitrine-emoji: "),
        "\(result)")
      #expect(result.errorOutput.contains(accepted), "\(result)")
    }
  }
}
