import Glibc
import Testing
import VitrineTestSupport
import VitrineThreads

@testable import VitrinePhotoLibrary

@Suite("Changed folders")
struct FolderUpdateTests {
  /// A library of real files that is scanned once, and then updated.
  private final class Fixture {
    let tree: TemporaryTree
    var catalogue = PhotoCatalogue()
    /// The photographs that the library shows.
    private(set) var shown: Set<PhotoID> = []

    init(_ names: [String]) throws {
      tree = try TemporaryTree()
      for name in names { try tree.makeFile(name) }
      try rescan()
    }

    /// Scans everything, as for the first time.
    func rescan() throws {
      (catalogue, shown) = (PhotoCatalogue(), [])
      try apply(FolderScan(roots: [try LibraryRoot(checking: tree.root)], options: ScanOptions(batches: .bySize)))
    }

    /// Lists folders again, and returns the names of the photographs that came and went.
    @discardableResult
    func update(
      _ folders: [String], unfinished: Set<[UInt8]> = [], watcher: FolderWatcher? = nil
    ) throws -> (came: [String], went: [String]) {
      let changes = folders.map {
        FolderChange(folder: $0.isEmpty ? tree.root : tree.path($0), unfinishedNames: unfinished)
      }
      return try apply(
        FolderScan(
          of: changes, within: [try LibraryRoot(checking: tree.root)],
          options: ScanOptions(batches: .bySize, watcher: watcher)), isUpdate: true)
    }

    @discardableResult
    private func apply(_ scan: FolderScan, isUpdate: Bool = false) throws -> (came: [String], went: [String]) {
      try scan.start()
      catalogue.beginScan()
      if isUpdate { _ = catalogue.apply(.updating) }
      var (came, went): ([PhotoID], [PhotoID]) = ([], [])
      loop: while true {
        for event in scan.takeBatch(count: 1_000) {
          let change = catalogue.apply(event)
          came += change.listed.filter { shown.insert($0).inserted }
          went += change.unlisted.filter { shown.remove($0) != nil }
          if case .finished = event { break loop }
        }
      }
      scan.join()
      func names(_ items: [PhotoID]) -> [String] {
        items.compactMap(catalogue.path).map { path in
          String(decoding: path.bytes.dropFirst(tree.root.bytes.count + 1), as: UTF8.self)
        }.sorted()
      }
      return (names(came), names(went))
    }

    func remove(_ name: String) throws { try #require(unlink(tree.path(name).cString) == 0) }

    func move(_ name: String, to other: String) throws {
      try #require(rename(tree.path(name).cString, tree.path(other).cString) == 0)
    }
  }

  @Test("New and deleted files of a folder are found, and nothing else is")
  func files() throws {
    let fixture = try Fixture(["a/1.png", "a/2.png", "b/3.png", "4.png"])
    #expect(fixture.shown.count == 4)
    try fixture.tree.makeFile("a/5.png")
    try fixture.remove("a/1.png")
    try fixture.remove("b/3.png")
    let update = try fixture.update(["a"])
    #expect(update.came == ["a/5.png"] && update.went == ["a/1.png"])
    let other = try fixture.update(["b", "a"])
    #expect(other.came.isEmpty && other.went == ["b/3.png"])
    // A file that comes back is the same photograph.
    let before = fixture.catalogue.count
    try fixture.tree.makeFile("a/1.png")
    #expect(try fixture.update(["a"]).came == ["a/1.png"] && fixture.catalogue.count == before)
  }

  @Test("New, renamed and deleted folders within are found")
  func folders() throws {
    let fixture = try Fixture(["a/b/1.png", "a/c/2.png", "a/c/d/3.png", "4.png"])
    let reports = Lock(0)
    let watcher = try FolderWatcher {
      reports.withLock { $0 += 1 }
      reports.wakeAll()
    }
    defer { watcher.close() }
    for name in ["a", "a/b", "a/c", "a/c/d"] { watcher.watch(fixture.tree.path(name)) }
    try fixture.tree.makeFile("a/new/x/5.png")
    try fixture.move("a/c", to: "a/e")
    // The watcher has heard of the new name before it reports the change.
    reports.wait { $0 > 0 ? () : nil }
    let update = try fixture.update(["a"], watcher: watcher)
    #expect(update.came == ["a/e/2.png", "a/e/d/3.png", "a/new/x/5.png"])
    #expect(update.went == ["a/c/2.png", "a/c/d/3.png"])
    #expect(watcher.isWatching(fixture.tree.path("a/new/x")) && watcher.isWatching(fixture.tree.path("a/e/d")))
    try fixture.move("a", to: "z")
    #expect(try fixture.update(["a"]).went == ["a/b/1.png", "a/e/2.png", "a/e/d/3.png", "a/new/x/5.png"])
    // The renamed folder is not known yet by its new name.
    #expect(try fixture.update([""]).came == ["z/b/1.png", "z/e/2.png", "z/e/d/3.png", "z/new/x/5.png"])
  }

  @Test("A file that is being written comes later, and one that is overwritten stays")
  func unfinished() throws {
    let fixture = try Fixture(["1.png"])
    try fixture.tree.makeFile("2.png")
    let names: Set<[UInt8]> = [Array("1.png".utf8), Array("2.png".utf8)]
    #expect(try fixture.update([""], unfinished: names) == ([], []))
    #expect(try fixture.update([""]) == (["2.png"], []))
  }

