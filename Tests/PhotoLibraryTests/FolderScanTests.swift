import CVitrinePlatform
import Foundation
import Glibc
import Testing
import VitrineFileReading
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineTestSupport
import VitrineThreads

@Suite("Folder scans")
struct FolderScanTests {
  @Test("A folder's pictures are listed in natural order, then those of its subfolders, and the order never changes")
  func order() throws {
    let tree = try TemporaryTree()
    for name in [
      "img10.png", "img2.png", "b/2.png", "b/10.png", "a/z/1.png", "a/x.png", "Img1.png", "a10/q.png", "a9/q.png",
    ] {
      try tree.makeFile(name)
    }
    let expected = [
      "Img1.png", "img2.png", "img10.png", "a/x.png", "a/z/1.png", "a9/q.png", "a10/q.png", "b/2.png", "b/10.png",
    ]
    let outcome = try ScanOutcome.deterministic([tree.root])
    #expect(outcome.names(below: tree.root) == expected)
    #expect(outcome.photos.map(\.ordinal) == Array(0..<9))
    #expect(outcome.headers.map(\.ordinal) == Array(0..<9))
    #expect(outcome.summary?.found == 9)
    #expect(outcome.summary?.folders == 6)
    #expect(outcome.lastProgress.isListed)
    #expect(try ScanOutcome.live([tree.root], count: 2).names(below: tree.root) == expected)
  }

