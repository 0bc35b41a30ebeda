import Foundation
import PhotoLibrary
import TestSupport
import Testing

extension Scenarios {
  @Suite("A signal ends the program in order")
  struct InterruptTests {
    private func library() throws -> TemporaryFolder { try DigestTests.library(count: 40) }

    @Test("Amid a run the report is still written, and no process is left", arguments: [SIGINT, SIGTERM, SIGHUP])
    func amidARun(signal: Int32) throws {
      let folder = try library()
      let output = try TemporaryFolder()
      let run = try VitrineRun(
        ["--headless", "--scroll", "steady:500", "--report", output.path(of: "report.json")], on: folder)
      let look = ProcessLook(number: run.process.number)
      // The thread that waits for signals stands, and decoding has begun.
      let decoders = try run.process.wait(for: "decoding processes") {
        let children = look.children
        return look.threadNames.contains("signals") && !children.isEmpty ? children : nil
      }
      run.process.signal(signal)
      let end = try run.end()
      #expect(end.status == 130 && end.complaints.isEmpty, "\(end)")
      let report = try RunFigures(Array(Data(contentsOf: URL(fileURLWithPath: output.path(of: "report.json")))))
      #expect(report.figures.display.clock == "timer")
      #expect(try FileManager.default.contentsOfDirectory(atPath: output.path) == ["report.json"])
      try Deadline().wait(for: "the end of the decoding processes") {
        decoders.contains { ProcessLook(number: $0).isAlive } ? nil : ()
      }
    }

    @Test("A signal that comes before the first frame counts")
    func early() throws {
      let folder = try library()
      let run = try VitrineRun(["--headless", "--report", "-"], on: folder)
      let look = ProcessLook(number: run.process.number)
      // Signals are blocked first of all: from then on none is lost, and none kills.
      try run.process.wait(for: "the blocking of signals") { look.blocks(SIGINT) ? () : nil }
      run.process.signal(SIGINT)
      let end = try run.end()
      #expect(end.status == 130 && end.complaints.isEmpty, "\(end)")
      #expect(try RunFigures(end.output).figures.schema == 1)
    }

    @Test("A simulated run ends amid its virtual seconds")
    func simulated() throws {
      let folder = try library()
      let run = try VitrineRun(
        ["--headless", "--clock", "virtual", "--scroll", "jump", "--duration", "100000", "--report", "-"], on: folder)
      let look = ProcessLook(number: run.process.number)
      try run.process.wait(for: "decoding processes") {
        look.threadNames.contains("signals") && !look.children.isEmpty ? () : nil
      }
      run.process.signal(SIGINT)
      let end = try run.end()
      #expect(end.status == 130, "\(end)")
      #expect(try RunFigures(end.output).figures.frames.trackedSeconds < 100_000)
    }

