import Foundation
import Testing
import VitrinePhotoLibrary
import VitrineTestSupport

extension Scenarios {
  @Suite("A signal ends the program in an orderly way")
  struct InterruptTests {
    private func library() throws -> TemporaryFolder { try TemporaryFolder.photoLibrary(count: 40) }

    @Test("A signal during a run writes the report and leaves no process behind", arguments: [SIGINT, SIGTERM, SIGHUP])
    func duringRun(signal: Int32) throws {
      let folder = try library()
      let output = try TemporaryFolder()
      let run = try VitrineRun(
        ["--headless", "--scroll", "steady:500", "--report", output.path(of: "report.json")], on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      // The signal thread is running, and decoding has started.
      let decoders = try run.process.wait(for: "decoding processes") {
        let children = inspector.children
        return inspector.threadNames.contains("signals") && !children.isEmpty ? children : nil
      }
      run.process.signal(signal)
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)")
      let report = try RunFigures(Array(Data(contentsOf: URL(fileURLWithPath: output.path(of: "report.json")))))
      #expect(report.figures.display.clock == "timer")
      #expect(try FileManager.default.contentsOfDirectory(atPath: output.path) == ["report.json"])
      try Deadline().wait(for: "the exit of the decoding processes") {
        decoders.contains { ProcessInspector(processID: $0).isAlive } ? nil : ()
      }
    }

    @Test("A signal before the first frame is not lost")
    func beforeFirstFrame() throws {
      let folder = try library()
      let run = try VitrineRun(["--headless", "--report", "-"], on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      // Signals are blocked first of all: from then on none is lost, and none kills the program.
      try run.process.wait(for: "the blocking of signals") { inspector.blocks(SIGINT) ? () : nil }
      run.process.signal(SIGINT)
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)")
      #expect(try RunFigures(result.output).figures.schema == 1)
    }

    @Test("A signal ends a simulated run during its virtual time")
    func virtualClock() throws {
      let folder = try library()
      let run = try VitrineRun(
        ["--headless", "--clock", "virtual", "--scroll", "jump", "--duration", "100000", "--report", "-"], on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "decoding processes") {
        inspector.threadNames.contains("signals") && !inspector.children.isEmpty ? () : nil
      }
      run.process.signal(SIGINT)
      let result = try run.waitForExit()
      #expect(result.status == 130, "\(result)")
      #expect(try RunFigures(result.output).figures.frames.trackedSeconds < 100_000)
    }

    @Test("A signal ends the verdicts after a complete line, in order")
    func verdicts() throws {
      let folder = try TemporaryFolder()
      try folder.write(try PictureMaker().gradient(1, width: 640, height: 480), to: "0.jpg")
      for number in 1..<3_000 { try folder.hardLink("\(number).jpg", to: "0.jpg") }
      let output = try TemporaryFolder()
      let run = try VitrineRun(["--verdicts", output.path(of: "verdicts.tsv")], on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "decoding processes") { inspector.children.isEmpty ? nil : () }
      run.process.signal(SIGTERM)
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)")
      let table = try VerdictTable(Array(Data(contentsOf: URL(fileURLWithPath: output.path(of: "verdicts.tsv")))))
      #expect(table.lines.count < 3_000)
      for (number, line) in table.lines.enumerated() { #expect(line.path.label == "\(number).jpg") }
    }

    @Test(
      "A signal leaves verdicts of an earlier run as they are, and no other file",
      arguments: [SIGINT, SIGTERM, SIGKILL])
    func earlierVerdicts(signal: Int32) throws {
      let folder = try TemporaryFolder()
      try folder.write(try PictureMaker().gradient(1, width: 640, height: 480), to: "0.jpg")
      for number in 1..<3_000 { try folder.hardLink("\(number).jpg", to: "0.jpg") }
      let output = try TemporaryFolder()
      try output.write(Array("earlier".utf8), to: "verdicts.tsv")
      let run = try VitrineRun(["--verdicts", output.path(of: "verdicts.tsv")], on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "decoding processes") { inspector.children.isEmpty ? nil : () }
      run.process.signal(signal)
      let result = try run.waitForExit()
      if signal != SIGKILL {
        #expect(result.status == 130 && result.errorOutput.contains("the file that was there remains"), "\(result)")
      }
      #expect(try String(contentsOfFile: output.path(of: "verdicts.tsv"), encoding: .utf8) == "earlier")
      #expect(try FileManager.default.contentsOfDirectory(atPath: output.path) == ["verdicts.tsv"])
    }

