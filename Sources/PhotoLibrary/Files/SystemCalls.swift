import CVitrinePlatform
import Glibc

/// The system calls that read folders and files.
///
/// None of them can open a file for writing.
///
/// Names are zero-terminated C strings of any bytes. An open folder stays the same folder if it is renamed.
enum SystemCalls {
  /// Opens the folder at a path of any length.
  ///
  /// Symbolic links are followed.
  ///
  /// The C function is `openat`.
  static func openFolder(_ path: PhotoPath) throws(FileError) -> FileDescriptor {
    let anchor = try AnchoredPath(path)
    return try openFolder(named: anchor.relativePath, in: anchor.folder, followingLink: true)
  }

  /// Opens a folder inside another folder.
  ///
  /// The C function is `openat`.
  static func openFolder(
    named name: [CChar], in folder: borrowing FileDescriptor, followingLink: Bool
  ) throws(FileError) -> FileDescriptor {
    let link = followingLink ? 0 : O_NOFOLLOW
    let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | link
    return FileDescriptor(adopting: try retrying(.open) { openat(folder.number, name, flags) })
  }

  /// Opens the file at a path of any length for reading.
  ///
  /// The C function is `openat`.
  static func openFile(_ path: PhotoPath) throws(FileError) -> FileDescriptor {
    let anchor = try AnchoredPath(path)
    return try openFile(named: anchor.relativePath, in: anchor.folder)
  }

  /// Opens a file in a folder for reading.
  ///
  /// The C function is `openat`.
  static func openFile(
    named name: [CChar], in folder: borrowing FileDescriptor
  ) throws(FileError) -> FileDescriptor {
    FileDescriptor(adopting: try retrying(.open) { platform_open_for_reading_at(folder.number, name) })
  }

  /// Returns the status of an open file or folder.
  ///
  /// The C function is `fstat`.
  static func status(of open: borrowing FileDescriptor) throws(FileError) -> FileStatus {
    var status = stat()
    _ = try retrying(.inspect) { fstat(open.number, &status) }
    return FileStatus(status)
  }

  /// Returns the status of a name in a folder.
  ///
  /// The C function is `fstatat`.
  static func status(
    named name: [CChar], in folder: borrowing FileDescriptor, followingLink: Bool
  ) throws(FileError) -> FileStatus {
    var status = stat()
    _ = try retrying(.inspect) { fstatat(folder.number, name, &status, followingLink ? 0 : AT_SYMLINK_NOFOLLOW) }
    return FileStatus(status)
  }

  /// Returns the status of a path of any length.
  ///
  /// Symbolic links are followed.
  ///
  /// The C function is `fstatat`.
  static func status(of path: PhotoPath) throws(FileError) -> FileStatus {
    let anchor = try AnchoredPath(path)
    return try status(named: anchor.relativePath, in: anchor.folder, followingLink: true)
  }

