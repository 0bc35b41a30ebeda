import Testing
import VitrineTestSupport
import VitrineThreads

@testable import VitrinePhotoLibrary

@Suite("Removed disks")
struct RemovedDisksTests {
  private typealias Known = RemovedDisks.KnownFolder

  private func known(_ folders: [(String, UInt64)]) -> [Known] {
    folders.map { Known(path: PhotoPath($0.0), fileSystem: $0.1) }
  }

  @Test(
    "An empty folder lost its disk if all its photographs were on another one, and no disk is mounted there",
    arguments: [
      // The photographs were on disk 7, and the folder is on 1 as is the one that contains it.
      ([7], 1, 1, true), ([7, 7], 1, 1, true), ([7, 8], 1, 1, true), ([7], 1, nil, true), ([7], 1, 0, true),
      // Deleted: on the same disk, some on the same disk, or on a disk that is mounted.
      ([1], 1, 1, false), ([7, 1], 1, 1, false), ([7], 9, 1, false), ([7], 7, 1, false),
      // Nothing is known.
      ([], 1, 1, false), ([0], 1, 1, false), ([7, 0], 1, 1, false),
    ] as [([UInt64], UInt64, UInt64?, Bool)])
  func emptyFolders(disks: [UInt64], disk: UInt64, parentDisk: UInt64?, expected: Bool) {
    let folders = known(disks.enumerated().map { ("/m/\($0.offset)", $0.element) })
    #expect(RemovedDisks.leftEmpty(folders, on: disk, in: parentDisk) == expected)
  }

  @Test("Of the folders that do not exist, those on another disk are missing with it, and the others are deleted")
  func missingFolders() {
    let folders = known([
      ("/r", 1), ("/r/a", 1), ("/r/a/gone", 1), ("/r/b/usb/x", 7), ("/r/b/usb/x/y", 7), ("/r/b/usb/z", 7), ("/r/c", 7),
      ("/r/d", 7), ("/r/d/own", 1), ("/r/e", 0), ("/r2", 7),
    ])
    // A disk that is mounted at /r/c has another number than before.
    let existing = ["/", "/r", "/r/a", "/r/b"].reduce(into: [PhotoPath("/r/c"): UInt64(8)]) { $0[PhotoPath($1)] = 1 }
    let missing = RemovedDisks.missingFolders(among: folders, within: PhotoPath("/r")) { existing[$0] }
    #expect(missing == [PhotoPath("/r/b/usb")])
    #expect(RemovedDisks.missingFolders(among: [], within: PhotoPath("/r")) { _ in nil } == [])
  }

  // MARK: - Scans

  /// Pretends that the photographs of a folder, as they are stored, were on another disk.
  private func moveToOtherDisk(_ folder: PhotoPath, in store: CatalogueStore) throws {
    var record = try #require(store.record(of: folder))
    record.fileSystem = 77
    try store.store([record])
  }

  private func problems(_ events: [LibraryEvent]) -> [ScanProblem] {
    events.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
  }

  @Test("After a scan the photographs of an empty mount point, or of one that was removed, are known and offline")
  func scan() throws {
    let fixture = CatalogueStoreTests.Fixture()
    let photos = try #require(fixture.photos)
    let store = try fixture.store()
    for name in ["1.png", "usb/2.png", "media/usb/deep/3.png", "emptied/4.png", "deleted/5.png"] {
      fixture.age(try photos.makeFile(name))
    }
    #expect(problems(try fixture.scan(store).events).isEmpty)
    for name in ["usb", "media/usb/deep"] { try moveToOtherDisk(photos.path(name), in: store) }
    for name in ["usb/2.png", "emptied/4.png"] { try photos.remove(name) }
    for name in ["media", "deleted"] { TreeEraser.erase(photos.path(name)) }
    for _ in 0..<2 {
      let found = problems(try fixture.scan(store).events)
      #expect(found.map(\.folder) == [photos.path("usb"), photos.path("media")])
      #expect(found.allSatisfy { $0.reason == .unmounted && $0.description.hasSuffix("its disk was removed") })
      // They are still there in the next run.
      #expect(try fixture.restore(store)?.count == 3)
    }
    // The disk is back.
    try photos.makeFile("usb/2.png")
    #expect(problems(try fixture.scan(store).events).map(\.folder) == [photos.path("media")])
    #expect(store.knownFolders(within: photos.path("usb")).allSatisfy { $0.fileSystem != 77 })
  }

  @Test("A root that is an empty mount point is offline")
  func root() throws {
    let fixture = CatalogueStoreTests.Fixture()
    let photos = try #require(fixture.photos)
    let store = try fixture.store()
    fixture.age(try photos.makeFile("2019/1.png"))
    _ = try fixture.scan(store)
    try moveToOtherDisk(photos.path("2019"), in: store)
    TreeEraser.erase(photos.path("2019"))
    #expect(problems(try fixture.scan(store).events).map(\.folder) == [photos.root])
    #expect(try fixture.restore(store)?.count == 1)
  }

  @Test("An update reports a removed disk before the list that lacks its folder, and no list of an empty mount point")
  func update() throws {
    let fixture = CatalogueStoreTests.Fixture()
    let photos = try #require(fixture.photos)
    let store = try fixture.store()
    for name in ["1.png", "a/usb/2.png", "b/3.png"] { fixture.age(try photos.makeFile(name)) }
    _ = try fixture.scan(store)
    func update(_ names: [String]) throws -> [LibraryEvent] {
      let changes = names.map { FolderChange(folder: $0.isEmpty ? photos.root : photos.path($0)) }
      let scan = FolderScan(
        of: changes, within: [try fixture.root()], options: ScanOptions(batches: .bySize, catalogue: store))
      try scan.start()
      defer { scan.join() }
      return scan.takeBatch(count: 100)
    }
    func kinds(_ events: [LibraryEvent]) -> [String] {
      events.compactMap { event in
        switch event {
        case .problem(let problem): "- \(problem.folder.label)"
        case .relisted(let listing): "+ \(listing.folder.label)"
        default: nil
        }
      }
    }
    for name in ["a/usb", "b"] { try moveToOtherDisk(photos.path(name), in: store) }
    try photos.remove("b/3.png")
    #expect(kinds(try update(["b"])) == ["- b"])
    TreeEraser.erase(photos.path("a/usb"))
    #expect(kinds(try update(["a/usb"])) == ["- usb"])
    #expect(kinds(try update(["a"])) == ["- a"], "the folder is empty, and what was in it was on a disk")
    try photos.makeFile("a/4.png")
    #expect(kinds(try update(["a"])) == ["- usb", "+ a"])
    #expect(try fixture.restore(store)?.count == 4)
  }
}
