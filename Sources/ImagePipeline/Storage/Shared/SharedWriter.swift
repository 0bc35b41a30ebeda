import Glibc

/// Puts files into the folders that programs share, whole or not at all.
///
/// Each is written under a name of our own in its folder and then given its own by a rename. What a killed instance leaves
/// behind is one file a folder, which the next one takes. Belongs to one thread.
struct SharedThumbnailWriter {
  /// What became of a file.
  enum Outcome: Hashable {
    /// It is there.
    case written
    /// Another program was faster.
    case alreadyPresent
    /// Another instance writes in this folder at this moment.
    case busy
  }

  /// The name of what is not whole yet.
  static let partName = ".vitrine.part"
  private static let maximumTries = 8

  /// Opens a folder for thumbnails, and makes it, and that of all thumbnails, where they are missing.
  ///
  /// - Parameters:
  ///   - path: the folder of all thumbnails.
  ///   - names: the way from there.
  /// - Throws: ``StorageError``, also where one of them is another user's, or one on the way is a link; that of all
  ///   thumbnails may be one, as users move folders to other disks.
  static func openFolder(_ path: [UInt8], _ names: [String]) throws(StorageError) -> StorageFolder {
    var folder = try StorageFolder(inExistingFolder: path)
    guard try folder.isOwn() else { throw StorageError(.open, folder.name, code: EPERM) }
    for name in names { folder = try folder.openSubfolder(name) }
    return folder
  }

  /// Puts a file into a folder.
  ///
  /// - Parameters:
  ///   - bytes: what it holds.
  ///   - name: its name; what has it is replaced.
  ///   - folder: where.
  ///   - isThere: whether another program has put it there meanwhile; asked at the last moment.
  /// - Throws: ``StorageError`` where the disk takes it not; nothing is left behind.
  static func writeFile(
    _ bytes: [UInt8], as name: String, in folder: StorageFolder, unless isThere: () -> Bool
  ) throws(StorageError) -> Outcome {
    guard let part = try openPartialFile(in: folder) else { return .busy }
    do throws(StorageError) {
      try part.write(bytes, at: 0)
      guard !isThere() else {
        folder.remove(partName)
        return .alreadyPresent
      }
      try folder.rename(partName, to: name)
    } catch {
      folder.remove(partName)
      throw error
    }
    // Held until here: nobody else may take it while it has that name.
    withExtendedLifetime(part) {}
    return .written
  }

  /// The empty file to write to; nothing where another instance has it.
  private static func openPartialFile(in folder: StorageFolder) throws(StorageError) -> StorageFile? {
    for _ in 0..<maximumTries {
      let part = try folder.open(partName)
      guard part.isWritable else { throw StorageError(.write, partName, code: EACCES) }
      guard try part.tryLockExclusively() else { return nil }
      let status = try part.status()
      // Whole since it was opened, and under its own name: no part any more.
      guard folder.inode(of: Array(partName.utf8)) == status.inode else { continue }
      guard status.isOwn, status.nameCount == 1 else {
        // It is a name for something else too, which is not to be emptied: unlinked, and made anew.
        folder.remove(partName)
        continue
      }
      try part.makePrivate()
      try part.truncate(to: 0)
      return part
    }
    return nil
  }
}