  @Test("Every header is read, from the file that was listed")
  func headers() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("a.png", SmallPicture.png(width: 40, height: 30))
    try tree.makeFile("b.png", [])
    try tree.makeFile("c.png", Array("<!DOCTYPE html>".utf8))
    let outcome = try ScanOutcome.deterministic([tree.root])
    #expect(outcome.headers.map(\.header?.storedSize?.width) == [40, nil, nil])
    #expect(outcome.headers.map(\.failure) == [nil, .emptyFile, .notAPicture])
    #expect(outcome.headers.map(\.identity) == outcome.photos.map(\.identity))
  }

  @Test("Files without a picture's extension are listed if their first bytes are those of a picture")
  func contentSniffing() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("1")
    try tree.makeFile("2.txt")
    try tree.makeFile("3.txt", Array("BM, a text that is no bitmap, and long enough for a header".utf8))
    try tree.makeFile("4", [])
    try tree.makeFile("5.desktop", Array("[Desktop Entry]".utf8))
    try tree.makeFile("6.url", Array("[InternetShortcut]".utf8))
    #expect(try ScanOutcome.deterministic([tree.root]).names(below: tree.root) == ["1", "2.txt"])
  }

  @Test("Hidden files and folders are skipped, except for a hidden folder that is a root")
  func hidden() throws {
    let tree = try TemporaryTree()
    for name in [".a.png", ".secret/b.png", "..png", "c.png"] { try tree.makeFile(name) }
    #expect(try ScanOutcome.deterministic([tree.root]).names(below: tree.root) == ["c.png"])
    #expect(try ScanOutcome.deterministic([tree.path(".secret")]).photos.count == 1)
  }

  @Test("Links to folders are followed once, and linked files are listed once")
  func links() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("real/a.png")
    try tree.makeFile("real/b.png")
    try tree.makeLink("real/up", to: "..")
    try tree.makeLink("real/here", to: ".")
    try tree.makeLink("again", to: "real")
    try tree.makeLink("c.png", to: "real/a.png")
    try tree.makeLink("d.png", to: "real/a.png")
    try tree.makeHardLink("real/e.png", to: "real/b.png")
    // "again" sorts before "real", and the link to a.png before the file.
    let outcome = try ScanOutcome.deterministic([tree.root])
    #expect(outcome.names(below: tree.root) == ["c.png", "again/b.png", "again/e.png"])
    #expect(outcome.problems.isEmpty)
    #expect(outcome.summary?.folders == 2)
  }

  @Test("Folders that contain the library and to which a link leads are left out, and each is reported")
  func linksToContainingFolders() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("home/library/a.png")
    try tree.makeFile("home/b.png")
    try tree.makeFile("home/other/c.png")
    try tree.makeLink("home/library/home", to: "..")
    try tree.makeLink("home/library/other", to: "../other")
    try tree.makeLink("home/library/root", to: "/")
    try tree.makeLink("home/library/self", to: ".")
    let root = tree.path("home/library")
    let outcome = try ScanOutcome.deterministic([root])
    #expect(outcome.names(below: root) == ["a.png", "other/c.png"])
    #expect(
      outcome.problems == [
        ScanProblem(folder: root.appending("home"), reason: .linkToContainingFolder),
        ScanProblem(folder: root.appending("root"), reason: .linkToContainingFolder),
      ])
    #expect(outcome.lastProgress.isListed && outcome.problems.allSatisfy(\.isLeftOut))
    #expect(
      outcome.problems.last?.description
        == "\(root.printable)/root is left out: it is a link to a folder that contains this one")
    // A folder that the user asked for is no such folder.
    let both = try ScanOutcome.deterministic([root, tree.path("home")])
    #expect(both.photos.count == 3 && both.problems.map(\.folder) == [root.appending("root")])
  }

  @Test("File systems of the kernel are left out, by any path, and each is reported")
  func kernelFileSystems() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("a.png")
    for (name, target) in [("b", "/proc"), ("c", "/proc/self/fd"), ("d", "/sys"), ("e", "/dev")] {
      try tree.makeLink(name, to: target)
    }
    let outcome = try ScanOutcome.deterministic([tree.root])
    #expect(outcome.names(below: tree.root) == ["a.png"])
    #expect(
      outcome.problems
        == ["b", "c", "d", "e"].map { ScanProblem(folder: tree.path($0), reason: .kernelFileSystem) })
    let system = try ScanOutcome.deterministic([PhotoPath("/proc")])
    #expect(system.photos.isEmpty && system.problems.map(\.reason) == [.kernelFileSystem])
    #expect(system.lastProgress.isListed)
  }

  @Test("The root of the file system is known by any path")
  func wholeFileSystem() throws {
    let tree = try TemporaryTree()
    try tree.makeLink("root", to: "/")
    for path in [PhotoPath("/"), PhotoPath("/tmp/.."), tree.path("root")] {
      #expect(try LibraryRoot(checking: path).isWholeFileSystem)
    }
    for path in [tree.root, PhotoPath("/tmp"), try tree.makeFile("a.png")] {
      #expect(try !LibraryRoot(checking: path).isWholeFileSystem)
    }
  }

  @Test(
    "Special files and broken links with a picture's extension are listed as failed, and none of them blocks the scan")
  func specialFiles() throws {
    let tree = try TemporaryTree()
    try tree.makeFIFO("fifo.jpg")
    try tree.makeFIFO("fifo")
    try tree.makeLink("dangling.png", to: "/nonexistent/x.png")
    try tree.makeLink("dangling", to: "/nonexistent/x")
    try tree.makeLink("self.png", to: "self.png")
    try tree.makeLink("zero.png", to: "/dev/zero")
    try tree.makeFolder("folder.png")
    try tree.makeFile("folder.png/in.png")
    let outcome = try ScanOutcome.deterministic([tree.root])
    #expect(
      outcome.names(below: tree.root) == ["dangling.png", "fifo.jpg", "self.png", "zero.png", "folder.png/in.png"])
    let failures: [PhotoFailure?] = [.brokenLink, .notARegularFile, .brokenLink, .notARegularFile, nil]
    #expect(outcome.photos.map(\.failure) == failures)
    #expect(outcome.headers.map(\.failure) == failures)
  }

  @Test("Names are arbitrary bytes")
  func names() throws {
    let tree = try TemporaryTree()
    var names: [[UInt8]] = [
      "\u{E9}.png", "e\u{301}.png", "new\nline.png", "esc\u{1B}[31m.png", "-rf.png", "$(touch PWNED).png", "%s%n.png",
      "quote\"'.png", " .png", "\u{202E}gnp.png",
    ].map { Array($0.utf8) }
    names.append([0xFF, 0xFE] + Array(".png".utf8))
    names.append(Array(repeating: UInt8(ascii: "a"), count: 251) + Array(".png".utf8))
    for name in names { try tree.makeFile(at: name, in: tree.root) }
    let outcome = try ScanOutcome.deterministic([tree.root])
    #expect(outcome.photos.map(\.name) == names.sorted { NaturalOrder.precedes($0, $1) })
    #expect(outcome.headers.allSatisfy { $0.header?.format == .png })
  }

  @Test("Pictures with a path longer than PATH_MAX are read")
  func longPaths() throws {
    let tree = try TemporaryTree()
    let picture = try tree.makeFolderChain(of: 40, named: String(repeating: "d", count: 200), picture: "deep.png")
    #expect(picture.bytes.count > Int(PATH_MAX))
    let outcome = try ScanOutcome.deterministic([tree.root])
    #expect(outcome.photos.map(\.path) == [picture])
    #expect(outcome.headers.first?.header?.storedSize?.width == 8)
    // A decoding process receives the file by this call.
    let descriptor = platform_open_for_reading(picture.cString)
    #expect(descriptor >= 0)
    close(descriptor)
    // The folder and the picture are also valid roots.
    #expect(try ScanOutcome.deterministic([picture.parent]).photos.map(\.path) == [picture])
    #expect(try ScanOutcome.deterministic([picture]).headers.first?.header?.format == .png)
  }

  @Test("A scan descends 64 folders deep and reports the folder at which it stopped")
  func depth() throws {
    let tree = try TemporaryTree()
    _ = try tree.makeFolderChain(of: 66, named: "d", picture: "deep.png")
    try tree.makeFile(Array(repeating: "d", count: 64).joined(separator: "/") + "/last.png")
    let outcome = try ScanOutcome.deterministic([tree.root])
    #expect(outcome.photos.map { String(decoding: $0.name, as: UTF8.self) } == ["last.png"])
    #expect(outcome.problems.map(\.reason) == [.tooDeep])
    #expect(outcome.summary?.problems == 1)
    #expect(outcome.lastProgress.isListed)
  }

  @Test("Without a reading process, a folder with a file that may be a picture is not listed completely")
  func withoutReader() throws {
    let tree = try TemporaryTree()
    for name in ["a.png", "folder/picture", "other/b.png"] { try tree.makeFile(name) }
    let reader = FileReader(executable: "/nonexistent/vitrine-read")
    let outcome = try ScanOutcome.deterministic([tree.root], reader: reader)
    #expect(outcome.names(below: tree.root) == ["a.png", "other/b.png"])
    let problems = outcome.problems.filter { if case .system = $0.reason { true } else { false } }
    #expect(problems.map(\.folder) == [tree.path("folder")])
    #expect(try ScanOutcome.deterministic([tree.root]).photos.count == 3)
  }

  @Test("Overlapping roots list every picture once, and pictures that are roots come first")
  func overlappingRoots() throws {
    let tree = try TemporaryTree()
    for name in ["a/1.png", "a/2.png", "b/3.png"] { try tree.makeFile(name) }
    let roots = [tree.path("a/2.png"), tree.path("b"), tree.root, tree.path("a"), tree.path("a/2.png")]
    let outcome = try ScanOutcome.deterministic(roots)
    #expect(outcome.names(below: tree.root) == ["a/2.png", "b/3.png", "a/1.png"])
    #expect(outcome.lastProgress.isListed)
  }

  @Test("Excluded folders are skipped under any name")
  func excludedFolders() throws {
    let tree = try TemporaryTree()
    for name in ["a.png", "cache/vitrine/b.png", "cache/other/c.png"] { try tree.makeFile(name) }
    try tree.makeLink("alias", to: "cache/vitrine")
    let outcome = try ScanOutcome.deterministic(
      [tree.root], excluding: [tree.path("cache/vitrine"), tree.path("absent")])
    #expect(outcome.names(below: tree.root) == ["a.png", "cache/other/c.png"])
  }

  @Test(
    "Unreadable folders are reported, and the scan continues", .enabled(if: geteuid() != 0, "root can read every file"))
  func unreadable() throws {
    let tree = try TemporaryTree()
    for name in ["closed/a.png", "listed/b.png", "open/c.png", "d.png"] { try tree.makeFile(name) }
    chmod(tree.path("closed").cString, 0)
    chmod(tree.path("listed").cString, 0o600)
    chmod(tree.path("d.png").cString, 0)
    defer {
      chmod(tree.path("closed").cString, 0o755)
      chmod(tree.path("listed").cString, 0o755)
    }
    let outcome = try ScanOutcome.deterministic([tree.root])
    #expect(outcome.names(below: tree.root) == ["d.png", "listed/b.png", "open/c.png"])
    #expect(outcome.headers.map(\.failure) == [.permissionDenied, .permissionDenied, nil])
    #expect(outcome.problems.map(\.folder) == [tree.path("closed")])
    #expect(outcome.problems.first?.description.hasSuffix("closed may not be read") == true)
    #expect(throws: LibraryError(input: tree.path("closed").bytes, reason: .permissionDenied)) {
      try LibraryRoot(checking: tree.path("closed"))
    }
  }

  @Test("A scan finishes while its files are being deleted")
  func deletionDuringScan() throws {
    let tree = try TemporaryTree()
    for number in 0..<200 { try tree.makeFile("\(number).png") }
    for folder in 0..<20 {
      for number in 0..<20 { try tree.makeFile("f\(folder)/\(number).png") }
    }
    let path = tree.root
    // This runs on the scan's thread after the first batch, and deletes all other files during the scan.
    let outcome = try ScanOutcome.live([path]) { TreeEraser.erase(path) }
    #expect(outcome.photos.count >= 64)
    #expect(outcome.photos.count < 600)
    #expect(outcome.headers.count == outcome.photos.count)
    #expect(outcome.summary?.wasCancelled == false)
    #expect(outcome.headers.allSatisfy { $0.header != nil || $0.failure == .missing })
  }

  @Test("A cancelled scan ends soon")
  func cancellation() throws {
    let tree = try TemporaryTree()
    for number in 0..<3000 { try tree.makeFile("\(number).png", []) }
    let scan = FolderScan(roots: [try LibraryRoot(checking: tree.root)], options: ScanOptions(batches: .bySize))
    try scan.start()
    let first = scan.takeBatch(count: 10)
    scan.cancel()
    scan.join()
    var outcome = ScanOutcome()
    outcome.add(first)
    #expect(outcome.photos.count == 10)
    while outcome.summary == nil { outcome.add(scan.takeBatch(count: 1000)) }
    #expect(outcome.summary?.wasCancelled == true)
    #expect(scan.takeEvents(atMost: 10).isEmpty)
  }

  @Test("A large folder is received in batches of the requested size, with equal results in a live scan")
  func batches() throws {
    let tree = try TemporaryTree()
    for number in 0..<5000 { try tree.makeFile("IMG_\(number).JPG", []) }
    let outcome = try ScanOutcome.deterministic([tree.root])
    #expect(outcome.batchSizes == [1000, 1000, 1000, 1000, 1000])
    #expect(outcome.names(below: tree.root) == (0..<5000).map { "IMG_\($0).JPG" })
    #expect(outcome.headers.allSatisfy { $0.failure == .emptyFile })
    let live = try ScanOutcome.live([tree.root], count: 300)
    #expect(live.photos == outcome.photos)
    #expect(live.headers == outcome.headers)
    #expect(live.batchSizes.allSatisfy { $0 <= 300 })
  }

  @Test("A scan without roots or pictures finishes")
  func emptyScans() throws {
    let outcome = try ScanOutcome.deterministic([])
    #expect(outcome.summary == ScanSummary())
    let tree = try TemporaryTree()
    #expect(try ScanOutcome.deterministic([tree.root]).photos.isEmpty)
  }

  @Test("A scan changes no files")
  func readOnly() throws {
    let tree = try TemporaryTree()
    for name in ["a.png", "b.txt", "c/d.png", "c/e/f.png"] { try tree.makeFile(name) }
    try tree.makeLink("g.png", to: "a.png")
    try tree.makeFIFO("h.png")
    let before = try TreeDigest.lines(of: tree.root)
    _ = try ScanOutcome.deterministic([tree.root])
    #expect(try TreeDigest.lines(of: tree.root) == before)
    #expect(before.count == 8)
  }
}

