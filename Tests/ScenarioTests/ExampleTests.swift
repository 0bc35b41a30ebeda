import Foundation
import Glibc
import TestSupport
import Testing

extension Scenarios {
  @Suite("The examples are programs like the gallery")
  struct ExampleTests {
    @Test("Their help fits 80 columns, names what they can be told, and their mistakes are a line with status 2")
    func options() throws {
      for name in ["destinations", "emoji", "outline"] {
        let help = try VitrineRun.end(["--demo", name, "--help"])
        #expect(help.status == 0 && help.text.hasPrefix("usage: vitrine-\(name) [options]\n"), "\(help)")
        for line in help.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        for option in ["--headless", "--overlay", "--theme", "--help"] { #expect(help.text.contains("  \(option)")) }
        let refused = try VitrineRun.end(["--demo", name, "a folder"])
        #expect(refused.status == 2 && refused.complaintLines.count == 1, "\(refused)")
        #expect(refused.complaints.hasPrefix("vitrine-\(name): a folder: only options"), "\(refused)")
      }
    }

    @Test("The smallest grid shows a million numbers, with all that every program can be told")
    func smallest() throws {
      func run(_ words: String...) throws -> ProcessEnd {
        try VitrineRun.end(words, wrapper: ["sh", "-c", "exec \"$(dirname \"$0\")/SmallestGrid\" \"$@\""])
      }
      let end = try run(
        "--headless", "--clock", "virtual", "--scroll", "jump", "--duration", "2", "--overlay", "4", "--report", "-")
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      #expect(end.text.contains("\"items\" : 1000000,") && end.text.contains("\"hitches\" : null,"), "\(end)")
      for word in ["--nonsense", "a folder"] {
        let refused = try run(word)
        #expect(refused.status == 2 && refused.complaintLines.count == 1, "\(refused)")
        #expect(refused.complaints.hasPrefix("SmallestGrid: ") && refused.complaints.contains(word), "\(refused)")
      }
      let help = try run("--help")
      #expect(help.status == 0 && help.text.hasPrefix("usage: SmallestGrid [options]\n"), "\(help)")
    }

    @Test("The story is told to its end, six steps as JSON, of which the first three decode while drawing")
    func story() throws {
      struct Told: Decodable {
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
      let end = try VitrineRun.end([
        "--demo", "destinations", "--story", "--report", "-", "--pictures", folder.path, "--posts", "60", "--size",
        "480x360", "--scroll", "steady:1200", "--duration", "1.5",
      ])
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      let steps = try JSONDecoder().decode(Told.self, from: Data(end.output)).steps
      #expect(steps.map(\.step) == Array(1...6))
      // How many fit into the run depends on the machine.
      #expect(steps[..<3].allSatisfy { $0.decodedOnRenderThread > 0 }, "\(end)")
      #expect(steps[3...].allSatisfy { $0.decodedOnRenderThread == 0 }, "\(end)")
      #expect(steps.allSatisfy { ($0.ratioMsPerS > 0) == ($0.longestHitchMs > 0) }, "\(end)")
      #expect(steps[5].placeholderCellMs < steps[4].placeholderCellMs, "\(end)")
    }

    @Test("Destinations that cannot be shown are refused with what is accepted")
    func destinations() throws {
      for (words, named) in [
        (["--step", "7"], "from 1 to 6"), (["--server", "polite"], "usual, absent, slow, failing"),
        (["--pictures", "/absent"], "JPEG, PNG or WebP"), (["--story", "--screenshot", "s.png"], "--story"),
        (["--failures", "101"], "from 0 to 100"), (["--latency", "5001"], "from 0 to 5000"),
        (["--server", "slow", "--clock", "virtual"], "--server slow"),
      ] {
        let end = try VitrineRun.end(["--demo", "destinations", "--headless"] + words)
        #expect(end.status == 2 && end.complaintLines.count == 1 && end.complaints.contains(named), "\(end)")
      }
    }

    @Test("Equal runs of destinations on the virtual clock have equal frames, with a real server and real processes")
    func digests() throws {
      func digest() throws -> Substring {
        let end = try VitrineRun.end([
          "--demo", "destinations", "--headless", "--clock", "virtual", "--scroll", "steady:1500", "--duration", "1.5",
          "--size", "640x480", "--report", "-",
        ])
        #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
        return try #require(end.text.firstMatch(of: /"frameDigest" : "([0-9a-f]+)"/)).output.1
      }
      #expect(try digest() == digest())
    }

    @Test("An interrupt ends destinations whose downloads never end, with the report, and status 130")
    func interrupt() throws {
      let run = try VitrineRun([
        "--demo", "destinations", "--headless", "--server", "slow", "--report", "-", "--size", "640x480",
      ])
      let look = ProcessLook(number: run.process.number)
      var children: Set<Int32> = []
      try run.process.wait(for: "the program to download from its server") {
        // Those that nothing arrives for end while they rest, maybe before the first download begins.
        children.formUnion(look.children)
        return look.isConnectedToItself ? () : nil
      }
      run.process.signal(SIGINT)
      let end = try run.end()
      #expect(end.status == 130 && end.text.contains("\"placeholderCellMs\""), "\(end)")
      #expect(!look.isAlive)
      // They are killed with it; on a busy machine the last of them takes a moment to go.
      try Deadline().wait(for: "the decoding processes to be gone") {
        children.allSatisfy { !ProcessLook(number: $0).isAlive } ? () : nil
      }
    }

    @Test("An interrupt ends what is still painting before the first frame, at once and without a complaint")
    func interruptedPainting() throws {
      for words in [["--clock", "virtual", "--step", "1"], ["--story"]] {
        let run = try VitrineRun(["--demo", "destinations", "--headless", "--size", "640x480"] + words)
        let look = ProcessLook(number: run.process.number)
        try run.process.wait(for: "the program to paint") { look.threadNames.contains("painter") ? () : nil }
        run.process.signal(SIGINT)
        let end = try run.end()
        #expect(end.status == 130 && end.complaints.isEmpty, "\(end)")
      }
    }

    @Test("Pictures that fail are counted, and decodes are in the trace")
    func figures() throws {
      let folder = try TemporaryFolder()
      let end = try VitrineRun.end([
        "--demo", "destinations", "--headless", "--size", "640x480", "--clock", "virtual", "--duration", "1",
        "--failures", "50", "--report", "-", "--trace", folder.path(of: "trace.json"),
      ])
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      let failed = try #require(end.text.firstMatch(of: /"library" : {\s*"failed" : (\d+)/)).output.1
      #expect(try #require(Int(failed)) > 0, "\(end)")
      #expect(try String(contentsOfFile: folder.path(of: "trace.json"), encoding: .utf8).contains("\"decode 0\""))
    }
  }
}