    @Test("Verdicts end with the lines that are there, each whole and in order")
    func verdicts() throws {
      let folder = try TemporaryFolder()
      try folder.write(try PictureMaker().gradient(1, width: 640, height: 480), to: "0.jpg")
      for number in 1..<3_000 { try folder.hardLink("\(number).jpg", to: "0.jpg") }
      let output = try TemporaryFolder()
      let run = try VitrineRun(["--verdicts", output.path(of: "verdicts.tsv")], on: folder)
      let look = ProcessLook(number: run.process.number)
      try run.process.wait(for: "decoding processes") { look.children.isEmpty ? nil : () }
      run.process.signal(SIGTERM)
      let end = try run.end()
      #expect(end.status == 130 && end.complaints.isEmpty, "\(end)")
      let table = try VerdictTable(Array(Data(contentsOf: URL(fileURLWithPath: output.path(of: "verdicts.tsv")))))
      #expect(table.lines.count < 3_000)
      for (number, line) in table.lines.enumerated() { #expect(line.path.label == "\(number).jpg") }
    }

    static let paintings = [[], ["--clock", "virtual"], ["--no-cache"]]

    @Test("While sample photographs are painted the report is still written", arguments: paintings)
    func painting(options: [String]) throws {
      let run = try VitrineRun(["--sample", "5000", "--headless", "--report", "-"] + options)
      let look = ProcessLook(number: run.process.number)
      try run.process.wait(for: "painting") {
        look.threadNames.isSuperset(of: ["signals", "sample-0"]) ? () : nil
      }
      run.process.signal(SIGINT)
      let end = try run.end()
      #expect(end.status == 130, "\(end)")
      // Nothing but how far the painting was.
      #expect(end.complaintLines.count == 1 && end.complaints.contains(" of 5000"), "\(end)")
      let figures = try RunFigures(end.output).figures
      #expect(figures.frames.count == 0 && figures.library.items == 0)
    }

    @Test("Verdicts on sample photographs that are still painted are none")
    func paintingForVerdicts() throws {
      let output = try TemporaryFolder()
      let run = try VitrineRun(["--sample", "5000", "--verdicts", output.path(of: "verdicts.tsv")])
      let look = ProcessLook(number: run.process.number)
      try run.process.wait(for: "painting") {
        look.threadNames.isSuperset(of: ["signals", "sample-0"]) ? () : nil
      }
      run.process.signal(SIGINT)
      #expect(try run.end().status == 130)
      #expect(try Data(contentsOf: URL(fileURLWithPath: output.path(of: "verdicts.tsv"))).isEmpty)
    }

    @Test("Two signals at once are one wish: the report is still written")
    func twoAtOnce() throws {
      let folder = try library()
      let run = try VitrineRun(["--headless", "--report", "-"], on: folder)
      let look = ProcessLook(number: run.process.number)
      try run.process.wait(for: "the thread that waits for signals") {
        look.threadNames.contains("signals") ? () : nil
      }
      // Both wait for it when it goes on.
      for signal in [SIGSTOP, SIGINT, SIGTERM, SIGCONT] { run.process.signal(signal) }
      let end = try run.end()
      #expect(end.status == 130 && end.complaints.isEmpty, "\(end)")
      #expect(try RunFigures(end.output).figures.schema == 1)
    }

    @Test("A second signal ends a program at once that cannot finish its report", arguments: [SIGINT, SIGTERM])
    func second(signal: Int32) throws {
      let folder = try library()
      let output = try TemporaryFolder()
      let pipe = try output.makeFullFIFO("unread")
      defer { close(pipe) }
      let run = try VitrineRun(["--headless", "--report", output.path(of: "unread")], on: folder)
      let look = ProcessLook(number: run.process.number)
      let decoders = try run.process.wait(for: "decoding processes") { look.children.isEmpty ? nil : look.children }
      run.process.signal(signal)
      // The first one is heeded: it is writing, for as long as nobody reads.
      try run.process.wait(for: "the report") { look.hasOpen("unread") ? () : nil }
      // What comes within half a second of the first is part of it: one more a look, until one is not.
      try Deadline().wait(for: "the end by a second signal") {
        run.process.signal(signal)
        return run.process.isRunning ? nil : ()
      }
      let end = try run.end()
      #expect(end.status == 130 && end.complaints.isEmpty, "\(end)")
      try Deadline().wait(for: "the end of the decoding processes") {
        decoders.contains { ProcessLook(number: $0).isAlive } ? nil : ()
      }
    }

    @Test("When the program is killed its decoding processes end too")
    func killed() throws {
      let folder = try library()
      let run = try VitrineRun(["--headless", "--scroll", "steady:500"], on: folder)
      let look = ProcessLook(number: run.process.number)
      let decoders = try run.process.wait(for: "decoding processes") {
        let children = look.children
        return children.isEmpty ? nil : children
      }
      run.process.signal(SIGKILL)
      #expect(try run.end().signal == SIGKILL)
      try Deadline().wait(for: "the end of the decoding processes") {
        decoders.contains { ProcessLook(number: $0).isAlive } ? nil : ()
      }
    }
  }
}
