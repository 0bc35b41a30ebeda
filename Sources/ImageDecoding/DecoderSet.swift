public import ImageMetadata

/// Which formats are decoded.
public struct DecoderSet: OptionSet, Hashable, Sendable {
  /// A bit for each format, by its raw value.
  public var rawValue: UInt32

  /// Makes a set of bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A set of one.
  public init(_ format: ImageFormat) { rawValue = 1 << UInt32(format.rawValue) }

  /// JPEG, PNG and WebP: decoders with the fewest faults on record, which may do without a sandbox.
  public static let trusted: DecoderSet = [DecoderSet(.jpeg), DecoderSet(.png), DecoderSet(.webp)]

  /// Everything there is a decoder for; what is not in ``trusted`` is for a sandbox alone.
  public static let all: DecoderSet = trusted.union([
    DecoderSet(.gif), DecoderSet(.bmp), DecoderSet(.qoi), DecoderSet(.tiff), DecoderSet(.avif), DecoderSet(.heic),
  ])

  /// Whether a format is among them.
  public func contains(_ format: ImageFormat) -> Bool { contains(DecoderSet(format)) }
}
