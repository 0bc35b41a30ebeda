import Foundation
import Testing

/// The files of the cache in a home folder.
enum StoredFiles {
  static let paths =
    [".cache", ".cache/vitrine"]
    + ["catalogue", "pixels", "previews", "thumbnails"].flatMap {
      [".cache/vitrine/\($0).sqlite", ".cache/vitrine/\($0).sqlite.lock"]
    }
}

extension Scenarios {
  @Suite("Thumbnails are stored between runs")
  struct StoredThumbnailsTests {
    /// Creates photographs with old modification dates.
    private func olderLibrary() throws -> TemporaryFolder {
      let folder = try TemporaryFolder.photoLibrary(count: 40)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: folder.path + "/" + name)
      }
      return folder
    }

    @Test("The second run decodes no images, and the third shows the same frames as the second")
    func secondRun() throws {
      let folder = try olderLibrary()
      let cache = try TemporaryFolder()
      let options =
        VitrineRun.smallWindow
        + ["--clock", "virtual", "--scroll", "steady:2000", "--duration", "2", "--cache-dir", cache.path]
      let first = try VitrineRun.report(options, on: folder).figures
      #expect(first.images.storeHits == 0 && first.images.decoded > 20)
      let second = try VitrineRun.report(options, on: folder).figures
      #expect(second.images.decoded == 0 && second.images.storeHits == first.images.decoded)
      #expect(second.images.storeWrites == 0 && second.images.failed == first.images.failed)
      // Not the frames of the first run, which had no previews.
      let third = try VitrineRun.report(options, on: folder).figures
      #expect(third.images.decoded == 0 && third.images.storeHits == second.images.storeHits)
      let digest = try #require(second.frameDigest)
      #expect(third.frameDigest == digest)
    }

    @Test("Files are written only in the cache folder, and none if storage is disabled")
    func writtenFiles() throws {
      let folder = try olderLibrary()
      let home = try TemporaryFolder()
      let options = VitrineRun.smallWindow + ["--headless", "--frames", "60"]
      func createdPaths() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: home.path).filter { !$0.hasPrefix(".cache/mesa") }.sorted()
      }
      let runs = [["--no-cache"], ["--clock", "virtual"], ["--clock", "cpu"]].map { options + $0 }
      for arguments in runs + [["--headless", "--verdicts", "/dev/null"]] {
        let result = try VitrineRun(arguments, on: folder, home: home).waitForExit()
        #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
        #expect(try createdPaths() == [], "\(arguments)")
      }
      let result = try VitrineRun(options, on: folder, home: home).waitForExit()
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      #expect(
        try createdPaths() == StoredFiles.paths)
    }

    @Test("A cache folder that is not writable is reported, and the photographs are shown")
    func unwritable() throws {
      let folder = try olderLibrary()
      let cache = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: cache.path(of: "pixels.sqlite"), withIntermediateDirectories: false)
      let result = try VitrineRun.run(
        VitrineRun.smallWindow + ["--headless", "--frames", "60", "--cache-dir", cache.path, "--report", "-"],
        on: folder)
      #expect(result.status == 0)
      let fault = "the cache folder \(cache.path) cannot be used: cannot open pixels.sqlite: Is a directory"
      #expect(
        result.errorOutput
          == "vitrine: thumbnails are not kept: \(fault); another folder is chosen with --cache-dir\n")
      let images = try RunFigures(result.output).figures.images
      #expect(images.decoded > 0)
      #expect(images.storeFault == fault)
    }

    @Test("A cache folder within a file, and one that the system does not permit, are named with the reason")
    func impossibleFolders() throws {
      let folder = try olderLibrary()
      let other = try TemporaryFolder()
      try other.write([1], to: "file")
      for (cache, reason) in [
        (other.path(of: "file"), "is not a folder, or is within a file"),
        (other.path(of: "file/cache"), "is not a folder, or is within a file"),
        ("/proc/vitrine", "cannot be used: cannot make /proc/vitrine: No such file or directory"),
      ] {
        let result = try VitrineRun.run(
          VitrineRun.smallWindow + ["--headless", "--frames", "30", "--cache-dir", cache, "--report", "-"], on: folder)
        #expect(result.status == 0 && result.errorOutput.contains("the cache folder \(cache) \(reason);"), "\(result)")
        #expect(try RunFigures(result.output).figures.images.decoded > 0)
      }
    }
  }
}

extension Scenarios {
  @Suite("Previews of images that were seen are stored between runs")
  struct StoredPreviewsTests {
    static let slowDecodes = ["--decode-delay", "200", "--scroll", "flick:4000", "--duration", "5"]

    /// Shows the whole library, so that all its previews are stored.
    static func showAll(of folder: TemporaryFolder, cache: TemporaryFolder) throws {
      let report = try VitrineRun.report(
        VitrineRun.smallWindow
          + ["--clock", "virtual", "--cache-dir", cache.path, "--scroll", "steady:400", "--duration", "12"], on: folder)
      #expect(report.figures.images.decoded >= 143)
    }

    @Test("During a flick with slow decodes every cell shows at least its preview, without additional hitches")
    func flick() throws {
      let (folder, cache) = (try TemporaryFolder.photoLibrary(), try TemporaryFolder())
      // With cells that have a cost, so that frames can be late.
      let options = VitrineRun.smallWindow + ["--clock", "virtual", "--cell-cost", "2"] + Self.slowDecodes
      let unknown = try VitrineRun.report(options, on: folder)
      #expect(try #require(unknown.figures.images.blankCellMs) > 1_000)
      try Self.showAll(of: folder, cache: cache)
      let known = try VitrineRun.report(options + ["--cache-dir", cache.path], on: folder)
      #expect(try #require(known.figures.images.placeholderCellMs) > 1_000)
      #expect(known.figures.images.blankCellMs == 0)
      #expect(known.figures.images.decodedOnRenderThread == 0)
      #expect(try #require(known.figures.hitches).count == #require(unknown.figures.hitches).count)
      // The store is the same now, and so are the frames.
      let again = try VitrineRun.report(options + ["--cache-dir", cache.path], on: folder)
      #expect(again.figures.frameDigest == known.figures.frameDigest)
      #expect(known.figures.frameDigest != unknown.figures.frameDigest)
    }

    @Test("A simulation uses a store only in a given folder, and --no-cache disables the store")
    func cacheFolders() throws {
      let (folder, home) = (try TemporaryFolder.photoLibrary(count: 4), try TemporaryFolder())
      for options in [["--clock", "virtual"], ["--clock", "cpu"], ["--no-cache"]] {
        let run = try VitrineRun(["--headless", "--duration", "0.5"] + options, on: folder, home: home)
        #expect(try run.waitForExit().status == 0)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.path) == [])
      }
      let run = try VitrineRun(["--headless", "--duration", "2"], on: folder, home: home)
      #expect(try run.waitForExit().status == 0)
      let stored = try FileManager.default.subpathsOfDirectory(atPath: home.path).sorted()
      #expect(
        stored == StoredFiles.paths)
    }
  }
}