    static let generationOptions = [[], ["--clock", "virtual"], ["--no-cache"]]

    @Test("A signal during the generation of sample photographs writes the report", arguments: generationOptions)
    func sampleGeneration(options: [String]) throws {
      let run = try VitrineRun(["--sample", "5000", "--headless", "--report", "-"] + options)
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "image generation") {
        inspector.threadNames.isSuperset(of: ["signals", "sample-0"]) ? () : nil
      }
      run.process.signal(SIGINT)
      let result = try run.waitForExit()
      #expect(result.status == 130, "\(result)")
      // Only the progress of the generation.
      #expect(result.errorLines.count == 1 && result.errorOutput.contains(" of 5000"), "\(result)")
      let figures = try RunFigures(result.output).figures
      #expect(figures.frames.count == 0 && figures.library.items == 0)
    }

    @Test("A signal during the generation of sample photographs leaves the verdicts empty")
    func sampleGenerationForVerdicts() throws {
      let output = try TemporaryFolder()
      let run = try VitrineRun(["--sample", "5000", "--verdicts", output.path(of: "verdicts.tsv")])
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "image generation") {
        inspector.threadNames.isSuperset(of: ["signals", "sample-0"]) ? () : nil
      }
      run.process.signal(SIGINT)
      #expect(try run.waitForExit().status == 130)
      #expect(try Data(contentsOf: URL(fileURLWithPath: output.path(of: "verdicts.tsv"))).isEmpty)
    }

    @Test("Two simultaneous signals count as one, and the report is written")
    func simultaneousSignals() throws {
      let folder = try library()
      let run = try VitrineRun(["--headless", "--report", "-"], on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "the thread that waits for signals") {
        inspector.threadNames.contains("signals") ? () : nil
      }
      // Both are pending when the process continues.
      for signal in [SIGSTOP, SIGINT, SIGTERM, SIGCONT] { run.process.signal(signal) }
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)")
      #expect(try RunFigures(result.output).figures.schema == 1)
    }

    @Test("A second signal immediately ends a program that cannot finish its report", arguments: [SIGINT, SIGTERM])
    func secondSignal(signal: Int32) throws {
      let folder = try library()
      let output = try TemporaryFolder()
      let pipe = try output.makeFullFIFO("unread")
      defer { close(pipe) }
      let run = try VitrineRun(["--headless", "--report", output.path(of: "unread")], on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      let decoders = try run.process.wait(for: "decoding processes") {
        inspector.children.isEmpty ? nil : inspector.children
      }
      run.process.signal(signal)
      // The first signal is handled: the program is writing, and blocks until the FIFO is read.
      try run.process.wait(for: "the report") { inspector.hasOpen("unread") ? () : nil }
      // A signal within half a second of the first counts as the same: one is sent per iteration until the program
      // exits.
      try Deadline().wait(for: "the exit by a second signal") {
        run.process.signal(signal)
        return run.process.isRunning ? nil : ()
      }
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)")
      try Deadline().wait(for: "the exit of the decoding processes") {
        decoders.contains { ProcessInspector(processID: $0).isAlive } ? nil : ()
      }
    }

    @Test("Killing the program also ends its decoding processes")
    func killed() throws {
      let folder = try library()
      let run = try VitrineRun(["--headless", "--scroll", "steady:500"], on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      let decoders = try run.process.wait(for: "decoding processes") {
        let children = inspector.children
        return children.isEmpty ? nil : children
      }
      run.process.signal(SIGKILL)
      #expect(try run.waitForExit().signal == SIGKILL)
      try Deadline().wait(for: "the exit of the decoding processes") {
        decoders.contains { ProcessInspector(processID: $0).isAlive } ? nil : ()
      }
    }
  }
}