// MARK: - Hostile trees

/// A tree of names, links, devices and sizes that are meant to break scanners.
///
/// The suite is skipped if the script that creates the tree is missing.
@Suite("Scanning a hostile tree")
struct HostileTreeTests {
  private static let generator = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../../shared/tools/make_hostile.py"
  ).standardized

  /// Runs the script without compressing gigabytes of data, because the test reads none of these pictures.
  private static let wrapper = """
    import runpy, sys, zlib
    class Hollow:
      def compress(self, data): return b""
      def flush(self): return b""
    zlib.compressobj = lambda *arguments: Hollow()
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0])
    """

  @Test(
    "A scan of a hostile tree finishes, lists its pictures and changes no files",
    .enabled(if: FileManager.default.fileExists(atPath: generator.path), "the script that creates the tree is missing"))
  func hostileTree() throws {
    let tree = try TemporaryTree()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.wrapper, Self.generator.path, tree.path("hostile").label]
    process.currentDirectoryURL = URL(filePath: String(decoding: tree.root.bytes, as: UTF8.self))
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)

    let root = tree.path("hostile/tree")
    // Without this, the scan would follow the link to the parent, and enter the folders of other tests.
    unlink(root.appending("parent").cString)
    let before = try TreeDigest.lines(of: root)
    let outcome = try ScanOutcome.deterministic([root])
    #expect(try TreeDigest.lines(of: root) == before)

    let failures = Dictionary(
      zip(outcome.photos, outcome.headers).map { ($0.name, $1.failure) }, uniquingKeysWith: { first, _ in first })
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
    #expect(outcome.headers.count == outcome.photos.count)
    #expect(!before.contains { $0.contains("PWNED ") })
  }
}

