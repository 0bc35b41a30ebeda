import Glibc
import Testing

@testable import VitrinePhotoLibrary

@Suite("Folders that are out of reach")
struct UnreachableFoldersTests {
  private typealias Finding = UnreachableFolders.Finding
  private let root = PhotoPath("/disk")
  private let folder = Finding.folder(FileKey(device: 1, inode: 2))

  @Test("A root is read again as soon as something else is found at its path, and once")
  func changes() {
    var roots = UnreachableFolders(interval: 10)
    roots.insert(root, .failure(ENOENT), isRoot: true, at: 0)
    let found: [Finding] = [
      .failure(ENOENT), .failure(ENOTDIR), .failure(ENOTDIR), folder, folder,
      // A disk was mounted at the folder.
      .folder(FileKey(device: 7, inode: 2)),
    ]
    let results = found.map { roots.update([root: $0], at: 10) }
    #expect(results == [false, true, false, true, false, true])
  }

  @Test("There is a next examination only while a root is out of reach")
  func times() {
    var roots = UnreachableFolders(interval: 10)
    #expect(roots.nextTime == nil)
    roots.insert(root, .failure(ENOENT), isRoot: true, at: 5)
    roots.insert(PhotoPath("/other"), .failure(ENOENT), isRoot: true, at: 9)
    #expect(roots.nextTime == 15, "another root does not postpone it")
    _ = roots.update([root: .failure(ENOENT)], at: 16)
    #expect(roots.nextTime == 26)
    roots.remove(root)
    #expect(roots.nextTime == 26 && roots.paths == [PhotoPath("/other")])
    roots.remove(PhotoPath("/other"))
    #expect(roots.nextTime == nil)
    let hasChanged = roots.update([root: folder], at: 30)
    #expect(!hasChanged, "it was read during the examination")
    #expect(roots.nextTime == nil && roots.paths.isEmpty)
  }

  @Test("Of the folders of a removed disk only the outermost one is examined, and roots always are")
  func outermost() {
    var folders = UnreachableFolders(interval: 10)
    func insert(_ path: String, isRoot: Bool = false) {
      folders.insert(PhotoPath(path), folder, isRoot: isRoot, at: 0)
    }
    func paths() -> [String] { folders.paths.map(\.printable).sorted() }
    for path in ["/a/disk/2019/07", "/a/disk/2019", "/a/disk2", "/a/disk", "/a/disk/2020"] { insert(path) }
    #expect(paths() == ["/a/disk", "/a/disk2"])
    insert("/a/disk/root", isRoot: true)
    insert("/a")
    #expect(paths() == ["/a", "/a/disk/root"])
    insert("/a", isRoot: false)
    folders.remove(PhotoPath("/a"))
    folders.remove(PhotoPath("/a/disk/root"))
    #expect(folders.paths.isEmpty && folders.nextTime == nil)
  }

  @Test("A folder, a missing one and a file are told apart")
  func findings() throws {
    let tree = try TemporaryTree()
    try tree.makeFile("file")
    let status = try SystemCalls.status(of: tree.root)
    #expect(Finding(at: tree.root) == .folder(status.key))
    #expect(Finding(at: tree.path("missing")) == .failure(ENOENT))
    #expect(Finding(at: tree.path("file")) == .failure(ENOTDIR))
  }
}
