import DataStructures

/// Which file stands behind a path, and in which version.
///
/// Two identities are compared for equality alone, never for which is newer: clocks jump.
public struct FileIdentity: Hashable, Sendable {
  /// The file system's number.
  public var device: UInt64
  /// The file's number on it.
  public var inode: UInt64
  /// The length in bytes.
  public var byteCount: Int64
  /// When the contents were last changed, in nanoseconds since 1970; held within the years 1677 to 2262.
  public var modificationNanoseconds: Int64

  /// The identity of what could not be asked.
  public static let unknown = FileIdentity(device: 0, inode: 0, byteCount: 0, modificationNanoseconds: 0)

  /// Makes an identity.
  public init(device: UInt64, inode: UInt64, byteCount: Int64, modificationNanoseconds: Int64) {
    self.device = device
    self.inode = inode
    self.byteCount = byteCount
    self.modificationNanoseconds = modificationNanoseconds
  }

  /// Makes an identity from a time in two parts, which a file system may set to anything.
  init(device: UInt64, inode: UInt64, byteCount: Int64, modificationSeconds seconds: Int64, nanoseconds: Int64) {
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowsToo) = whole.addingReportingOverflow(nanoseconds)
    self.init(
      device: device, inode: inode, byteCount: byteCount,
      modificationNanoseconds: overflows || overflowsToo ? (seconds < 0 ? .min : .max) : sum)
  }

  /// When the contents were last changed, in whole seconds since 1970, rounded down.
  public var modificationSeconds: Int64 {
    let (quotient, remainder) = modificationNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// A number that stands for the identity in the keys of caches.
  ///
  /// Equal identities have equal numbers, in every run; different ones have different numbers but for one chance in
  /// 2^64.
  public var version: UInt64 {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for part in [device, inode, UInt64(bitPattern: byteCount), UInt64(bitPattern: modificationNanoseconds)] {
      hash = SplitMix64.mix(hash ^ part)
    }
    return hash
  }
}
