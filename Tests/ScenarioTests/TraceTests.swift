import Foundation
import Testing
import VitrineTestSupport

extension Scenarios {
  @Suite("A trace contains every frame of a run and the process of each decode")
  struct TraceTests {
    /// The arguments of decodes, which `TraceChecker` does not check.
    private struct Trace: Decodable {
      struct Event: Decodable {
        struct Arguments: Decodable {
          var process: Int?
          var onRenderThread: Bool?

          private enum CodingKeys: String, CodingKey {
            case process
            case onRenderThread = "on_render_thread"
          }
        }

        var ph: String
        var tid: Int
        var args: Arguments?
      }

      var traceEvents: [Event]
    }

    private func bytes(_ name: String, in folder: TemporaryFolder) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name)))
    }

    @Test(
      "Frames, hitches and decodes match the report, and no decode ran on the render thread",
      arguments: ["virtual", "timer"])
    func matchesReport(clock: String) throws {
      let folder = try TemporaryFolder.photoLibrary()
      let output = try TemporaryFolder()
      let report = try VitrineRun.report(
        VitrineRun.smallWindow + [
          "--clock", clock, "--scroll", "flick:8000", "--frames", "90", "--workers", "2", "--cell-cost", "3",
          "--trace", output.path(of: "trace.json"),
        ], on: folder)
      let file = try bytes("trace.json", in: output)
      let checker = try TraceChecker(file)
      #expect(checker.faults == [])
      let figures = report.figures
      #expect(checker.frames == figures.frames.count && figures.images.decoded > 20)
      #expect(checker.hitches == figures.hitches?.byClass.filter { $0.value > 0 })
      #expect(checker.flows <= figures.images.uploads)
      #expect(checker.counters.keys.contains("decode queue"))
      if clock == "virtual" { #expect(checker.decodes == figures.images.decoded && checker.flows > 10) }
      #expect(checker.decodes >= figures.images.decoded)
      // A run of 1.5 seconds. The limit is 5 megabytes for ten seconds.
      #expect(file.count <= 750_000)
      let events = try JSONDecoder().decode(Trace.self, from: file).traceEvents
      let decodes = events.filter { $0.ph == "X" && $0.args?.onRenderThread != nil }
      #expect(decodes.allSatisfy { $0.args?.onRenderThread == false && $0.args?.process != nil })
      #expect(Set(decodes.map(\.tid)).isSubset(of: [10, 11, 12, 13]))
      #expect(Set(decodes.compactMap { $0.args?.process }).count >= 2)
    }

    @Test("A signal writes the trace of the last seconds, and the run continues")
    func signal() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 40)
      let output = try TemporaryFolder()
      let run = try VitrineRun(
        VitrineRun.smallWindow + [
          "--headless", "--scroll", "flick:3000", "--trace", output.path(of: "trace.json"), "--report", "-",
        ], on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "decoding") {
        inspector.threadNames.contains("signals") && !inspector.children.isEmpty ? () : nil
      }
      // A signal to all processes of the program's name reaches the decoding processes too. It must not end them.
      let decoders = inspector.children
      // One that has ended meanwhile blocks nothing.
      let inspectors = decoders.map { ProcessInspector(processID: $0) }
      #expect(inspectors.allSatisfy { $0.blocks(SIGUSR1) || !$0.isAlive })
      for process in [run.process.id] + decoders { kill(process, SIGUSR1) }
      let early = output.path(of: "trace-usr1-1.json")
      try run.process.wait(for: "the trace") { FileManager.default.fileExists(atPath: early) ? () : nil }
      run.process.signal(SIGINT)
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorLines.count == 1 && result.errorOutput.contains(early), "\(result)")
      let checkers = try ["trace-usr1-1.json", "trace.json"].map { try TraceChecker(bytes($0, in: output)) }
      #expect(checkers.allSatisfy { $0.faults == [] }, "\(checkers.map(\.faults))")
      #expect(checkers[0].frames > 0 && checkers[0].frames <= checkers[1].frames)
      #expect(checkers[1].frames == (try RunFigures(result.output)).figures.frames.count)
    }

    @Test("Without a trace file a signal writes the trace to the state folder, or prints how to request one")
    func withoutTraceFile() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 10)
      let home = try TemporaryFolder()
      let run = try VitrineRun(["--headless"] + VitrineRun.smallWindow, on: folder, home: home)
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "signals") { inspector.threadNames.contains("signals") ? () : nil }
      run.process.signal(SIGUSR1)
      let state = home.path(of: ".local/state/vitrine")
      let name = "vitrine-trace-\(run.process.id)-1.json"
      try run.process.wait(for: "the trace") {
        FileManager.default.fileExists(atPath: state + "/" + name) ? () : nil
      }
      run.process.signal(SIGINT)
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.contains(state + "/" + name), "\(result)")
      let checker = try TraceChecker(Data(contentsOf: URL(fileURLWithPath: state + "/" + name)))
      #expect(checker.faults == [] && checker.frames > 0 && checker.decodes == 0)

      let other = try VitrineRun(["--headless", "--no-cache", "--frames", "30"] + VitrineRun.smallWindow, on: folder)
      let otherInspector = ProcessInspector(processID: other.process.id)
      // The signal is blocked first of all: from then on it is not lost and does not kill the program.
      try other.process.wait(for: "the blocking of signals") { otherInspector.blocks(SIGUSR1) ? () : nil }
      other.process.signal(SIGUSR1)
      let otherEnd = try other.waitForExit()
      #expect(otherEnd.status == 0 && otherEnd.errorOutput.contains("--trace FILE"), "\(otherEnd)")
    }
  }
}
