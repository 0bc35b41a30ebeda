import Glibc
import VitrineImagePipeline

/// An open file of the cache; the interface to the system for reading and writing files.
///
/// The file is thread-safe, as each call specifies its offset.
final class StorageFile: Sendable {
  /// The status of an open file.
  struct Status: Hashable {
    /// The size in bytes.
    var byteCount: Int
    /// The number of hard links; zero if the file was removed or replaced.
    var nameCount: Int
    /// Whether the current user owns the file.
    var isOwn: Bool
    /// The identity of the file.
    var inode: InodeIdentity

    /// Whether the file still has a name.
    var hasName: Bool { nameCount > 0 }
  }

  /// The name of the file.
  let name: String
  /// Whether the file can be written.
  let isWritable: Bool
  private let descriptor: OwnedDescriptor

  /// Takes ownership of a descriptor; throws unless it is a regular file.
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

  /// Returns the current status.
  ///
  /// The C functions are `fstat` and `geteuid`.
  func status() throws(StorageError) -> Status {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw StorageError(.read, name, code: errno) }
    return Status(
      byteCount: Int(status.st_size), nameCount: Int(status.st_nlink), isOwn: status.st_uid == geteuid(),
      inode: InodeIdentity(status))
  }

  /// Restricts access to the current user.
  ///
  /// The C function is `fchmod`.
  func makePrivate() throws(StorageError) {
    guard fchmod(descriptor.number, 0o600) == 0 else { throw StorageError(.write, name, code: errno) }
  }

  /// The file descriptor, for a process that reads the file.
  var number: Int32 { descriptor.number }

  /// Returns the identity and version of the file, or nil if another user owns it.
  ///
  /// The C functions are `fstat` and `geteuid`.
  func ownedIdentity() throws(StorageError) -> ImageFileIdentity? {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw StorageError(.read, name, code: errno) }
    return status.st_uid == geteuid() ? ImageFileIdentity(status) : nil
  }

  /// Returns up to the given number of bytes from the start of the file; empty if it cannot be read.
  func firstBytes(_ maximumCount: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: maximumCount) { buffer, count in
      count = (try? read(from: 0, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
  }

  // MARK: - Reading and writing

  /// Reads bytes from an offset into a buffer, fewer if the file ends before.
  ///
  /// The C function is `pread`.
  /// - Returns: The number of bytes read.
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

  /// Returns whether reads of single bytes succeed, which are distributed over the file.
  ///
  /// Calls of the system are cheap compared with the loss of a file that seems damaged because a disk has errors.
  ///
  /// - Parameter count: The number of reads.
  func canRead(_ count: Int) -> Bool {
    guard let size = try? status().byteCount else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer in
      (0..<(size > 0 ? count : 0)).allSatisfy { number in
        (try? read(from: Int(Double(size) * Double(number) / Double(count)), into: buffer)) == 1
      }
    }
  }

  /// Writes all bytes at an offset.
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

  /// Truncates the file to a size.
  ///
  /// The C function is `ftruncate`.
  func truncate(to byteCount: Int) throws(StorageError) {
    while ftruncate(descriptor.number, off_t(byteCount)) != 0 {
      if errno != EINTR { throw StorageError(.write, name, code: errno) }
    }
  }

  // MARK: - Locking

  /// Locks the file together with other instances that do so, until it is closed; waits for an exclusive lock to end.
  ///
  /// The C function is `flock`: the kernel releases the lock of an instance that is killed.
  func lockShared() throws(StorageError) {
    while flock(descriptor.number, LOCK_SH) != 0 {
      if errno != EINTR { throw StorageError(.lock, name, code: errno) }
    }
  }

  /// Locks the file exclusively until it is closed, unless another instance holds the lock.
  ///
  /// The C function is `flock` with LOCK_NB.
  /// - Returns: Whether the lock was acquired; false if another instance holds it.
  /// - Throws: ``StorageError`` if the file system does not support locks.
  func tryLockExclusively() throws(StorageError) -> Bool {
    while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      if errno != EINTR { throw StorageError(.lock, name, code: errno) }
    }
    return true
  }
}

// MARK: - Errors

/// An error of a file or folder of the cache: the operation, the name and the reason.
///
/// It never prevents an image from being shown, as the cache only saves time.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An operation of the file system.
  public enum Operation: String, Sendable {
    /// Creating a folder.
    case makeFolder = "make"
    /// Opening a folder or file.
    case open
    /// Listing a folder.
    case list
    /// Locking a file.
    case lock
    /// Reading a file.
    case read
    /// Writing or truncating a file.
    case write
    /// Renaming a file.
    case rename
  }

  /// The failed operation.
  public let operation: Operation
  /// The name of the file or folder, for display.
  public let name: String
  /// The reason, an `errno`.
  public let code: Int32

  /// Creates an error.
  public init(_ operation: Operation, _ name: String, code: Int32) {
    self.operation = operation
    self.name = name
    self.code = code
  }

  /// A sentence with the operation and the system's reason.
  public var description: String { "cannot \(operation.rawValue) \(name): \(String(cString: strerror(code)))" }

  /// Whether writing is not permitted.
  var forbidsWriting: Bool { code == EACCES || code == EROFS || code == EPERM }

  /// Whether the operation will fail again, because the location is not writable or the disk is full.
  var isPermanent: Bool {
    forbidsWriting || [ENOSPC, EDQUOT, ELOOP, ENOTDIR].contains(code)
  }

  /// Whether the operation may succeed later without any other change.
  var isTransient: Bool { code == EBUSY || code == EINTR }
}
