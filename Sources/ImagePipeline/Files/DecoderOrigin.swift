package import VitrineDecodingProtocol
package import VitrineImageMetadata

/// The origin of pixels: the decoders that made them, the version of the program that decoded, and its confinement.
///
/// It is stored with everything that is made of the pixels. After a fix of a decoder, what the decoder made before is made
/// again (``SecurityFixes``), as a file that took over its process may have drawn what it wanted. The origin is determined
/// by the program that reads the result, not by the process that reads the file, which may lie.
package struct DecoderOrigin: Hashable, Sendable {
  /// The formats that the programs decode which decoded the files, one bit per `ImageFormat.rawValue`.
  package private(set) var formatBits: UInt32
  /// The version of the decoding program, `DecodingVersion.current`; the oldest of several.
  package private(set) var version: Int
  /// The layers that confined the process; those that all of several processes had.
  package private(set) var layers: SandboxLayers

  /// Creates the origin of pixels that a process has made of one file.
  ///
  /// - Parameters:
  ///   - formats: The formats that the program decodes, in its first record, which it sends before it reads a file. Which of
  ///     them the file has is known only to the process that has read it, and that may lie. If there is none, the pixels
  ///     are not stored.
  ///   - version: The version of the decoding program. Default: the current one.
  ///   - layers: The layers that confined the process.
  package init(_ formats: [ImageFormat], version: Int = DecodingVersion.current, layers: SandboxLayers) {
    formatBits = formats.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
    self.version = version
    self.layers = layers.intersection(.all)
  }

  /// Returns the origin of pixels that this decoder has made of something with another origin, such as a thumbnail.
  ///
  /// What is wrong with either is wrong with the result.
  ///
  /// - Parameter source: The origin of what was decoded; nil if it is unknown, as the result then is.
  package func derived(from source: DecoderOrigin?) -> DecoderOrigin? {
    guard let source else { return nil }
    var result = self
    result.formatBits |= source.formatBits
    result.version = min(version, source.version)
    result.layers.formIntersection(source.layers)
    return result
  }

  // MARK: - Stored form

  // From the lowest bit: 24 bits of formats, 16 of the version, 13 of the layers. The others are 0.
  private static let formatWidth = 24
  private static let versionWidth = 16

  /// The stored form; not 0 if a format is known.
  package var packed: UInt64 {
    UInt64(formatBits) | UInt64(UInt16(clamping: version)) << UInt64(DecoderOrigin.formatWidth)
      | UInt64(layers.rawValue) << UInt64(DecoderOrigin.formatWidth + DecoderOrigin.versionWidth)
  }

  /// Reads the stored form.
  ///
  /// - Returns: Nil if it has no format or no version, or bits that have no meaning.
  package init?(packed: UInt64) {
    let formats = UInt32(truncatingIfNeeded: packed) & (1 << UInt32(DecoderOrigin.formatWidth) - 1)
    let version = Int(packed >> UInt64(DecoderOrigin.formatWidth) & 0xFFFF)
    let layers = packed >> UInt64(DecoderOrigin.formatWidth + DecoderOrigin.versionWidth)
    guard formats != 0, formats >> UInt32(ImageFormat.count) == 0, version > 0,
      layers <= UInt64(SandboxLayers.all.rawValue)
    else { return nil }
    formatBits = formats
    self.version = version
    self.layers = SandboxLayers(rawValue: UInt32(layers))
  }
}

extension ImageFormat {
  /// The number of formats.
  fileprivate static let count = allCases.count
}

// MARK: - Security fixes

/// A fix of the security of decoders.
package struct SecurityFix: Hashable, Sendable {
  /// The first version of the decoding program with the fix.
  package var version: Int
  /// The formats whose files reached the faulty code.
  ///
  /// A fix of a library concerns all formats that it decodes: one of libjpeg-turbo JPEG, and TIFF, which may contain JPEG.
  package var formats: [ImageFormat]

  /// Creates a fix.
  package init(version: Int, formats: [ImageFormat]) {
    self.version = version
    self.formats = formats
  }
}

/// The decision whether stored pixels may still be shown.
package struct SecurityFixes: Hashable, Sendable {
  /// The fixes of all releases, oldest first.
  package static let list: [SecurityFix] = []

  /// The fixes of this program.
  package static let current = SecurityFixes(list)

  /// The first version without a known fault, by `ImageFormat.rawValue`.
  private let versions: [Int]
  /// The first version without a known fault in any decoder.
  private let newestVersion: Int

  /// Creates the decision by a list of fixes.
  package init(_ fixes: [SecurityFix]) {
    var versions = [Int](repeating: 0, count: ImageFormat.allCases.count)
    for fix in fixes {
      for format in fix.formats { versions[Int(format.rawValue)] = max(versions[Int(format.rawValue)], fix.version) }
    }
    self.versions = versions
    newestVersion = versions.max() ?? 0
  }

  /// Returns whether pixels may be shown: no decoder that made them had a fault that is known now, and each was confined as
  /// its format requires.
  ///
  /// - Parameter origin: The origin; nil if it is unknown, for which the result is false.
  /// - Complexity: O(formats); allocates nothing.
  package func accepts(_ origin: DecoderOrigin?) -> Bool {
    guard let origin, origin.formatBits != 0, origin.version > 0 else { return false }
    let isSandboxed = origin.layers.isSandbox
    if isSandboxed, origin.version >= newestVersion { return true }
    var bits = origin.formatBits
    while bits != 0 {
      let number = bits.trailingZeroBitCount
      bits &= bits - 1
      guard number < versions.count, origin.version >= versions[number],
        isSandboxed || ImageFormat.table[number].decoding == .anywhere
      else { return false }
    }
    return true
  }
}
