import Glibc

/// Operations on the program's own small files in its cache and configuration folders, with atomic writes.
///
/// Readers, including other instances of the program, see either the old or the new contents. No other type of this
/// target writes files, and none of the user's files is ever passed to this one.
package enum AtomicFile {
  /// Writes a file, replacing an existing one.
  ///
  /// The bytes are written to a new file in the same folder, readable by the user only, which is then renamed. The C
  /// functions are `openat`, `write` and `renameat`.
  ///
  /// - Parameters:
  ///   - bytes: The contents.
  ///   - path: The path of the file. Its folder must exist.
  ///   - isDurable: Whether to wait until the file is on disk (`fsync`), which takes milliseconds. Default: false.
  /// - Throws: ``FileError``. The old file then stays in place, and no temporary file is left behind.
  package static func write(_ bytes: [UInt8], to path: PhotoPath, isDurable: Bool = false) throws(FileError) {
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
  ///   - path: The path of the file.
  ///   - count: The maximum length in bytes.
  /// - Throws: ``FileError`` if the file is not a regular file, cannot be read, or is longer.
  package static func read(_ path: PhotoPath, atMost count: Int) throws(FileError) -> [UInt8] {
    let file = try SystemCalls.openFile(path)
    let status = try SystemCalls.status(of: file)
    guard status.type == .file, status.identity.byteCount <= Int64(count) else { throw FileError.tooLarge }
    return try SystemCalls.read(file, from: 0, count: Int(status.identity.byteCount))
  }

  /// Returns whether there is a folder at a path.
  ///
  /// Symbolic links are followed.
  ///
  /// The C function is `fstatat`.
  package static func folderExists(at path: PhotoPath) -> Bool { (try? SystemCalls.status(of: path).type) == .folder }

  /// Creates a folder and its missing parents, accessible to the user only.
  ///
  /// Does nothing if the folder exists.
  ///
  /// The C function is `mkdirat`.
  package static func makeFolder(_ path: PhotoPath) throws(FileError) {
    do {
      try FileWritingCalls.makeFolder(path)
    } catch {
      guard error.isNotFound, path.parent != path else { throw error }
      try makeFolder(path.parent)
      try FileWritingCalls.makeFolder(path)
    }
  }

  /// Returns the number of bytes of a regular file, or nil if there is none.
  package static func byteCount(of path: PhotoPath) -> Int? {
    guard let status = try? SystemCalls.status(of: path), status.type == .file else { return nil }
    return Int(status.identity.byteCount)
  }

  /// Returns a name that is hidden and short enough for any folder.
  private static func temporaryName() -> [UInt8] {
    Array(".vitrine-\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp".utf8)
  }
}

/// The system calls that write, for ``AtomicFile`` only.
private enum FileWritingCalls {
  /// Creates a file that only the user can read.
  ///
  /// Fails if the name exists.
  ///
  /// The C function is `openat` with O_EXCL.
  static func createFile(named name: [UInt8], in folder: borrowing FileDescriptor) throws(FileError) -> FileDescriptor {
    let number = openat(folder.number, name.asCString, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw FileError(.write, code: errno) }
    return FileDescriptor(adopting: number)
  }

  /// Writes all bytes.
  ///
  /// The C function is `write`.
  static func write(_ bytes: [UInt8], to file: borrowing FileDescriptor) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw FileError(.write, code: errno) }
      done += max(0, count)
    }
  }

  /// Waits until the file is on disk.
  ///
  /// The C function is `fsync`.
  static func synchronize(_ open: borrowing FileDescriptor) throws(FileError) {
    guard fsync(open.number) == 0 else { throw FileError(.write, code: errno) }
  }

  /// Renames a file within its folder, atomically.
  ///
  /// The C function is `renameat`.
  static func rename(_ name: [UInt8], to other: [UInt8], in folder: borrowing FileDescriptor) throws(FileError) {
    guard renameat(folder.number, name.asCString, folder.number, other.asCString) == 0 else {
      throw FileError(.rename, code: errno)
    }
  }

  /// Removes a file if it exists.
  ///
  /// The C function is `unlinkat`.
  static func remove(_ name: [UInt8], in folder: borrowing FileDescriptor) {
    unlinkat(folder.number, name.asCString, 0)
  }

  /// Creates a folder that only the user can read, unless it exists.
  ///
  /// The C function is `mkdirat`.
  static func makeFolder(_ path: PhotoPath) throws(FileError) {
    let anchor = try AnchoredPath(path)
    if mkdirat(anchor.folder.number, anchor.relativePath, 0o700) == 0 { return }
    let code = errno
    guard code == EEXIST,
      try SystemCalls.status(named: anchor.relativePath, in: anchor.folder, followingLink: true).type == .folder
    else { throw FileError(.makeFolder, code: code == EEXIST ? ENOTDIR : code) }
  }
}

extension FileError {
  /// The error for a file that is longer than the ones this program writes.
  static let tooLarge = FileError(.read, code: EFBIG)
}
