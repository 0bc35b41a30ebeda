import CPlatform
import Glibc

/// The one door to the system for reading folders and files; nothing here can open anything for writing.
///
/// Names are C strings of any bytes, zero-terminated. A folder that was opened stays the same folder however it is renamed meanwhile.
enum SystemCalls {
  /// Opens a folder by a path of any length, following links.
  ///
  /// The C function is `openat`.
  static func openFolder(_ path: PhotoPath) throws(FileError) -> FileDescriptor {
    let place = try AnchoredPath(path)
    return try openFolder(named: place.relativePath, in: place.folder, followingLink: true)
  }

  /// Opens a folder that stands in another.
  ///
  /// The C function is `openat`.
  static func openFolder(
    named name: [CChar], in folder: borrowing FileDescriptor, followingLink: Bool
  ) throws(FileError) -> FileDescriptor {
    let link = followingLink ? 0 : O_NOFOLLOW
    let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | link
    return FileDescriptor(adopting: try retrying(.open) { openat(folder.number, name, flags) })
  }

  /// Opens a file for reading by a path of any length.
  ///
  /// The C function is `openat`.
  static func openFile(_ path: PhotoPath) throws(FileError) -> FileDescriptor {
    let place = try AnchoredPath(path)
    return try openFile(named: place.relativePath, in: place.folder)
  }

  /// Opens a file that stands in a folder, for reading.
  ///
  /// The C function is `openat`.
  static func openFile(
    named name: [CChar], in folder: borrowing FileDescriptor
  ) throws(FileError) -> FileDescriptor {
    FileDescriptor(adopting: try retrying(.open) { platform_open_for_reading_at(folder.number, name) })
  }

  /// What an open file or folder is.
  ///
  /// The C function is `fstat`.
  static func status(of open: borrowing FileDescriptor) throws(FileError) -> FileStatus {
    var status = stat()
    _ = try retrying(.inspect) { fstat(open.number, &status) }
    return FileStatus(status)
  }

  /// What a name in a folder stands for.
  ///
  /// The C function is `fstatat`.
  static func status(
    named name: [CChar], in folder: borrowing FileDescriptor, followingLink: Bool
  ) throws(FileError) -> FileStatus {
    var status = stat()
    _ = try retrying(.inspect) { fstatat(folder.number, name, &status, followingLink ? 0 : AT_SYMLINK_NOFOLLOW) }
    return FileStatus(status)
  }

  /// What stands at a path of any length, links followed.
  ///
  /// The C function is `fstatat`.
  static func status(of path: PhotoPath) throws(FileError) -> FileStatus {
    let place = try AnchoredPath(path)
    return try status(named: place.relativePath, in: place.folder, followingLink: true)
  }

  /// Hands each name in a folder to a closure, in no order, but for "." and "..".
  ///
  /// What was handed over before an error stands. The C functions are `fdopendir` and `readdir`.
  static func forEachEntry(
    in folder: borrowing FileDescriptor, _ body: (UnsafeRawBufferPointer, EntryType) -> Void
  ) throws(FileError) {
    let copy = try retrying(.list) { fcntl(folder.number, F_DUPFD_CLOEXEC, 0) }
    guard let stream = fdopendir(copy) else {
      let code = errno
      close(copy)
      throw FileError(.list, code: code)
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw FileError(.list, code: errno) }
        return
      }
      // By the address: some file systems give names longer than the field is declared.
      let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      let name = UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
      guard !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else { continue }
      body(name, EntryType(directoryEntry: Int(entry.pointee.d_type)))
    }
  }

  /// Reads so many bytes, fewer where the file ends before.
  ///
  /// The C function is `pread`.
  static func read(_ file: borrowing FileDescriptor, from offset: Int, count: Int) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      while filled < buffer.count {
        let left = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let got = pread(file.number, left.baseAddress, left.count, off_t(offset + filled))
        if got > 0 {
          filled += got
        } else if got < 0, errno == EINTR {
          continue
        } else {
          if got < 0 { failure = FileError(.read, code: errno) }
          return
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The folder that relative paths start from; nothing where it was deleted.
  ///
  /// The C function is `getcwd`.
  static func workingFolder() -> PhotoPath? {
    guard let text = getcwd(nil, 0) else { return nil }
    defer { free(text) }
    return PhotoPath(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// Nanoseconds on a clock that only goes forward.
  ///
  /// The C function is `clock_gettime` with CLOCK_MONOTONIC.
  static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The system's words for a value of `errno`.
  ///
  /// The C function is `strerror`.
  static func errorMessage(for code: Int32) -> String { String(cString: strerror(code)) }

  /// Calls until it is not interrupted.
  private static func retrying(
    _ operation: FileError.Operation, _ call: () -> Int32
  ) throws(FileError) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw FileError(operation, code: errno) }
    }
  }
}

extension FileStatus {
  /// Takes the kernel's answer.
  fileprivate init(_ status: stat) {
    let type: EntryType =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .special
      }
    self.init(
      type: type,
      identity: FileIdentity(
        device: UInt64(status.st_dev), inode: UInt64(status.st_ino), byteCount: Int64(status.st_size),
        modificationSeconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec)))
  }
}

extension EntryType {
  /// Takes a folder entry's own word for its type.
  fileprivate init(directoryEntry type: Int) {
    switch type {
    case Int(DT_REG): self = .file
    case Int(DT_DIR): self = .folder
    case Int(DT_LNK): self = .link
    case Int(DT_UNKNOWN): self = .unknown
    default: self = .special
    }
  }
}
