import VitrineGeometry
import VitrineRendering

/// A 128-bit identifier of a file in one version, used as the key of everything stored about it.
///
/// It is derived from the device, the inode, the time of the last change and the length. A changed or copied file has
/// another fingerprint, a renamed one the same. It offers no protection against an adversary, who could only
/// cause a wrong thumbnail of their own file.
public struct FileFingerprint: Hashable, Sendable, BitwiseCopyable {
  /// The upper 64 bits.
  package var high: UInt64
  /// The lower 64 bits.
  package var low: UInt64

  /// Creates the fingerprint of a file's version.
  ///
  /// - Parameters:
  ///   - device: The device number of the file system.
  ///   - inode: The inode number of the file.
  ///   - byteCount: The length in bytes.
  ///   - modificationNanoseconds: The modification time in nanoseconds since 1970.
  public init(device: UInt64, inode: UInt64, byteCount: Int64, modificationNanoseconds: Int64) {
    self.init(words: [device, inode, UInt64(bitPattern: byteCount), UInt64(bitPattern: modificationNanoseconds)])
  }

  /// Creates the fingerprint of a sequence of words.
  package init(words: [UInt64]) {
    var (first, second) = (ContentDigest(), ContentDigest())
    // The two digests of the same words must start from different states.
    second.combine(FileFingerprint.secondSeed)
    for word in words {
      first.combine(word)
      second.combine(word)
    }
    (high, low) = (first.value, second.value)
  }

  private static let secondSeed: UInt64 = 0xA076_1D64_78BD_642F
}

extension FileFingerprint {
  /// Incremented when decoding improves, so that the same file yields other pixels.
  package static let decodingVersion = 1

  /// Creates the fingerprint of a file's full image for a request.
  ///
  /// It includes the change time, as tools that write metadata in place reset the modification time.
  init(_ version: ImageFile.Version, _ request: ImageRequest) {
    let size = request.key.size
    let file = version.identity
    var words = [
      file.device, file.node, UInt64(bitPattern: Int64(file.byteCount)),
      UInt64(bitPattern: file.modificationNanoseconds),
      UInt64(bitPattern: Int64(version.changedSeconds)), UInt64(bitPattern: Int64(version.changedNanoseconds)),
      UInt64(size.width) << 32 | UInt64(size.height),
      UInt64(FileFingerprint.decodingVersion) << 40 | UInt64(request.key.fit.rawValue) << 32
        | UInt64(request.background),
    ]
    if let second = request.secondBackground { words.append(UInt64(second)) }
    self.init(words: words)
  }
}
