import Glibc
import Testing
import VitrineTestSupport
import VitrineThreads

@testable import VitrinePhotoLibrary

/// Changes of real folders, as the system reports them.
@Suite("Watching folders", .timeLimit(.minutes(2)))
struct FolderWatcherTests {
  /// A watcher of a temporary folder, whose changes a test waits for.
  private final class Fixture {
    let tree = try? TemporaryTree()
    let watcher: FolderWatcher
    private let wakes: Lock<Int>

    init(examinationInterval: Duration = .seconds(600), rootInterval: Duration = .seconds(600)) throws {
      let wakes = Lock(0)
      self.wakes = wakes
      watcher = try FolderWatcher(examinationInterval: examinationInterval, rootInterval: rootInterval) {
        wakes.withLock { $0 += 1 }
        wakes.wakeAll()
      }
    }

    deinit { watcher.close() }

    /// Waits for changes until they satisfy a condition; the test fails by its time limit otherwise.
    func waitForChanges(until isEnough: (FolderWatcher.Changes) -> Bool) -> FolderWatcher.Changes {
      var all = FolderWatcher.Changes()
      while true {
        let changes = watcher.takeChanges()
        all.folders += changes.folders
        all.unmounted += changes.unmounted
        all.needsRescan = all.needsRescan || changes.needsRescan
        if isEnough(all) { return all }
        wakes.wait { count in
          defer { count = 0 }
          return count > 0 ? () : nil
        }
      }
    }
  }

  @Test("A new, an overwritten, a renamed and a deleted file are changes of their folder")
  func files() throws {
    let fixture = try Fixture()
    let tree = try #require(fixture.tree)
    let folder = try tree.makeFolder("a")
    fixture.watcher.watch(tree.root)
    fixture.watcher.watch(folder)
    #expect(fixture.watcher.count == 2)
    for change in [
      { try tree.makeFile("a/new.png") }, { try tree.makeFile("a/new.png", [1]) },
      {
        try #require(rename(tree.path("a/new.png").cString, tree.path("a/other.png").cString) == 0)
        return folder
      },
      {
        try #require(unlink(tree.path("a/other.png").cString) == 0)
        return folder
      },
    ] as [() throws -> PhotoPath] {
      _ = try change()
      let changes = fixture.waitForChanges { !$0.folders.isEmpty }
      #expect(Set(changes.folders) == [FolderChange(folder: folder)] && !changes.needsRescan)
    }
  }

  @Test("Folders beyond the limit are examined instead, and the watcher says so")
  func limit() throws {
    let tree = try TemporaryTree()
    let watcher = try FolderWatcher(examinationInterval: .seconds(600), maximumWatchCount: 1)
    defer { watcher.close() }
    watcher.watch(tree.root)
    #expect(!watcher.hasReachedLimit)
    watcher.watch(tree.path("missing"))
    let folder = try tree.makeFolder("a")
    watcher.watch(folder)
    #expect(watcher.hasReachedLimit && watcher.isWatching(folder))
  }

