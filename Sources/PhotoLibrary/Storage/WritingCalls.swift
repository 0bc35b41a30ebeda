import Glibc

/// The one door to the system for writing: files of our own, for ``AtomicFile`` alone.
enum FileWritingCalls {
  /// Makes a new file that the user alone may read; fails where the name is taken.
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

  /// Waits until the disk has it.
  ///
  /// The C function is `fsync`.
  static func synchronize(_ open: borrowing FileDescriptor) throws(FileError) {
    guard fsync(open.number) == 0 else { throw FileError(.write, code: errno) }
  }

  /// Gives a file another name in its folder, at one stroke.
  ///
  /// The C function is `renameat`.
  static func rename(_ name: [UInt8], to other: [UInt8], in folder: borrowing FileDescriptor) throws(FileError) {
    guard renameat(folder.number, name.asCString, folder.number, other.asCString) == 0 else {
      throw FileError(.rename, code: errno)
    }
  }

  /// Removes one of our own files, if it is there.
  ///
  /// The C function is `unlinkat`.
  static func remove(_ name: [UInt8], in folder: borrowing FileDescriptor) {
    unlinkat(folder.number, name.asCString, 0)
  }

  /// Makes a folder that the user alone may read, unless one stands there.
  ///
  /// The C function is `mkdirat`.
  static func makeFolder(_ path: PhotoPath) throws(FileError) {
    let place = try AnchoredPath(path)
    if mkdirat(place.folder.number, place.relativePath, 0o700) == 0 { return }
    let code = errno
    guard code == EEXIST,
      try SystemCalls.status(named: place.relativePath, in: place.folder, followingLink: true).type == .folder
    else { throw FileError(.makeFolder, code: code) }
  }
}

extension FileError {
  /// A file that is not what we wrote.
  static let tooLarge = FileError(.read, code: EFBIG)
}