  @Test("A file and links to it are one photograph, whichever is found first")
  func links() throws {
    let fixture = try Fixture(["b/1.png", "b/2.png"])
    try fixture.tree.makeFolder("a")
    try fixture.tree.makeLink("a/later.png", to: "../b/1.png")
    try fixture.tree.makeLink("b/own.png", to: "2.png")
    #expect(try fixture.update(["a", "b"]) == ([], []))
    try fixture.tree.makeLink("a/first.png", to: "../b/3.png")
    try fixture.tree.makeFile("b/3.png")
    #expect(try fixture.update(["a", "b"]).came.count == 1)
    #expect(try fixture.update(["b"]).went.isEmpty)
    // A link to a file outside of the library is a photograph of its own.
    let other = try TemporaryTree()
    try other.makeFile("x.png")
    try fixture.tree.makeLink("a/outside.png", to: String(decoding: other.path("x.png").bytes, as: UTF8.self))
    #expect(try fixture.update(["a"]).came == ["a/outside.png"])
    #expect(try fixture.update(["a"]) == ([], []))
  }

  @Test("A file in whose place a scan listed a link does not appear a second time")
  func linkBeforeFile() throws {
    let fixture = try Fixture(["b/1.png"])
    try fixture.tree.makeFolder("a")
    try fixture.tree.makeLink("a/link.png", to: "../b/1.png")
    try fixture.rescan()
    #expect(fixture.shown.count == 1)
    try fixture.tree.makeFile("b/2.png")
    #expect(try fixture.update(["b"]).came == ["b/2.png"])
  }

  @Test("A folder that a link shows again is not listed a second time")
  func linkedFolders() throws {
    let fixture = try Fixture(["2019/1.png", "2019/deep/2.png"])
    let watcher = try FolderWatcher()
    defer { watcher.close() }
    for name in ["2019", "2019/deep"] { watcher.watch(fixture.tree.path(name)) }
    watcher.watch(fixture.tree.root)
    try fixture.tree.makeFolder("best")
    try fixture.tree.makeLink("best/year", to: "../2019")
    try fixture.tree.makeLink("best/all", to: "..")
    #expect(try fixture.update([""], watcher: watcher) == ([], []))
    #expect(watcher.isWatching(fixture.tree.path("2019")) && !watcher.isWatching(fixture.tree.path("best/year")))
  }

  @Test("A folder that replaces another one of its name has its own files only")
  func replacedFolder() throws {
    let fixture = try Fixture(["x/1.png", "x/2.png"])
    try fixture.move("x", to: ".old")
    try fixture.tree.makeFile("x/2.png")
    try fixture.tree.makeFile("x/3.png")
    let update = try fixture.update(["", "x"])
    #expect(update.came == ["x/3.png"] && update.went == ["x/1.png"])
  }

  @Test("A folder that a file replaces has no photographs, and the file is one")
  func replacedByFile() throws {
    let fixture = try Fixture(["x/1.png", "x/deep/2.png", "y.png/3.png", "4.png"])
    for name in ["x", "y.png"] { TreeEraser.erase(fixture.tree.path(name)) }
    try fixture.tree.makeFile("x")
    try fixture.tree.makeFile("y.png")
    // The folders are reported in any order, and each as it was when the watcher saw it.
    #expect(try fixture.update(["x", "y.png", "x/deep"]) == ([], ["x/1.png", "x/deep/2.png", "y.png/3.png"]))
    #expect(try fixture.update([""]) == (["x", "y.png"], []))
    try fixture.remove("x")
    try fixture.tree.makeFile("x/1.png")
    #expect(try fixture.update([""]) == (["x/1.png"], ["x"]))
  }

  @Test("A root that a file replaces is offline")
  func replacedRoot() throws {
    let fixture = try Fixture(["1.png"])
    let root = try LibraryRoot(checking: fixture.tree.root)
    TreeEraser.erase(root.path)
    try fixture.tree.makeFile(at: root.path.lastComponent, in: root.path.parent)
    defer { unlink(root.path.cString) }
    for scan in [
      FolderScan(of: [FolderChange(folder: root.path)], within: [root], options: ScanOptions(batches: .bySize)),
      FolderScan(roots: [root], options: ScanOptions(batches: .bySize)),
    ] {
      try scan.start()
      let events = scan.takeBatch(count: 10)
      scan.join()
      #expect(events.contains { if case .problem(let problem) = $0 { problem.folder == root.path } else { false } })
      #expect(!events.contains { if case .relisted = $0 { true } else { false } })
    }
  }

  @Test("A library whose folder is missing is offline, and keeps its photographs")
  func missingRoot() throws {
    let fixture = try Fixture(["1.png"])
    let elsewhere = PhotoPath(fixture.tree.root.bytes + Array("-moved".utf8))
    let root = try LibraryRoot(checking: fixture.tree.root)
    try #require(rename(fixture.tree.root.cString, elsewhere.cString) == 0)
    defer { rename(elsewhere.cString, fixture.tree.root.cString) }
    let scan = FolderScan(
      of: [FolderChange(folder: root.path)], within: [root], options: ScanOptions(batches: .bySize))
    try scan.start()
    let events = scan.takeBatch(count: 10)
    scan.join()
    #expect(events.contains { if case .problem(let problem) = $0 { problem.folder == root.path } else { false } })
    #expect(!events.contains { if case .relisted = $0 { true } else { false } })
  }
}
