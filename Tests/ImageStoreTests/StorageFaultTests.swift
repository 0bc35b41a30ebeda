import Glibc
import Testing
import VitrineTestSupport

@testable import VitrineImageStore

@Suite("Why nothing is stored in the cache folder is described for the user")
struct StorageFaultTests {
  @Test(
    "The folder is named, with what is wrong with it",
    arguments: [
      (EROFS, "the cache folder /c is on a read-only file system"),
      (ENOSPC, "the disk of the cache folder /c is full; free some space"),
      (EDQUOT, "the quota of the disk of the cache folder /c is used up; free some space"),
      (EACCES, "the cache folder /c may not be written: permission denied"),
      (ENOTDIR, "the cache folder /c is not a folder, or is within a file"),
      (EMFILE, "the cache folder /c cannot be used: cannot open a.sqlite: Too many open files"),
    ])
  func reasons(code: Int32, text: String) {
    #expect(StorageFault.text(for: StorageError(.open, "a.sqlite", code: code), name: "/c", obstacle: nil) == text)
    guard code != EMFILE else { return }
    // A database reports only that its file is missing.
    let missing = StorageError(.open, "a.sqlite", code: ENOENT)
    #expect(StorageFault.text(for: missing, name: "/c", obstacle: code) == text)
  }

  @Test("A missing file is explained by the nearest folder that exists")
  func nearestFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "file")
    let missing = StorageError(.open, "a.sqlite", code: ENOENT)
    let within = StorageFault.text(for: missing, in: folder.pathBytes(of: "file") + Array("/a/b".utf8))
    #expect(within.hasSuffix("is not a folder, or is within a file"))
    // The system's own file system cannot be written by any user.
    #expect(StorageFault.text(for: missing, in: Array("/proc/vitrine/cache".utf8)).hasPrefix("the cache folder /proc"))
    // A folder that can be written does not explain the error.
    let whole = StorageFault.text(for: missing, in: folder.pathBytes)
    #expect(whole.hasSuffix("cannot be used: cannot open a.sqlite: No such file or directory"))
  }
}
