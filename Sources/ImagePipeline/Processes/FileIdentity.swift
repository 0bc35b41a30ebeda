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
  /// Which file it is, in whatever version.
  var inode: InodeIdentity { InodeIdentity(device: device, node: node) }

  /// The time of the last change, in nanoseconds since 1970; around at the ends of what 64 bits hold.
  var modificationNanoseconds: Int64 { Int64(modifiedSeconds) &* 1_000_000_000 &+ Int64(modifiedNanoseconds) }

  /// Whether the bytes may change once more and the time not, as file systems count it in steps of up to 2 s.
  ///
  /// The C function is `clock_gettime` with CLOCK_REALTIME.
  var isFresh: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return (now.tv_sec &- modifiedSeconds).magnitude <= 2
  }

  /// Takes it from what `fstat` tells.
  init(_ description: stat) {
    self.init(
      device: UInt64(description.st_dev), node: UInt64(description.st_ino), byteCount: Int(description.st_size),
      modifiedSeconds: description.st_mtim.tv_sec, modifiedNanoseconds: description.st_mtim.tv_nsec)
  }
}
