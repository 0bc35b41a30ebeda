import CPlatform
import Geometry
import Glibc
import ImageMetadata
import PhotoLibrary
import Testing
import Threads

@Suite("A scan")
struct FolderScanTests {
  @Test("lists a folder's pictures in natural order, then its folders', and never moves one")
  func order() throws {
    let tree = try TemporaryTree()
    for name in [
      "img10.png", "img2.png", "b/2.png", "b/10.png", "a/z/1.png", "a/x.png", "Img1.png", "a10/q.png", "a9/q.png",
    ] {
      try tree.file(name)
    }
    let expected = [
      "Img1.png", "img2.png", "img10.png", "a/x.png", "a/z/1.png", "a9/q.png", "a10/q.png", "b/2.png", "b/10.png",
    ]
    let outcome = try ScanOutcome.waited([tree.root])
    #expect(outcome.names(below: tree.root) == expected)
    #expect(outcome.photos.map(\.ordinal) == Array(0..<9))
    #expect(outcome.facts.map(\.ordinal) == Array(0..<9))
    #expect(outcome.summary?.found == 9)
    #expect(outcome.summary?.folders == 6)
    #expect(outcome.lastProgress.isListed)
    #expect(try ScanOutcome.live([tree.root], count: 2).names(below: tree.root) == expected)
  }

  @Test("reads every header and keeps to the file that it opened")
  func headers() throws {
    let tree = try TemporaryTree()
    try tree.file("a.png", SmallPicture.png(width: 40, height: 30))
    try tree.file("b.png", [])
    try tree.file("c.png", Array("<!DOCTYPE html>".utf8))
    let outcome = try ScanOutcome.waited([tree.root])
    #expect(outcome.facts.map(\.header?.storedSize?.width) == [40, nil, nil])
    #expect(outcome.facts.map(\.failure) == [nil, .emptyFile, .notAPicture])
    #expect(outcome.facts.map(\.identity) == outcome.photos.map(\.identity))
  }

  @Test("lists files without a picture's name by their first bytes")
  func magic() throws {
    let tree = try TemporaryTree()
    try tree.file("1")
    try tree.file("2.txt")
    try tree.file("3.txt", Array("BM, a text that is no bitmap, and long enough for a header".utf8))
    try tree.file("4", [])
    try tree.file("5.desktop", Array("[Desktop Entry]".utf8))
    try tree.file("6.url", Array("[InternetShortcut]".utf8))
    #expect(try ScanOutcome.waited([tree.root]).names(below: tree.root) == ["1", "2.txt"])
  }

  @Test("leaves out what is hidden, but not a hidden folder that was asked for")
  func hidden() throws {
    let tree = try TemporaryTree()
    for name in [".a.png", ".secret/b.png", "..png", "c.png"] { try tree.file(name) }
    #expect(try ScanOutcome.waited([tree.root]).names(below: tree.root) == ["c.png"])
    #expect(try ScanOutcome.waited([tree.path(".secret")]).photos.count == 1)
  }

  @Test("follows links to folders once and shows linked files once")
  func links() throws {
    let tree = try TemporaryTree()
    try tree.file("real/a.png")
    try tree.file("real/b.png")
    try tree.link("real/up", to: "..")
    try tree.link("real/here", to: ".")
    try tree.link("again", to: "real")
    try tree.link("c.png", to: "real/a.png")
    try tree.link("d.png", to: "real/a.png")
    try tree.hardLink("real/e.png", to: "real/b.png")
    // "again" stands before "real", and the link to a.png before the file.
    let outcome = try ScanOutcome.waited([tree.root])
    #expect(outcome.names(below: tree.root) == ["c.png", "again/b.png", "again/e.png"])
    #expect(outcome.problems.isEmpty)
    #expect(outcome.summary?.folders == 2)
  }

