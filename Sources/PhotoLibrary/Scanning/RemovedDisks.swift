/// The decision whether photographs that are missing were deleted, or are on a disk that was removed.
///
/// A folder at which a disk was mounted is empty when the disk is removed, and some systems remove the folder too. Its
/// photographs are then offline. They are if all of them were on another file system than the one that is there now.
enum RemovedDisks {
  /// A folder whose photographs are stored, and the file system on which they were.
  struct KnownFolder: Hashable, Sendable {
    var path: PhotoPath
    var fileSystem: UInt64
  }

  /// Returns whether an empty folder is empty because its disk was removed.
  ///
  /// - Parameters:
  ///   - known: The folder and those within, as far as their photographs are known.
  ///   - fileSystem: The file system of the folder.
  ///   - parentFileSystem: That of the folder that contains it, or nil or 0 if it cannot be read. If it is another one, a
  ///     disk is mounted at the folder, and its photographs were deleted.
  static func leftEmpty(_ known: [KnownFolder], on fileSystem: UInt64, in parentFileSystem: UInt64?) -> Bool {
    let isMountPoint = parentFileSystem.map { $0 != 0 && $0 != fileSystem } ?? false
    return !isMountPoint && areElsewhere(known, than: fileSystem)
  }

  /// Returns the outermost folders that do not exist because their disk was removed.
  ///
  /// - Parameters:
  ///   - known: Folders whose photographs are known, each before those within.
  ///   - root: A folder that exists and contains them.
  ///   - fileSystem: Returns the file system of a folder, or nil if it does not exist.
  /// - Complexity: O(*n*) calls for *n* folders, and more for those that do not exist.
  static func missingFolders(
    among known: [KnownFolder], within root: PhotoPath, fileSystem: (PhotoPath) -> UInt64?
  ) -> [PhotoPath] {
    var missing: [(path: PhotoPath, known: [KnownFolder])] = []
    for folder in known where folder.path != root {
      if let last = missing.last, folder.path.isWithin(last.path) {
        missing[missing.count - 1].known.append(folder)
        continue
      }
      guard folder.path.isWithin(root), fileSystem(folder.path) == nil else { continue }
      var outermost = folder.path
      while outermost.parent != root, fileSystem(outermost.parent) == nil { outermost = outermost.parent }
      missing.append((outermost, [folder]))
    }
    return missing.filter { folder in
      fileSystem(folder.path.parent).map { areElsewhere(folder.known, than: $0) } ?? false
    }.map(\.path)
  }

  private static func areElsewhere(_ known: [KnownFolder], than fileSystem: UInt64) -> Bool {
    // 0 is the file system of a folder that could not be examined.
    !known.isEmpty && known.allSatisfy { $0.fileSystem != fileSystem && $0.fileSystem != 0 }
  }
}
