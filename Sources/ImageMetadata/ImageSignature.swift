/// The first bytes of the files of a format.
///
/// All bytes must lie within the first ``ImageFormat/magicByteCount`` bytes of a file. Signatures of different formats must
/// exclude each other, except that the brands of an earlier format in ``ImageFormat/table`` take precedence.
public struct ImageSignature: Sendable {
  /// Consecutive bytes at an offset.
  public struct Piece: Hashable, Sendable {
    /// The offset of the first byte in the file.
    public let offset: Int
    /// The bytes.
    public let bytes: [UInt8]

    init(_ offset: Int, _ bytes: [UInt8]) {
      self.offset = offset
      self.bytes = bytes
    }

    init(_ offset: Int, text: String) {
      self.init(offset, Array(text.utf8))
    }

    func matches(_ magic: [UInt8]) -> Bool {
      guard magic.count - offset >= bytes.count else { return false }
      for index in bytes.indices where magic[offset + index] != bytes[index] { return false }
      return true
    }
  }

  /// The pieces, all of which must match.
  public let pieces: [Piece]
  /// The brands of the `ftyp` box, one of which must be present; empty for formats without such a box.
  public let brands: [String]
  private let brandCodes: [UInt32]
  private let predicate: (@Sendable ([UInt8]) -> Bool)?

  /// Creates a signature from pieces.
  ///
  /// - Parameters:
  ///   - pieces: The pieces, all of which must match.
  ///   - predicate: A further condition on the first bytes of a file that the pieces match. The bytes end no earlier than
  ///     the last piece.
  init(_ pieces: [Piece], where predicate: (@Sendable ([UInt8]) -> Bool)? = nil) {
    self.pieces = pieces
    self.predicate = predicate
    brands = []
    brandCodes = []
  }

  private init(brands: [String]) {
    // The length of the box, of which the upper half is zero, and its type.
    pieces = [Piece(0, [0, 0]), Piece(4, text: "ftyp")]
    predicate = nil
    self.brands = brands
    brandCodes = brands.map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// Bytes at the start of the file.
  static func bytes(_ bytes: [UInt8]) -> ImageSignature { ImageSignature([Piece(0, bytes)]) }

  /// A text at the start of the file, and a further piece.
  static func text(_ text: String, and piece: Piece? = nil) -> ImageSignature {
    ImageSignature([Piece(0, text: text)] + (piece.map { [$0] } ?? []))
  }

  /// Brands of the `ftyp` box (ISO/IEC 14496-12, section 4.3).
  static func brands(_ brands: [String]) -> ImageSignature { ImageSignature(brands: brands) }

  /// Whether the signature consists of bytes at the start of the file.
  fileprivate var hasOnlyOnePiece: Bool {
    pieces.count == 1 && pieces[0].offset == 0 && brandCodes.isEmpty && predicate == nil
  }

  /// Returns whether a file matches the signature.
  ///
  /// - Parameter magic: The first ``ImageFormat/magicByteCount`` bytes of the file, or all bytes of a shorter file.
  public func matches(_ magic: [UInt8]) -> Bool {
    for piece in pieces where !piece.matches(magic) { return false }
    if !brandCodes.isEmpty { return hasBrand(magic) }
    return predicate?(magic) ?? true
  }

  /// Returns whether the box has one of the brands: the major brand, or, after four bytes of version, a compatible one.
  private func hasBrand(_ magic: [UInt8]) -> Bool {
    let end = min(magic.count, Int(magic[2]) << 8 | Int(magic[3]))
    var start = 8
    while start + 4 <= end {
      var code: UInt32 = 0
      for index in start..<start + 4 { code = code << 8 | UInt32(magic[index]) }
      if brandCodes.contains(code) { return true }
      start += start == 8 ? 8 : 4
    }
    return false
  }
}

// MARK: - Detection

extension ImageFormat {
  /// The maximum number of bytes that ``init(magic:)`` reads.
  public static let magicByteCount = 64

  /// Detects the format from the first bytes of a file, or returns nil if they belong to no known format.
  ///
  /// - Parameter magic: The first ``magicByteCount`` bytes of the file, or all bytes of a shorter file.
  /// - Complexity: O(signatures). Allocates no memory.
  public init?(magic: [UInt8]) {
    let prefix = SignaturePrefix(magic)
    let candidates = ImageFormat.candidates
    for index in candidates.indices where prefix.starts(with: candidates[index].prefix) {
      guard candidates[index].isPrefixSufficient || ImageFormat.signatures[index].matches(magic) else { continue }
      self = candidates[index].format
      return
    }
    return nil
  }

  /// A signature's first bytes, which exclude most files by one comparison and without references to count.
  private struct Candidate {
    let format: ImageFormat
    let prefix: SignaturePrefix
    /// Whether the signature has no other conditions.
    let isPrefixSufficient: Bool
  }

  /// The signatures of all formats, in the order of the table.
  private static let signatures = table.flatMap(\.signatures)

  private static let candidates = table.flatMap { entry in
    entry.signatures.map { signature in
      let bytes = signature.pieces.filter { $0.offset == 0 }.flatMap(\.bytes)
      let isSufficient = signature.hasOnlyOnePiece && bytes.count <= SignaturePrefix.maximumCount
      return Candidate(format: entry.format, prefix: SignaturePrefix(bytes), isPrefixSufficient: isSufficient)
    }
  }
}

/// Up to eight bytes at the start of a file.
private struct SignaturePrefix {
  static let maximumCount = 8

  private var bits: UInt64 = 0
  private var mask: UInt64 = 0

  /// Creates a prefix with the first bytes of a file or of a signature.
  init(_ bytes: [UInt8]) {
    for index in 0..<min(bytes.count, SignaturePrefix.maximumCount) {
      bits |= UInt64(bytes[index]) << UInt64(8 * index)
      mask |= 0xFF << UInt64(8 * index)
    }
  }

  /// Returns whether the prefix starts with another one.
  func starts(with other: SignaturePrefix) -> Bool {
    bits & other.mask == other.bits && mask & other.mask == other.mask
  }
}
