import CVitrinePlatform
package import Glibc
import VitrineDecodingProtocol

/// A user's image file, open for reading: a regular file that is not empty.
package struct ImageFile: ~Copyable {
  /// The version of a file, which changes when the file changes.
  package struct Version: Hashable {
    /// The file's identity.
    package var identity: ImageFileIdentity
    /// The change time (`ctime`) in seconds, which programs cannot set.
    package var changedSeconds: Int
    /// The nanoseconds of the change time.
    package var changedNanoseconds: Int
  }

  private let descriptor: OwnedDescriptor
  /// The version at the time of opening.
  package let version: Version

  /// Opens a file without waiting for the writer of a FIFO.
  ///
  /// The C functions are `openat` and `fstat`.
  package init(path: [UInt8]) throws(ImageFailure) {
    // A zero byte would truncate the path, so that it names another file.
    guard !path.contains(0) else { throw .cannotOpen(EINVAL) }
    let number = platform_open_for_reading(path.map { CChar(bitPattern: $0) } + [0])
    guard number >= 0 else { throw .cannotOpen(errno) }
    try self.init(OwnedDescriptor(adopting: number))
  }

  /// Opens the file or memory of an image source.
  package init(_ source: ImageSource) throws(ImageFailure) {
    switch source {
    case .file(let path): try self.init(path: path)
    case .memory(let file):
      guard let number = file.open() else { throw .cannotOpen(ENOENT) }
      try self.init(OwnedDescriptor(adopting: number))
    case .generated, .remote: throw .unsupportedSource
    }
  }

  /// Creates a file in memory.
  ///
  /// The C functions are `memfd_create` and `write`.
  ///
  /// - Parameters:
  ///   - contents: The bytes of the file.
  ///   - name: The name that debuggers show.
  package init(contents: [UInt8], name: String) throws(ImageFailure) {
    let number = platform_open_memory(name)
    guard number >= 0 else { throw .cannotOpen(errno) }
    let owned = OwnedDescriptor(adopting: number)
    var done = 0
    while done < contents.count {
      let count = contents[done...].withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw .outOfMemory }
      done += max(0, count)
    }
    try self.init(owned)
  }

  /// Takes ownership of the descriptor of an open file.
  package init(adopting number: Int32) throws(ImageFailure) { try self.init(OwnedDescriptor(adopting: number)) }

  /// Takes ownership of a descriptor of any kind.
  private init(_ owned: consuming OwnedDescriptor) throws(ImageFailure) {
    let number = owned.number
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .cannotOpen(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    let version = Version(status)
    guard version.identity.byteCount > 0 else { throw .refused(.emptyFile) }
    self.version = version
    descriptor = owned
  }

  /// The file descriptor.
  package var number: Int32 { descriptor.number }

  /// The protection of the file from other users; nil if the system does not report it.
  package var protection: StorageProtection? { StorageProtection(of: number) }

  /// Whether the file is on a file system that another machine serves: NFS or SMB.
  ///
  /// The C function is `fstatfs`.
  package var isOnNetwork: Bool { platform_is_on_network(number) == 1 }

  /// The current version; the version at the time of opening if the file is inaccessible.
  ///
  /// The C function is `fstat`.
  package var currentVersion: Version {
    var status = stat()
    return fstat(number, &status) == 0 ? Version(status) : version
  }
}

extension ImageFile.Version {
  /// The fingerprint of the file, as the catalogue knows it.
  package var fingerprint: FileFingerprint {
    FileFingerprint(
      device: identity.device, inode: identity.node, byteCount: Int64(identity.byteCount),
      modificationNanoseconds: identity.modificationNanoseconds)
  }

  fileprivate init(_ status: stat) {
    self.init(
      identity: ImageFileIdentity(status), changedSeconds: status.st_ctim.tv_sec,
      changedNanoseconds: status.st_ctim.tv_nsec)
  }
}

/// The identity of a file's content, independent of its name: equal identities mean equal bytes.
package struct ImageFileIdentity: Hashable, Sendable {
  /// The device number.
  package var device: UInt64
  /// The inode number.
  package var node: UInt64
  /// The size in bytes.
  package var byteCount: Int
  /// The modification time in seconds.
  package var modifiedSeconds: Int
  /// The nanoseconds of the modification time.
  package var modifiedNanoseconds: Int
}

extension ImageFileIdentity {
  /// The identity of the file in any version.
  package var inode: InodeIdentity { InodeIdentity(device: device, node: node) }

  /// The modification time in nanoseconds since 1970; wraps around at the limits of 64 bits.
  package var modificationNanoseconds: Int64 { Int64(modifiedSeconds) &* 1_000_000_000 &+ Int64(modifiedNanoseconds) }

  /// Whether the bytes may change again with the same modification time, as file systems have a resolution of up to 2
  /// s.
  ///
  /// The C function is `clock_gettime` with CLOCK_REALTIME.
  package var isFresh: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return (now.tv_sec &- modifiedSeconds).magnitude <= 2
  }

  /// Creates an identity from the result of `fstat`.
  package init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), node: UInt64(status.st_ino), byteCount: Int(status.st_size),
      modifiedSeconds: status.st_mtim.tv_sec, modifiedNanoseconds: status.st_mtim.tv_nsec)
  }
}

/// The identity of a file or folder, independent of its name and content.
package struct InodeIdentity: Hashable, Sendable {
  /// The device number.
  package var device: UInt64
  /// The inode number.
  package var node: UInt64
}

extension InodeIdentity {
  /// Creates an identity from a file status.
  package init(_ status: stat) { self.init(device: UInt64(status.st_dev), node: UInt64(status.st_ino)) }
}

/// The protection of files at a location, which decides where a copy is no more accessible than its original.
package struct StorageProtection: Hashable, Sendable {
  /// The device number.
  ///
  /// The system does not report whether a device is encrypted, removable, or owned by someone else.
  package var device: UInt64
  /// Whether the file system encrypts the location separately.
  package var isEncrypted: Bool

  /// Returns whether a copy of a file with the given protection may be stored at this location.
  ///
  /// The device must be the same, and copies of encrypted files must be encrypted.
  package func allowsCopy(of original: StorageProtection) -> Bool {
    device == original.device && (isEncrypted || !original.isEncrypted)
  }
}

extension StorageProtection {
  /// Creates the protection of an open file or folder.
  ///
  /// The C functions are `fstat` and `statx`.
  ///
  /// - Parameter descriptor: The file descriptor.
  /// - Returns: Nil if the system does not report it, as before Linux 4.11.
  package init?(of descriptor: Int32) {
    var status = stat()
    let encryption = platform_is_encrypted(descriptor)
    guard encryption >= 0, fstat(descriptor, &status) == 0 else { return nil }
    self.init(device: UInt64(status.st_dev), isEncrypted: encryption == 1)
  }
}

/// A file descriptor with a single owner, closed when the owner is released.
///
/// The C function is `close`.
package struct OwnedDescriptor: ~Copyable {
  /// The file descriptor.
  package let number: Int32

  /// Takes ownership of a descriptor.
  package init(adopting number: Int32) { self.number = number }

  deinit { close(number) }
}
