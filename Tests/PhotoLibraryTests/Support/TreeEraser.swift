import Glibc

@testable import PhotoLibrary

/// Removes a test's folder with all in it, however deep.
enum TreeEraser {
  static func erase(_ path: PhotoPath) {
    if let folder = try? SystemCalls.openFolder(path) { empty(folder) }
    rmdir(path.text)
  }

  private static func empty(_ folder: borrowing FileDescriptor) {
    var names: [[CChar]] = []
    try? SystemCalls.forEachEntry(in: folder) { name, _ in names.append(name.asCString) }
    for name in names where unlinkat(folder.number, name, 0) != 0 {
      // A test may have closed it to everybody.
      fchmodat(folder.number, name, 0o700, 0)
      if let inner = try? SystemCalls.openFolder(named: name, in: folder, followingLink: false) { empty(inner) }
      unlinkat(folder.number, name, AT_REMOVEDIR)
    }
  }
}
