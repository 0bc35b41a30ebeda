import Glibc

/// What a file is, whatever it is called and wherever it lies: as long as this is equal, its bytes are.
struct FileIdentity: Hashable, Sendable {
  /// The device's number.
  var device: UInt64
  /// The file's number on it.
  var node: UInt64
  /// The file's bytes.
  var byteCount: Int
  /// The time of the last change of the bytes, in seconds.
  var modifiedSeconds: Int
  /// The rest of that time, in nanoseconds.
  var modifiedNanoseconds: Int
}

extension FileIdentity {
  /// Takes it from what `fstat` tells.
  init(_ description: stat) {
    self.init(
      device: UInt64(description.st_dev), node: UInt64(description.st_ino), byteCount: Int(description.st_size),
      modifiedSeconds: description.st_mtim.tv_sec, modifiedNanoseconds: description.st_mtim.tv_nsec)
  }
}
