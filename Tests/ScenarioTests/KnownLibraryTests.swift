import Foundation
import Testing

extension Scenarios {
  @Suite("A library that was seen once is never blank again")
  struct KnownLibraryTests {
    static let slowly = ["--decode-delay", "200", "--scroll", "flick:4000", "--duration", "5"]

    /// Shows the whole of a library, so that previews of all of it are kept.
    static func see(_ folder: TemporaryFolder, keeping cache: TemporaryFolder) throws {
      let report = try VitrineRun.report(
        VitrineRun.smallWindow
          + ["--clock", "virtual", "--cache-dir", cache.path, "--scroll", "steady:400", "--duration", "12"], on: folder)
      #expect(report.figures.images.decoded >= 143)
    }

    @Test("With slow decodes and a flick every cell shows at least its preview in every frame, as many late as without")
    func flick() throws {
      let (folder, cache) = (try DigestTests.library(), try TemporaryFolder())
      // With cells that cost something, so that frames could be late.
      let options = VitrineRun.smallWindow + ["--clock", "virtual", "--cell-cost", "2"] + Self.slowly
      let unknown = try VitrineRun.report(options, on: folder)
      #expect(try #require(unknown.figures.images.blankCellMs) > 1_000)
      try Self.see(folder, keeping: cache)
      let known = try VitrineRun.report(options + ["--cache-dir", cache.path], on: folder)
      #expect(try #require(known.figures.images.placeholderCellMs) > 1_000)
      #expect(known.figures.images.blankCellMs == 0)
      #expect(known.figures.images.decodedOnRenderThread == 0)
      #expect(try #require(known.figures.hitches).count == #require(unknown.figures.hitches).count)
      // What is kept is the same now, and so is what is shown.
      let again = try VitrineRun.report(options + ["--cache-dir", cache.path], on: folder)
      #expect(again.figures.frameDigest == known.figures.frameDigest)
      #expect(known.figures.frameDigest != unknown.figures.frameDigest)
    }

    @Test("A simulation keeps and reads nothing unless it is told where, and nobody does with --no-cache")
    func unasked() throws {
      let (folder, home) = (try DigestTests.library(count: 4), try TemporaryFolder())
      for options in [["--clock", "virtual"], ["--clock", "cpu"], ["--no-cache"]] {
        let run = try VitrineRun(["--headless", "--duration", "0.5"] + options, on: folder, home: home)
        #expect(try run.end().status == 0)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.path) == [])
      }
      let run = try VitrineRun(["--headless", "--duration", "2"], on: folder, home: home)
      #expect(try run.end().status == 0)
      let kept = try FileManager.default.subpathsOfDirectory(atPath: home.path).sorted()
      #expect(
        kept.filter { !$0.hasPrefix(".cache/vitrine/thumbnails-1/") } == [
          ".cache", ".cache/vitrine", ".cache/vitrine/previews-1.log", ".cache/vitrine/thumbnails-1",
        ])
    }
  }
}