  @Test("makes items of special files and broken links under pictures' names, and waits for none")
  func oddities() throws {
    let tree = try TemporaryTree()
    try tree.fifo("fifo.jpg")
    try tree.fifo("fifo")
    try tree.link("dangling.png", to: "/nonexistent/x.png")
    try tree.link("dangling", to: "/nonexistent/x")
    try tree.link("self.png", to: "self.png")
    try tree.link("zero.png", to: "/dev/zero")
    try tree.folder("folder.png")
    try tree.file("folder.png/in.png")
    let outcome = try ScanOutcome.waited([tree.root])
    #expect(
      outcome.names(below: tree.root) == ["dangling.png", "fifo.jpg", "self.png", "zero.png", "folder.png/in.png"])
    let failures: [PhotoFailure?] = [.brokenLink, .notARegularFile, .brokenLink, .notARegularFile, nil]
    #expect(outcome.photos.map(\.failure) == failures)
    #expect(outcome.facts.map(\.failure) == failures)
  }

  @Test("knows names by their bytes, whatever they are")
  func names() throws {
    let tree = try TemporaryTree()
    var names: [[UInt8]] = [
      "\u{E9}.png", "e\u{301}.png", "new\nline.png", "esc\u{1B}[31m.png", "-rf.png", "$(touch PWNED).png", "%s%n.png",
      "quote\"'.png", " .png", "\u{202E}gnp.png",
    ].map { Array($0.utf8) }
    names.append([0xFF, 0xFE] + Array(".png".utf8))
    names.append(Array(repeating: UInt8(ascii: "a"), count: 251) + Array(".png".utf8))
    for name in names { try tree.file(at: name, in: tree.root) }
    let outcome = try ScanOutcome.waited([tree.root])
    #expect(outcome.photos.map(\.name) == names.sorted { NaturalOrder.precedes($0, $1) })
    #expect(outcome.facts.allSatisfy { $0.header?.format == .png })
  }

  @Test("reads pictures whose path is longer than the kernel takes")
  func longPaths() throws {
    let tree = try TemporaryTree()
    let picture = try tree.chain(of: 40, named: String(repeating: "d", count: 200), picture: "deep.png")
    #expect(picture.bytes.count > Int(PATH_MAX))
    let outcome = try ScanOutcome.waited([tree.root])
    #expect(outcome.photos.map(\.path) == [picture])
    #expect(outcome.facts.first?.header?.storedSize?.width == 8)
    // The way in which a decoding process is handed the file.
    let descriptor = platform_open_for_reading(picture.text)
    #expect(descriptor >= 0)
    close(descriptor)
    // As a root too, with its folder and by itself.
    #expect(try ScanOutcome.waited([picture.parent]).photos.map(\.path) == [picture])
    #expect(try ScanOutcome.waited([picture]).facts.first?.header?.format == .png)
  }

  @Test("goes 64 folders deep and says where it stopped")
  func depth() throws {
    let tree = try TemporaryTree()
    _ = try tree.chain(of: 66, named: "d", picture: "deep.png")
    try tree.file(Array(repeating: "d", count: 64).joined(separator: "/") + "/last.png")
    let outcome = try ScanOutcome.waited([tree.root])
    #expect(outcome.photos.map { String(decoding: $0.name, as: UTF8.self) } == ["last.png"])
    #expect(outcome.problems.map(\.reason) == [.tooDeep])
    #expect(outcome.summary?.problems == 1)
    #expect(outcome.lastProgress.isListed)
  }

  @Test("lists nothing twice where roots overlap, and given pictures first")
  func overlappingRoots() throws {
    let tree = try TemporaryTree()
    for name in ["a/1.png", "a/2.png", "b/3.png"] { try tree.file(name) }
    let roots = [tree.path("a/2.png"), tree.path("b"), tree.root, tree.path("a"), tree.path("a/2.png")]
    let outcome = try ScanOutcome.waited(roots)
    #expect(outcome.names(below: tree.root) == ["a/2.png", "b/3.png", "a/1.png"])
    #expect(outcome.lastProgress.isListed)
  }

  @Test("leaves out our own cache under whatever name")
  func exclusion() throws {
    let tree = try TemporaryTree()
    for name in ["a.png", "cache/vitrine/b.png", "cache/other/c.png"] { try tree.file(name) }
    try tree.link("alias", to: "cache/vitrine")
    let outcome = try ScanOutcome.waited([tree.root], excluding: [tree.path("cache/vitrine"), tree.path("absent")])
    #expect(outcome.names(below: tree.root) == ["a.png", "cache/other/c.png"])
  }

  @Test("reports what cannot be read and goes on", .enabled(if: geteuid() != 0, "root may read everything"))
  func unreadable() throws {
    let tree = try TemporaryTree()
    for name in ["closed/a.png", "listed/b.png", "open/c.png", "d.png"] { try tree.file(name) }
    chmod(tree.path("closed").text, 0)
    chmod(tree.path("listed").text, 0o600)
    chmod(tree.path("d.png").text, 0)
    defer {
      chmod(tree.path("closed").text, 0o755)
      chmod(tree.path("listed").text, 0o755)
    }
    let outcome = try ScanOutcome.waited([tree.root])
    #expect(outcome.names(below: tree.root) == ["d.png", "listed/b.png", "open/c.png"])
    #expect(outcome.facts.map(\.failure) == [.permissionDenied, .permissionDenied, nil])
    #expect(outcome.problems.map(\.folder) == [tree.path("closed")])
    #expect(outcome.problems.first?.description.hasSuffix("closed: cannot open: Permission denied") == true)
    #expect(throws: LibraryError(input: tree.path("closed").bytes, reason: .permissionDenied)) {
      try LibraryRoot(checking: tree.path("closed"))
    }
  }

  @Test("outlives the deletion of what it walks")
  func vanishing() throws {
    let tree = try TemporaryTree()
    for number in 0..<200 { try tree.file("\(number).png") }
    for folder in 0..<20 {
      for number in 0..<20 { try tree.file("f\(folder)/\(number).png") }
    }
    let path = tree.root
    // On the scan's own thread, once the first screenful was found: all the rest goes away under it.
    let outcome = try ScanOutcome.live([path]) { TreeEraser.erase(path) }
    #expect(outcome.photos.count >= 64)
    #expect(outcome.photos.count < 600)
    #expect(outcome.facts.count == outcome.photos.count)
    #expect(outcome.summary?.wasCancelled == false)
    #expect(outcome.facts.allSatisfy { $0.header != nil || $0.failure == .missing })
  }

  @Test("leaves soon when it is told to")
  func cancelling() throws {
    let tree = try TemporaryTree()
    for number in 0..<3000 { try tree.file("\(number).png", []) }
    let scan = FolderScan(roots: [try LibraryRoot(checking: tree.root)], options: ScanOptions(isDeterministic: true))
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

  @Test("comes in a small first batch, then in thousands, however many there are")
  func batches() throws {
    let tree = try TemporaryTree()
    for number in 0..<5000 { try tree.file("IMG_\(number).JPG", []) }
    let outcome = try ScanOutcome.waited([tree.root])
    #expect(outcome.batchSizes == [1000, 1000, 1000, 1000, 1000])
    #expect(outcome.names(below: tree.root) == (0..<5000).map { "IMG_\($0).JPG" })
    #expect(outcome.facts.allSatisfy { $0.failure == .emptyFile })
    let live = try ScanOutcome.live([tree.root], count: 300)
    #expect(live.photos == outcome.photos)
    #expect(live.facts == outcome.facts)
    #expect(live.batchSizes.allSatisfy { $0 <= 300 })
  }

  @Test("of nothing ends at once")
  func nothing() throws {
    let outcome = try ScanOutcome.waited([])
    #expect(outcome.summary == ScanSummary())
    let tree = try TemporaryTree()
    #expect(try ScanOutcome.waited([tree.root]).photos.isEmpty)
  }

  @Test("changes nothing")
  func readOnly() throws {
    let tree = try TemporaryTree()
    for name in ["a.png", "b.txt", "c/d.png", "c/e/f.png"] { try tree.file(name) }
    try tree.link("g.png", to: "a.png")
    try tree.fifo("h.png")
    let before = try TreeDigest.lines(of: tree.root)
    _ = try ScanOutcome.waited([tree.root])
    #expect(try TreeDigest.lines(of: tree.root) == before)
    #expect(before.count == 8)
  }
}
