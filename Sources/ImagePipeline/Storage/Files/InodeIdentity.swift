import Glibc

/// Which file or folder something is, whatever its names and its content.
struct InodeIdentity: Hashable, Sendable {
  /// The device's number.
  var device: UInt64
  /// The file's number on it.
  var node: UInt64
}

extension InodeIdentity {
  /// Takes it from what the system tells.
  init(_ description: stat) { self.init(device: UInt64(description.st_dev), node: UInt64(description.st_ino)) }
}
