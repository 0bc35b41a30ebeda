import Glibc
import Testing

extension Scenarios {
  @Suite("Pictures without files are painted in memory, by number and seed")
  struct SyntheticTests {
    static let virtual = VitrineRun.smallWindow + ["--clock", "virtual", "--scroll", "jump", "--duration", "1.2"]

    @Test("A million are there from the third frame on, nothing kept for any of them")
    func million() throws {
      let report = try VitrineRun.report(
        VitrineRun.smallWindow
          + ["--synthetic", "1000000", "--group", "month", "--clock", "virtual", "--frames", "3"])
      #expect(report.figures.library.items == 1_000_000 && report.figures.library.failed == 0)
      #expect((479...482).contains(report.figures.library.sections))
      #expect(report.figures.memory.catalogueBytesPerItem == 0)
      #expect(report.figures.memory.residentPeakBytes < 300 << 20)
    }

    @Test("Equal runs show equal frames, on one core too; another seed shows others")
    func digests() throws {
      func digest(_ options: [String] = [], wrapper: [String] = []) throws -> String {
        let report = try VitrineRun.report(["--synthetic", "100000"] + Self.virtual + options, wrapper: wrapper)
        #expect(report.figures.library.items == 100_000)
        #expect(report.figures.images.decoded > 50 && report.figures.images.failed == 0)
        return try #require(report.figures.frameDigest)
      }
      let plain = try digest()
      #expect(try digest(["--workers", "2"]) == plain)
      #expect(try digest(wrapper: BuiltProgram.tool("taskset").map { [$0, "-c", "0"] } ?? []) == plain)
      #expect(try digest(["--seed", "2"]) != plain)
    }

    @Test("Every layout by months, twice", arguments: ["grid", "justified", "mosaic", "list"])
    func layouts(layout: String) throws {
      let options = [
        "--headless", "--size", "420x320", "--clock", "virtual", "--duration", "1.2", "--scroll", "jump",
        "--layout", layout, "--group", "month", "--synthetic", "20000",
      ]
      let first = try VitrineRun.report(options)
      #expect(first.figures.library.items == 20_000)
      #expect((400...482).contains(first.figures.library.sections))
      #expect(first.figures.images.decoded > 20 && first.figures.images.failed == 0)
      #expect(try VitrineRun.report(options).figures.frameDigest == first.figures.frameDigest)
    }

    @Test("They are painted on threads of the program, not on the one that draws, and no process is started")
    func processes() throws {
      let run = try VitrineRun(["--headless", "--synthetic", "30000", "--report", "-"] + VitrineRun.smallWindow)
      _ = try run.waitForRest()
      let look = ProcessLook(number: run.process.number)
      #expect(look.children.isEmpty)
      #expect(look.threadNames.contains { $0.hasPrefix("decode") })
      run.process.signal(SIGTERM)
      let figures = try RunFigures(run.end().output).figures
      #expect(figures.images.decoded > 20 && figures.images.failed == 0)
      #expect(figures.images.decodedOnRenderThread == 0)
      #expect(figures.library.items == 30_000)
      #expect(figures.launch.firstFullScreenMs != nil)
    }
  }
}
