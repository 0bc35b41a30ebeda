/// Small files of our own, in our own cache and configuration folders: written whole or not at all.
///
/// A reader, another instance of the program too, sees the old contents or the new ones, never a part. Nothing else in
/// this target can write, and no user's file is ever given to it.
public enum AtomicFile {
  /// Writes a file, replacing the one that stands there.
  ///
  /// The bytes go to a new file in the same folder, readable by the user alone, which is then renamed. The C functions
  /// are `openat`, `write` and `renameat`.
  ///
  /// - Parameters:
  ///   - bytes: the contents.
  ///   - path: where; its folder must exist.
  ///   - isDurable: whether to wait until the disk has it (`fsync`), which takes milliseconds.
  /// - Throws: ``FileError``; the old file then stands, and nothing is left behind.
  public static func write(_ bytes: [UInt8], to path: PhotoPath, isDurable: Bool = false) throws(FileError) {
    let folder = try SystemCalls.openFolder(path.parent)
    let name = Array(path.lastComponent)
    let temporary = temporaryName()
    do {
      let file = try FileWritingCalls.createFile(named: temporary, in: folder)
      try FileWritingCalls.write(bytes, to: file)
      if isDurable { try FileWritingCalls.synchronize(file) }
      try FileWritingCalls.rename(temporary, to: name, in: folder)
    } catch {
      FileWritingCalls.remove(temporary, in: folder)
      throw error
    }
    if isDurable { try FileWritingCalls.synchronize(folder) }
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: where.
  ///   - count: the most bytes that make sense.
  /// - Throws: ``FileError`` where there is no regular file that may be read, or it is larger.
  public static func read(_ path: PhotoPath, atMost count: Int) throws(FileError) -> [UInt8] {
    let file = try SystemCalls.openFile(path)
    let status = try SystemCalls.status(of: file)
    guard status.type == .file, status.identity.byteCount <= Int64(count) else { throw FileError.tooLarge }
    return try SystemCalls.read(file, from: 0, count: Int(status.identity.byteCount))
  }

  /// Whether a folder stands at a path; a link counts as what it leads to.
  ///
  /// The C function is `fstatat`.
  public static func folderExists(at path: PhotoPath) -> Bool { (try? SystemCalls.status(of: path).type) == .folder }

  /// Makes a folder and those on the way to it, for the user alone; does nothing where it stands.
  ///
  /// The C function is `mkdirat`.
  public static func makeFolder(_ path: PhotoPath) throws(FileError) {
    do {
      try FileWritingCalls.makeFolder(path)
    } catch {
      guard error.isNotFound, path.parent != path else { throw error }
      try makeFolder(path.parent)
      try FileWritingCalls.makeFolder(path)
    }
  }

  /// Hidden, and of a length that any folder takes.
  private static func temporaryName() -> [UInt8] {
    Array(".vitrine-\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp".utf8)
  }
}
