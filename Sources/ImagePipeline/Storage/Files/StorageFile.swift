import Glibc

/// A file of our own, open; the door to the system for reading and writing it.
///
/// Safe from any thread, as each call says where in the file it works.
final class StorageFile: Sendable {
  /// What the system tells of an open file.
  struct Status: Hashable {
    /// Its bytes.
    var byteCount: Int
    /// The names that it has; none where another file has taken its own.
    var nameCount: Int
    /// Whether it is this user's.
    var isOwn: Bool
    /// Which file it is.
    var inode: InodeIdentity

    /// Whether it still has a name; another file may have taken it.
    var hasName: Bool { nameCount > 0 }
  }

  /// Where a file stands: its file system and its number there.
  struct FileID: Hashable {
    private let device: dev_t
    private let inode: ino_t

    /// What the system tells of a file.
    init(_ status: stat) {
      device = status.st_dev
      inode = status.st_ino
    }
  }

  /// How a file is held against other instances.
  enum LockMode {
    /// Together with others that read.
    case shared
    /// Alone.
    case exclusive
  }

  /// The file's name.
  let name: String
  /// Whether it may be written.
  let isWritable: Bool
  private let descriptor: OwnedDescriptor

  /// Takes a descriptor over; refuses what is no regular file.
  ///
  /// The C function is `fstat`.
  init(adopting number: Int32, name: String, isWritable: Bool) throws(StorageError) {
    self.name = name
    self.isWritable = isWritable
    descriptor = OwnedDescriptor(adopting: number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw StorageError(.open, name, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw StorageError(.open, name, code: EINVAL) }
  }

  /// What the file is now.
  ///
  /// The C functions are `fstat` and `geteuid`.
  func status() throws(StorageError) -> Status {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw StorageError(.read, name, code: errno) }
    return Status(
      byteCount: Int(status.st_size), nameCount: Int(status.st_nlink), isOwn: status.st_uid == geteuid(),
      inode: InodeIdentity(status))
  }

  /// Makes the file this user's alone to read and write.
  ///
  /// The C function is `fchmod`.
  func makePrivate() throws(StorageError) {
    guard fchmod(descriptor.number, 0o600) == 0 else { throw StorageError(.write, name, code: errno) }
  }

  /// Which file this is: no two that are there at once are alike in both.
  ///
  /// The C function is `fstat`.
  func fileID() throws(StorageError) -> FileID {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw StorageError(.read, name, code: errno) }
    return FileID(status)
  }

  /// The descriptor's number, for a process that is to read the file.
  var number: Int32 { descriptor.number }

  /// Which file this is, in which version; nothing where it is another user's.
  ///
  /// The C functions are `fstat` and `geteuid`.
  func ownedIdentity() throws(StorageError) -> FileIdentity? {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw StorageError(.read, name, code: errno) }
    return status.st_uid == geteuid() ? FileIdentity(status) : nil
  }

  /// The first bytes, at most so many; none where they cannot be read.
  func firstBytes(_ most: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      count = (try? read(from: 0, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
  }

  /// Reads bytes from a place on, fewer where the file ends before.
  ///
  /// The C function is `pread`.
  /// - Returns: how many were read.
  func read(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
    var done = 0
    while done < buffer.count {
      let left = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let got = pread(descriptor.number, left.baseAddress, left.count, off_t(offset + done))
      if got == 0 { break }
      if got < 0, errno != EINTR { throw StorageError(.read, name, code: errno) }
      done += max(0, got)
    }
    return done
  }

  /// Writes all bytes from a place on.
  ///
  /// The C function is `pwrite`.
  func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        pwrite(descriptor.number, $0.baseAddress, $0.count, off_t(offset + done))
      }
      if count < 0, errno != EINTR { throw StorageError(.write, name, code: errno) }
      done += max(0, count)
    }
  }

  /// Makes the file end at a place.
  ///
  /// The C function is `ftruncate`.
  func truncate(to byteCount: Int) throws(StorageError) {
    while ftruncate(descriptor.number, off_t(byteCount)) != 0 {
      if errno != EINTR { throw StorageError(.write, name, code: errno) }
    }
  }

  /// Holds the file against other instances while a body runs; waits for them.
  ///
  /// The C function is `flock`: the kernel lets go for an instance that is killed.
  func withLock<Result>(
    _ hold: LockMode, _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    while flock(descriptor.number, hold == .exclusive ? LOCK_EX : LOCK_SH) != 0 {
      if errno != EINTR { throw StorageError(.lock, name, code: errno) }
    }
    defer { _ = flock(descriptor.number, LOCK_UN) }
    return try body()
  }

  /// Holds the file alone for as long as it is open, unless another instance does.
  ///
  /// The C function is `flock` with LOCK_NB.
  /// - Returns: whether it is held; false says that another instance holds it.
  /// - Throws: ``StorageError`` where the file system holds nothing for anybody.
  func tryLockExclusively() throws(StorageError) -> Bool {
    while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      if errno != EINTR { throw StorageError(.lock, name, code: errno) }
    }
    return true
  }
}
