import Foundation
import Testing

extension Scenarios {
  @Suite("Thumbnails are kept from run to run, where they may be")
  struct KeptThumbnailsTests {
    /// Photographs that nobody has changed of late.
    private func library() throws -> TemporaryFolder {
      let folder = try DigestTests.library(count: 40)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: folder.path + "/" + name)
      }
      return folder
    }

    @Test("The second run decodes nothing, and the third shows in every frame what the second showed")
    func secondRun() throws {
      let folder = try library()
      let cache = try TemporaryFolder()
      let options =
        VitrineRun.smallWindow
        + ["--clock", "virtual", "--scroll", "steady:2000", "--duration", "2", "--cache-dir", cache.path]
      let first = try VitrineRun.report(options, on: folder).figures
      #expect(first.images.storeHits == 0 && first.images.decoded > 20)
      let second = try VitrineRun.report(options, on: folder).figures
      #expect(second.images.decoded == 0 && second.images.storeHits == first.images.decoded)
      #expect(second.images.storeWrites == 0 && second.images.failed == first.images.failed)
      // Not what the first showed: that had no previews yet.
      let third = try VitrineRun.report(options, on: folder).figures
      #expect(third.images.decoded == 0 && third.images.storeHits == second.images.storeHits)
      let digest = try #require(second.frameDigest)
      #expect(third.frameDigest == digest)
    }

    @Test(
      "Beside the report nothing is written but in the cache folder, and nothing at all where nothing is to be kept")
    func places() throws {
      let folder = try library()
      let home = try TemporaryFolder()
      let options = VitrineRun.smallWindow + ["--headless", "--frames", "60"]
      func written() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: home.path).filter { !$0.hasPrefix(".cache/mesa") }.sorted()
      }
      let runs = [["--no-cache"], ["--clock", "virtual"], ["--clock", "cpu"]].map { options + $0 }
      for quiet in runs + [["--headless", "--verdicts", "/dev/null"]] {
        let end = try VitrineRun(quiet, on: folder, home: home).end()
        #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
        #expect(try written() == [], "\(quiet)")
      }
      let end = try VitrineRun(options, on: folder, home: home).end()
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      #expect(
        try written().filter { !$0.hasPrefix(".cache/vitrine/thumbnails-1/") } == [
          ".cache", ".cache/vitrine", ".cache/vitrine/previews-1.log", ".cache/vitrine/thumbnails-1",
        ])
    }

    @Test("A cache folder that takes nothing is said to, and the photographs are shown")
    func unwritable() throws {
      let folder = try library()
      let cache = try TemporaryFolder()
      try cache.write(Array("a file".utf8), to: "thumbnails-1")
      let end = try VitrineRun.end(
        VitrineRun.smallWindow + ["--headless", "--frames", "60", "--cache-dir", cache.path, "--report", "-"],
        on: folder)
      #expect(end.status == 0)
      let fault = "cannot open \(cache.path)/thumbnails-1: Not a directory"
      #expect(end.complaints == "vitrine: thumbnails are not kept: \(fault)\n")
      let images = try RunFigures(end.output).figures.images
      #expect(images.decoded > 0)
      #expect(images.storeFault == fault)
    }
  }
}
