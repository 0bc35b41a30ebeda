import Glibc
import Testing

@testable import VitrinePhotoLibrary

@Suite("Roots that are out of reach")
struct UnreachableRootsTests {
  private typealias Finding = UnreachableRoots.Finding
  private let root = PhotoPath("/disk")
  private let folder = Finding.folder(FileKey(device: 1, inode: 2))

  @Test("A root is read again as soon as something else is found at its path, and once")
  func changes() {
    var roots = UnreachableRoots(interval: 10)
    roots.insert(root, .failure(ENOENT), at: 0)
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
    var roots = UnreachableRoots(interval: 10)
    #expect(roots.nextTime == nil)
    roots.insert(root, .failure(ENOENT), at: 5)
    roots.insert(PhotoPath("/other"), .failure(ENOENT), at: 9)
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
