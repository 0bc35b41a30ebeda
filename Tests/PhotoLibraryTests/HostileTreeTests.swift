import Foundation
import Glibc
import PhotoLibrary
import Testing

/// A tree of names, links, devices and sizes made to break scanners; skipped where its maker is not at hand.
@Suite("A scan of a hostile tree")
struct HostileTreeTests {
  private static let maker = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../../shared/tools/make_hostile.py"
  ).standardized

  /// Runs the maker without the seconds it takes to compress gigabytes: of its pictures none is read here.
  private static let starter = """
    import runpy, sys, zlib
    class Hollow:
      def compress(self, data): return b""
      def flush(self): return b""
    zlib.compressobj = lambda *arguments: Hollow()
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0])
    """

  @Test(
    "ends, lists what is there and changes nothing",
    .enabled(if: FileManager.default.fileExists(atPath: maker.path), "the maker of the tree is not at hand"))
  func hostileTree() throws {
    let tree = try TemporaryTree()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.starter, Self.maker.path, tree.path("hostile").label]
    process.currentDirectoryURL = URL(filePath: String(decoding: tree.root.bytes, as: UTF8.self))
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)

    let root = tree.path("hostile/tree")
    // Else the scan would go up by the link, and into the folders of other tests.
    unlink(root.appending("parent").text)
    let before = try TreeDigest.lines(of: root)
    let outcome = try ScanOutcome.waited([root])
    #expect(try TreeDigest.lines(of: root) == before)

    let failures = Dictionary(
      zip(outcome.photos, outcome.facts).map { ($0.name, $1.failure) }, uniquingKeysWith: { first, _ in first })
    #expect(failures[Array("fifo.jpg".utf8)] == .notARegularFile)
    #expect(failures[Array("sock.png".utf8)] == .notARegularFile)
    #expect(failures[Array("zero.png".utf8)] == .notARegularFile)
    #expect(failures[Array("self.png".utf8)] == .brokenLink)
    #expect(failures[Array("dangling.png".utf8)] == .brokenLink)
    #expect(failures[Array("passwd.png".utf8)] == .notAPicture)
    #expect(failures[Array("sparse_8g.jpg".utf8)] == .notAPicture)
    for name in ["plain.png", "deep.png", "future.png", "past.png", "UPPER.PNG", "file.png~", "x.png ", "-rf"] {
      #expect(failures[Array(name.utf8)] == .some(nil), "\(name)")
    }
    #expect(failures[Array("bad-utf8-".utf8) + [0xFF, 0xFE] + Array(".png".utf8)] == .some(nil))
    #expect(failures[Array(".hidden.png".utf8)] == nil)
    #expect(outcome.photos.count >= 40)
    #expect(outcome.facts.count == outcome.photos.count)
    #expect(!before.contains { $0.contains("PWNED ") })
  }
}
