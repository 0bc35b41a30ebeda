import Foundation
import TestSupport
import Testing

extension Scenarios {
  @Suite("A trace shows every frame of a run, and where each decode ran")
  struct TraceTests {
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
        var name: String
        var tid: Int
        var args: Arguments?
      }

      var traceEvents: [Event]
    }

    @Test(
      "Frames and decodes are those of the report, and no decode ran on the thread that draws",
      arguments: ["virtual", "timer"])
    func agrees(clock: String) throws {
      let folder = try DigestTests.library()
      let output = try TemporaryFolder()
      let report = try VitrineRun.report(
        VitrineRun.smallWindow + [
          "--clock", clock, "--scroll", "flick:8000", "--frames", "90", "--workers", "2",
          "--trace", output.path(of: "trace.json"),
        ], on: folder)
      let file = try Data(contentsOf: URL(fileURLWithPath: output.path(of: "trace.json")))
      let events = try JSONDecoder().decode(Trace.self, from: file).traceEvents
      #expect(
        events.count { $0.tid == 1 && $0.ph == "X" && $0.name.hasPrefix("frame ") } == report.figures.frames.count)
      let decodes = events.filter { $0.tid >= 10 && $0.ph == "X" }
      #expect(decodes.count >= report.figures.images.decoded && report.figures.images.decoded > 20)
      #expect(decodes.allSatisfy { $0.args?.onRenderThread == false && $0.args?.process != nil })
      #expect(Set(decodes.map(\.tid)).isSubset(of: [10, 11, 12]))
      #expect(Set(decodes.compactMap { $0.args?.process }).count >= 2)
    }
  }
}