  /// Calls a closure with each name in a folder except "." and "..", in no particular order.
  ///
  /// Names that were passed before an error remain valid. The C functions are `fdopendir` and `readdir`.
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
      // By the address, because some file systems return names that are longer than the declared field.
      let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      let name = UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
      guard !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else { continue }
      body(name, EntryType(directoryEntry: Int(entry.pointee.d_type)))
    }
  }

  /// Reads the given number of bytes, or fewer if the file ends before.
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

  /// Returns a number of the file system that contains an open folder.
  ///
  /// It is the same whenever the disk is mounted, if the file system has such a number, unlike that of its device. The C
  /// functions are `fstatvfs` and `fstat`.
  static func fileSystem(of folder: borrowing FileDescriptor) throws(FileError) -> UInt64 {
    var description = statvfs()
    _ = try retrying(.inspect) { fstatvfs(folder.number, &description) }
    let number = UInt64(description.f_fsid)
    return number != 0 ? number : try status(of: folder).identity.device
  }

  /// Returns the number of the kind of file system that contains an open folder (`linux/magic.h`), or nil if it is unknown.
  ///
  /// The C function is `fstatfs`.
  static func fileSystemKind(of folder: borrowing FileDescriptor) -> Int? {
    let kind = platform_file_system_kind(folder.number)
    return kind < 0 ? nil : Int(kind)
  }

  /// Returns the file system that contains the folder at a path, or nil if there is no such folder.
  static func fileSystem(ofFolder path: PhotoPath) -> UInt64? {
    do {
      return try fileSystem(of: try openFolder(path))
    } catch {
      // A folder that cannot be opened exists.
      return error.isNotFound ? nil : 0
    }
  }

  /// Returns the absolute path of a file or folder without symbolic links, or nil if there is none.
  ///
  /// The C function is `realpath`.
  static func resolvedPath(_ path: PhotoPath) -> PhotoPath? {
    guard !path.bytes.contains(0), let text = realpath(path.bytes.asCString, nil) else { return nil }
    defer { free(text) }
    return PhotoPath(cString: text)
  }

  /// Returns the working folder, or nil if it was deleted.
  ///
  /// The C function is `getcwd`.
  static func workingFolder() -> PhotoPath? {
    guard let text = getcwd(nil, 0) else { return nil }
    defer { free(text) }
    return PhotoPath(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// Returns the time of a monotonic clock in nanoseconds since an unspecified instant.
  ///
  /// The C function is `clock_gettime` with CLOCK_MONOTONIC.
  static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return unsignedNanoseconds(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// Returns a signed time as an unsigned one in the same order, in the middle of whose range is zero.
  ///
  /// A clock that a library replaces (`faketime`) may be negative. The times of the system's own clock are as far from both
  /// ends of the range as they can be, so that delays can be added and subtracted.
  static func unsignedNanoseconds(seconds: Int64, nanoseconds: Int64) -> UInt64 {
    UInt64(bitPattern: seconds &* 1_000_000_000 &+ nanoseconds) ^ 1 << 63
  }

  /// Returns the system's message for a value of `errno`.
  ///
  /// The C function is `strerror`.
  static func errorMessage(for code: Int32) -> String { String(cString: strerror(code)) }

  /// Repeats a system call while it is interrupted.
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

// MARK: - File status

/// The status of a file or folder.
struct FileStatus: Hashable, Sendable {
  /// The type.
  var type: EntryType
  /// The identity, including the version.
  var identity: FileIdentity

  /// The identity without the version.
  var key: FileKey { FileKey(device: identity.device, inode: identity.inode) }
}

/// The identity of a file or folder, independent of its names and its version.
struct FileKey: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
}

/// The type of a folder entry.
enum EntryType: Sendable {
  /// A regular file.
  case file
  /// A folder.
  case folder
  /// A symbolic link.
  case link
  /// A FIFO, socket or device.
  case special
  /// The file system does not report the type with the entry.
  case unknown
}

extension FileStatus {
  /// Creates a status from the kernel's structure.
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
  /// Creates a type from the `d_type` of a folder entry.
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

// MARK: - Descriptors and paths

/// A file descriptor with a single owner, which closes it.
///
/// The C function is `close`.
struct FileDescriptor: ~Copyable {
  /// The number of the descriptor.
  let number: Int32

  /// Takes ownership of a descriptor.
  init(adopting number: Int32) { self.number = number }

  deinit {
    // AT_FDCWD, a negative number, denotes the working folder and must not be closed.
    if number >= 0 { close(number) }
  }
}

/// A path of any length in a form the kernel accepts: an open folder and a path relative to it.
struct AnchoredPath: ~Copyable {
  /// The folder; the working folder if the whole path is short enough.
  let folder: FileDescriptor
  /// The path relative to the folder, zero-terminated.
  let relativePath: [CChar]

  /// Creates an anchored path, and opens folders along it if it is too long.
  ///
  /// The C function is `openat`.
  init(_ path: PhotoPath) throws(FileError) {
    // A zero byte would end the path early and name a different file.
    guard !path.bytes.contains(0) else { throw FileError(.open, code: EINVAL) }
    let text = path.bytes.asCString
    var number: Int32 = -1
    var used = 0
    text.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      var rest: UnsafePointer<CChar>? = start
      number = platform_anchor_path(start, &rest)
      used = rest.map { $0 - start } ?? 0
    }
    guard number != -1 else { throw FileError(.open, code: errno) }
    folder = FileDescriptor(adopting: number)
    relativePath = Array(text[used...])
  }
}

extension Collection<UInt8> {
  /// The bytes as a zero-terminated C string.
  var asCString: [CChar] {
    var text: [CChar] = []
    text.reserveCapacity(count + 1)
    for byte in self { text.append(CChar(bitPattern: byte)) }
    text.append(0)
    return text
  }
}
