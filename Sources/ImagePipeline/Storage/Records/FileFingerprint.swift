import Rendering

/// Names a file in one version, in 128 bits: what is kept on disk about it is kept under this.
///
/// Made of the device, the inode, the time of the last change and the length, so a file that is changed or copied has
/// another one, and one that is renamed the same. No defence against an adversary, who could only have a wrong small picture
/// shown to himself.
public struct FileFingerprint: Hashable, Sendable, BitwiseCopyable {
  /// The first 64 bits.
  var high: UInt64
  /// The last 64 bits.
  var low: UInt64

  /// Names a file's version.
  ///
  /// - Parameters:
  ///   - device: the file system's number.
  ///   - inode: the file's number on it.
  ///   - byteCount: the length in bytes.
  ///   - modificationNanoseconds: when the bytes were last changed, in nanoseconds since 1970.
  public init(device: UInt64, inode: UInt64, byteCount: Int64, modificationNanoseconds: Int64) {
    self.init(words: [device, inode, UInt64(bitPattern: byteCount), UInt64(bitPattern: modificationNanoseconds)])
  }

  /// Names what words tell.
  init(words: [UInt64]) {
    var (first, second) = (ContentDigest(), ContentDigest())
    // Two digests of the same words have to begin otherwise.
    second.combine(FileFingerprint.secondSeed)
    for word in words {
      first.combine(word)
      second.combine(word)
    }
    (high, low) = (first.value, second.value)
  }

  private static let secondSeed: UInt64 = 0xA076_1D64_78BD_642F
}
