import CPlatform
import DecodingProtocol
import Glibc
import ImageMetadata

/// A user's file, open for reading and known to be a regular one of a bearable size.
struct PictureFile: ~Copyable {
  /// What tells that a file was changed.
  struct Version: Hashable {
    /// What the file is.
    var identity: FileIdentity
    /// The time of the last change of anything, in seconds: the one time that nobody can set back.
    var changedSeconds: Int
    /// The rest of that time, in nanoseconds.
    var changedNanoseconds: Int
  }

  private let descriptor: OwnedDescriptor
  /// The version that was opened.
  let version: Version

  /// Opens a file; never waits for a FIFO's writer.
  ///
  /// The C functions are `openat` and `fstat`.
  init(path: [UInt8]) throws(ImageFailure) {
    // A zero byte would end the path early and name another file.
    guard !path.contains(0) else { throw .cannotOpen(EINVAL) }
    let number = platform_open_for_reading(path.map { CChar(bitPattern: $0) } + [0])
    guard number >= 0 else { throw .cannotOpen(errno) }
    try self.init(OwnedDescriptor(adopting: number))
  }

  /// Opens what a picture's pixels come from, where that is bytes.
  init(_ source: ImageSource) throws(ImageFailure) {
    switch source {
    case .file(let path): try self.init(path: path)
    case .memory(let file):
      guard let number = file.open() else { throw .cannotOpen(ENOENT) }
      try self.init(OwnedDescriptor(adopting: number))
    case .generated, .remote: throw .unsupportedSource
    }
  }

  /// Takes over a descriptor that may be one of anything.
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

  /// The descriptor's number.
  var number: Int32 { descriptor.number }

  /// How well the file is kept from others; nothing where the system does not tell.
  var protection: StorageProtection? { StorageProtection(of: number) }

  /// What the file says of itself in its first bytes; nothing where it is no picture or cannot be read.
  var header: ImageHeader? {
    let number = number
    struct CannotRead: Error {}
    return try? ImageHeader.read(fileBytes: version.identity.byteCount) { offset, count throws(CannotRead) in
      var bytes = [UInt8](repeating: 0, count: count)
      let got = pread(number, &bytes, count, off_t(offset))
      guard got >= 0 else { throw CannotRead() }
      bytes.removeLast(count - got)
      return bytes
    }
  }

  /// The format, by the first bytes; nothing where they are those of none.
  ///
  /// The C function is `pread`.
  var format: ImageFormat? {
    var magic = [UInt8](repeating: 0, count: ImageFormat.magicByteCount)
    let got = pread(number, &magic, magic.count, 0)
    guard got > 0 else { return nil }
    magic.removeLast(magic.count - got)
    return ImageFormat(magic: magic)
  }

  /// The version now; the one that was opened where the file cannot be asked any more.
  ///
  /// The C function is `fstat`.
  var currentVersion: Version {
    var status = stat()
    return fstat(number, &status) == 0 ? Version(status) : version
  }
}

extension PictureFile.Version {
  fileprivate init(_ description: stat) {
    self.init(
      identity: FileIdentity(description), changedSeconds: description.st_ctim.tv_sec,
      changedNanoseconds: description.st_ctim.tv_nsec)
  }
}
