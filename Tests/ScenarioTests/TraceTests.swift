import Foundation
import TestSupport
import Testing

extension Scenarios {
  @Suite("A trace shows every frame of a run, and where each decode ran")
  struct TraceTests {
    /// What the checker does not tell: who decoded.
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
      "Frames, hitches and decodes are those of the report, and no decode ran on the thread that draws",
      arguments: ["virtual", "timer"])
    func agrees(clock: String) throws {
      let folder = try DigestTests.library()
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
      // A second and a half: five megabytes would be ten.
      #expect(file.count <= 750_000)
      let events = try JSONDecoder().decode(Trace.self, from: file).traceEvents
      let decodes = events.filter { $0.ph == "X" && $0.args?.onRenderThread != nil }
      #expect(decodes.allSatisfy { $0.args?.onRenderThread == false && $0.args?.process != nil })
      #expect(Set(decodes.map(\.tid)).isSubset(of: [10, 11, 12, 13]))
      #expect(Set(decodes.compactMap { $0.args?.process }).count >= 2)
    }

    @Test("A signal has the last seconds written amid a run, and the run goes on")
    func asked() throws {
      let folder = try DigestTests.library(count: 40)
      let output = try TemporaryFolder()
      let run = try VitrineRun(
        VitrineRun.smallWindow + [
          "--headless", "--scroll", "flick:3000", "--trace", output.path(of: "trace.json"), "--report", "-",
        ], on: folder)
      let look = ProcessLook(number: run.process.number)
      try run.process.wait(for: "decoding") {
        look.threadNames.contains("signals") && !look.children.isEmpty ? () : nil
      }
      // Whoever asks by the program's name asks its decoding processes too, and loses none of them.
      let decoders = look.children
      #expect(decoders.allSatisfy { ProcessLook(number: $0).blocks(SIGUSR1) })
      for process in [run.process.number] + decoders { kill(process, SIGUSR1) }
      let early = output.path(of: "trace-usr1-1.json")
      try run.process.wait(for: "the trace") { FileManager.default.fileExists(atPath: early) ? () : nil }
      run.process.signal(SIGINT)
      let end = try run.end()
      #expect(end.status == 130 && end.complaintLines.count == 1 && end.complaints.contains(early), "\(end)")
      let checkers = try ["trace-usr1-1.json", "trace.json"].map { try TraceChecker(bytes($0, in: output)) }
      #expect(checkers.allSatisfy { $0.faults == [] }, "\(checkers.map(\.faults))")
      #expect(checkers[0].frames > 0 && checkers[0].frames <= checkers[1].frames)
      #expect(checkers[1].frames == (try RunFigures(end.output)).figures.frames.count)
    }

    @Test("Without a trace's file a signal is answered in the state folder, or told how to ask")
    func nowhere() throws {
      let folder = try DigestTests.library(count: 10)
      let home = try TemporaryFolder()
      let run = try VitrineRun(["--headless"] + VitrineRun.smallWindow, on: folder, home: home)
      let look = ProcessLook(number: run.process.number)
      try run.process.wait(for: "signals") { look.threadNames.contains("signals") ? () : nil }
      run.process.signal(SIGUSR1)
      let state = home.path(of: ".local/state/vitrine")
      let name = "vitrine-trace-\(run.process.number)-1.json"
      try run.process.wait(for: "the trace") {
        FileManager.default.fileExists(atPath: state + "/" + name) ? () : nil
      }
      run.process.signal(SIGINT)
      let end = try run.end()
      #expect(end.status == 130 && end.complaints.contains(state + "/" + name), "\(end)")
      let checker = try TraceChecker(Data(contentsOf: URL(fileURLWithPath: state + "/" + name)))
      #expect(checker.faults == [] && checker.frames > 0 && checker.decodes == 0)

      let other = try VitrineRun(["--headless", "--no-cache", "--frames", "30"] + VitrineRun.smallWindow, on: folder)
      let otherLook = ProcessLook(number: other.process.number)
      // Blocked first of all: from then on it is not lost, and kills nobody.
      try other.process.wait(for: "the blocking of signals") { otherLook.blocks(SIGUSR1) ? () : nil }
      other.process.signal(SIGUSR1)
      let otherEnd = try other.end()
      #expect(otherEnd.status == 0 && otherEnd.complaints.contains("--trace FILE"), "\(otherEnd)")
    }
  }
}