  @Test("An open file is unfinished until it is closed")
  func openFile() throws {
    let fixture = try Fixture()
    let tree = try #require(fixture.tree)
    fixture.watcher.watch(tree.root)
    let number = open(tree.path("big.png").cString, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    try #require(number >= 0)
    try tree.makeFile("small.png")
    let first = fixture.waitForChanges { !$0.folders.isEmpty }
    #expect(first.folders.first == FolderChange(folder: tree.root, unfinishedNames: [Array("big.png".utf8)]))
    close(number)
    let last = fixture.waitForChanges { $0.folders.contains(FolderChange(folder: tree.root)) }
    #expect(last.unmounted.isEmpty)
  }

  @Test("A renamed folder is not watched by its former path, and one that is watched again by its new path only")
  func renamedFolder() throws {
    let fixture = try Fixture()
    let tree = try #require(fixture.tree)
    let folder = try tree.makeFolder("a")
    let inner = try tree.makeFolder("a/b")
    for path in [tree.root, folder, inner] { fixture.watcher.watch(path) }
    try #require(rename(folder.cString, tree.path("c").cString) == 0)
    _ = fixture.waitForChanges { $0.folders.contains { $0.folder == tree.root } }
    #expect(fixture.watcher.count == 1)
    fixture.watcher.watch(tree.path("c"))
    fixture.watcher.watch(tree.path("c/b"))
    try tree.makeFile("c/b/new.png")
    let changes = fixture.waitForChanges { !$0.folders.isEmpty }
    #expect(changes.folders.map(\.folder) == [tree.path("c/b")])
  }

  @Test("A folder that cannot be watched is examined regularly")
  func examined() throws {
    let fixture = try Fixture(examinationInterval: .milliseconds(20))
    let tree = try #require(fixture.tree)
    // An old date, because the file may be created within the same tick of the file system's clock.
    var old = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
    try #require(utimensat(AT_FDCWD, tree.root.cString, &old, 0) == 0)
    fixture.watcher.watch(tree.root, isOnNetwork: true)
    try tree.makeFile("new.png")
    let changes = fixture.waitForChanges { !$0.folders.isEmpty }
    #expect(changes.folders.map(\.folder) == [tree.root])
  }

  @Test("A deleted folder is no longer watched, and a closed watcher watches nothing")
  func stopped() throws {
    let fixture = try Fixture()
    let tree = try #require(fixture.tree)
    let (kept, left) = (try tree.makeFolder("kept"), try tree.makeFolder("left"))
    for path in [tree.root, kept, left] { fixture.watcher.watch(path) }
    try #require(rmdir(left.cString) == 0)
    _ = fixture.waitForChanges { $0.folders.contains { $0.folder == tree.root } }
    #expect(fixture.watcher.count == 2 && !fixture.watcher.isWatching(left))
    fixture.watcher.close()
    fixture.watcher.watch(try tree.makeFolder("new"))
    #expect(fixture.watcher.count == 2)
  }

  @Test("A root that is moved together with the folder that contains it is a change, and is watched again")
  func movedParent() throws {
    let fixture = try Fixture()
    let tree = try #require(fixture.tree)
    let root = try tree.makeFolder("outer/parent/disk")
    let inner = try tree.makeFolder("outer/parent/disk/inner")
    for name in ["outer", "outer/parent"] {
      fixture.watcher.watch(root, isRoot: true)
      fixture.watcher.watch(inner)
      #expect(fixture.watcher.count == 2)
      let (path, away) = (tree.path(name), tree.path("away"))
      try #require(rename(path.cString, away.cString) == 0)
      let changes = fixture.waitForChanges { !$0.folders.isEmpty }
      #expect(changes.folders == [FolderChange(folder: root)] && fixture.watcher.count == 0)
      try #require(rename(away.cString, path.cString) == 0)
    }
  }

  @Test("A root within another one is watched as a root and as a folder")
  func nestedRoots() throws {
    let fixture = try Fixture()
    let tree = try #require(fixture.tree)
    let inner = try tree.makeFolder("outer/inner")
    let outer = tree.path("outer")
    // In this order, so that the outer folder is watched for moves first.
    fixture.watcher.watch(inner, isRoot: true)
    fixture.watcher.watch(outer, isRoot: true)
    try tree.makeFile("outer/new.png")
    #expect(fixture.waitForChanges { !$0.folders.isEmpty }.folders.map(\.folder) == [outer])
    try #require(rename(outer.cString, tree.path("away").cString) == 0)
    let changes = fixture.waitForChanges { $0.folders.count == 2 }
    #expect(Set(changes.folders.map(\.folder)) == [outer, inner])
  }

  @Test("A root that is out of reach is found again, also if a file or another folder was at its path meanwhile")
  func returnedRoot() throws {
    let fixture = try Fixture(rootInterval: .milliseconds(10))
    let tree = try #require(fixture.tree)
    let root = try tree.makeFolder("disk")
    fixture.watcher.watch(root, isRoot: true)
    try #require(rename(root.cString, tree.path("away").cString) == 0)
    _ = fixture.waitForChanges { $0.folders.map(\.folder) == [root] }
    fixture.watcher.examineUnreachableFolder(root, after: FileError(.open, code: ENOENT), isRoot: true)
    try tree.makeFile("disk")
    _ = fixture.waitForChanges(until: \.needsRescan)
    fixture.watcher.examineUnreachableFolder(root, after: FileError(.open, code: ENOTDIR), isRoot: true)
    try #require(unlink(root.cString) == 0 && rename(tree.path("away").cString, root.cString) == 0)
    _ = fixture.waitForChanges(until: \.needsRescan)
    fixture.watcher.watch(root, isRoot: true)
    #expect(fixture.watcher.isWatching(root))
    try tree.makeFile("disk/new.png")
    #expect(fixture.waitForChanges { !$0.folders.isEmpty }.folders.map(\.folder) == [root])
  }

  @Test("A folder whose disk was removed is found again when another folder is at its path, as a mounted disk is")
  func returnedDisk() throws {
    let fixture = try Fixture(rootInterval: .milliseconds(10))
    let tree = try #require(fixture.tree)
    let (disk, within) = (try tree.makeFolder("library/disk"), try tree.makeFolder("library/disk/2019"))
    for folder in [within, disk] { fixture.watcher.examineUnreachableFolder(folder, after: nil, isRoot: false) }
    try #require(rename(disk.cString, tree.path("away").cString) == 0)
    _ = fixture.waitForChanges(until: \.needsRescan)
    // The scan reads it, after which it is watched only.
    try tree.makeFolder("library/disk")
    _ = fixture.waitForChanges(until: \.needsRescan)
    fixture.watcher.watch(disk)
    try tree.makeFile("library/disk/new.png")
    #expect(fixture.waitForChanges { !$0.folders.isEmpty }.folders.map(\.folder) == [disk])
  }

  @Test("A scan that cannot read a root lets the watcher find it again")
  func scannedRoot() throws {
    let fixture = try Fixture(rootInterval: .milliseconds(10))
    let tree = try #require(fixture.tree)
    let folder = try tree.makeFolder("disk")
    let options = ScanOptions(batches: .bySize, watcher: fixture.watcher)
    let root = try LibraryRoot(checking: folder)
    func scan(_ scan: FolderScan) throws -> [ScanProblem] {
      try scan.start()
      defer { scan.join() }
      var problems: [ScanProblem] = []
      while true {
        for event in scan.takeBatch(count: 100) {
          if case .problem(let problem) = event { problems.append(problem) }
          if case .finished = event { return problems }
        }
      }
    }
    #expect(try scan(FolderScan(roots: [root], options: options)).isEmpty)
    try #require(rename(folder.cString, tree.path("away").cString) == 0)
    let changes = fixture.waitForChanges { !$0.folders.isEmpty }
    let problems = try scan(FolderScan(of: changes.folders, within: [root], options: options))
    #expect(problems == [ScanProblem(folder: folder, reason: .system(FileError(.open, code: ENOENT)))])
    try #require(rename(tree.path("away").cString, folder.cString) == 0)
    _ = fixture.waitForChanges(until: \.needsRescan)
    #expect(try scan(FolderScan(roots: [root], options: options)).isEmpty)
    #expect(fixture.watcher.isWatching(folder))
  }

  @Test("A folder that could not be read is reported again, without an event")
  func retry() throws {
    let fixture = try Fixture()
    let tree = try #require(fixture.tree)
    let folder = try tree.makeFolder("a")
    fixture.watcher.watch(folder)
    fixture.watcher.retry([folder])
    let changes = fixture.waitForChanges { !$0.folders.isEmpty }
    #expect(changes.folders == [FolderChange(folder: folder)] && !changes.needsRescan)
  }

  @Test("A missing folder is not watched")
  func missing() throws {
    let fixture = try Fixture()
    fixture.watcher.watch(PhotoPath("/nonexistent/folder"))
    #expect(fixture.watcher.count == 0 && !fixture.watcher.hasChanges)
  }
}