// MARK: - Scan outcome

/// The events of a scan, by kind.
struct ScanOutcome {
  var photos: [FoundPhoto] = []
  var headers: [HeaderResult] = []
  var problems: [ScanProblem] = []
  var lastProgress = ScanProgress()
  var summary: ScanSummary?
  var batchSizes: [Int] = []

  /// Returns the paths of the photos relative to a folder, in the order of the scan.
  func names(below root: PhotoPath) -> [String] {
    photos.map { String(decoding: $0.path.bytes.dropFirst(root.bytes.count + 1), as: UTF8.self) }
  }

  mutating func add(_ events: [LibraryEvent]) {
    for event in events {
      switch event {
      case .found(let found):
        photos += found
        batchSizes.append(found.count)
      case .headers(let results): headers += results
      case .problem(let problem): problems.append(problem)
      // A folder scan has no numbered or remote items.
      case .listed, .entries, .unread, .updating, .relisted: break
      case .progress(let progress): lastProgress = progress
      case .finished(let end): summary = end
      }
    }
  }

  /// Scans as a program with a virtual clock does, and waits for each batch.
  static func deterministic(
    _ paths: [PhotoPath], excluding: [PhotoPath] = [], count: Int = 1000, reader: FileReader = FileReader()
  ) throws -> ScanOutcome {
    let scan = FolderScan(
      roots: try paths.map { path throws(LibraryError) in try LibraryRoot(checking: path) },
      options: ScanOptions(excludedFolders: excluding, batches: .bySize, reader: reader))
    try scan.start()
    var outcome = ScanOutcome()
    while outcome.summary == nil { outcome.add(scan.takeBatch(count: count)) }
    scan.join()
    return outcome
  }

  /// Scans as a program with a window does: sleeps until woken, then receives a limited number of items.
  ///
  /// - Parameter onWake: A closure that runs on the scan's thread whenever there are new events.
  static func live(
    _ paths: [PhotoPath], count: Int = 100, onWake: @escaping @Sendable () -> Void = {}
  ) throws -> ScanOutcome {
    let wakes = Lock(0)
    let scan = FolderScan(roots: try paths.map { path throws(LibraryError) in try LibraryRoot(checking: path) }) {
      onWake()
      wakes.withLock { $0 += 1 }
      wakes.wakeAll()
    }
    try scan.start()
    var outcome = ScanOutcome()
    while outcome.summary == nil {
      outcome.add(scan.takeEvents(atMost: count))
      if outcome.summary != nil || scan.hasEvents { continue }
      try wakes.wait(for: "an event of the scan") { wakes -> Void? in
        defer { wakes = 0 }
        return wakes > 0 ? () : nil
      }
    }
    scan.join()
    return outcome
  }
}
