package import VitrineGeometry
public import VitrineImageMetadata

/// A decoder of one format: a function that decodes the part of an image that a placement needs.
///
/// The decoder checks all values of the file. It must follow these rules, which are checked after it returns:
///
/// - The pixels are those of an image of ``ImageHeader/storedSize``, in the scale and at the origin that the result
///   states. A file with two sizes is damaged.
/// - Rows are appended to a ``RowReducer`` from the top, and none after the last.
/// - A result with missing rows is marked as damaged. If there is no row, the decoder throws
///   ``DecodingError/damaged(detail:)``.
///
/// A decoder that breaks one fails with ``DecodingError/decoderFault(_:)``.
package typealias FormatDecoder = @Sendable (DecoderInput, Placement) throws(DecodingError) -> ReducedPicture

/// The input of a decoder.
package struct DecoderInput {
  /// The bytes of the file.
  package let file: UnsafeRawBufferPointer
  /// The header read from these bytes.
  package let header: ImageHeader
  /// The representation to decode.
  ///
  /// It is ``DecodingRepresentation/full``, except for formats with ``ImageFormatEntry/decodesOwnPreview``.
  package let representation: DecodingRepresentation
  /// The limits, which the size in the header meets.
  package let limits: ImageLimits
  /// The colour behind transparent and missing pixels.
  package let backdrop: Backdrop
  /// The check that can cancel the decoding.
  package let interruption: DecodingInterruption
}

/// A function that opens the animation in a file, which must outlive it.
///
/// Its second argument is the size of the animation's canvas. It returns nil if the file has a single frame.
package typealias AnimationOpener = @Sendable (DecoderInput, PixelSize) throws(DecodingError) -> (any AnimationSource)?

/// The decoders of the formats that an ``ImageDecoder`` can decode.
///
/// ``common`` has the decoders of this module. The module `VitrineImageDecoding` adds those of TIFF, AVIF and HEIC, whose
/// libraries depend on thirty others.
public struct FormatDecoders: Sendable {
  private struct Entry {
    let format: ImageFormat
    let decoder: FormatDecoder
    let animation: AnimationOpener?
  }

  /// At most one entry for each format.
  private var entries: [Entry] = []

  /// The formats that have a decoder.
  public private(set) var formats: DecoderSet = []

  /// Creates an empty list of decoders.
  package init() {}

  /// Returns these decoders and that of a format, which replaces an earlier one of the format.
  ///
  /// A format has one if ``ImageFormatEntry/decoding`` of its entry in ``ImageFormat/table`` states which processes
  /// decode it. The table cannot contain the decoders, because the programs that read it do not link them.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - animation: The function that opens the format's animations, or nil if it has none. Default: nil.
  ///   - decoder: The decoder of the format.
  package func adding(
    _ format: ImageFormat, animation: AnimationOpener? = nil, decoder: @escaping FormatDecoder
  ) -> FormatDecoders {
    var decoders = self
    decoders.entries.removeAll { $0.format == format }
    decoders.entries.append(Entry(format: format, decoder: decoder, animation: animation))
    decoders.formats.insert(DecoderSet(format))
    return decoders
  }

  /// Returns the decoder of a format, or nil if there is none.
  package func decoder(of format: ImageFormat) -> FormatDecoder? { entry(of: format)?.decoder }

  /// Returns the function that opens animations of a format, or nil if there is none.
  package func animation(of format: ImageFormat) -> AnimationOpener? { entry(of: format)?.animation }

  private func entry(of format: ImageFormat) -> Entry? { entries.first { $0.format == format } }
}

extension FormatDecoders {
  /// The decoders of JPEG, PNG, WebP, GIF, BMP and QOI.
  public static let common = FormatDecoders()
    .adding(.jpeg) { input, placement throws(DecodingError) in
      var picture = try JPEGDecoder(input.file, interruption: input.interruption)
        .decode(input.header, for: placement)
      picture.colors = EmbeddedProfile.ofJPEG(input.file)
      return picture
    }
    .adding(
      .png,
      animation: { input, canvas throws(DecodingError) in
        try PNGAnimation(input.file, canvas: canvas, backdrop: input.backdrop)
      },
      decoder: { input, placement throws(DecodingError) in
        try PNGDecoder(file: input.file, backdrop: input.backdrop, interruption: input.interruption)
          .decode(input.header, for: placement)
      }
    )
    .adding(
      .webp,
      animation: { input, canvas throws(DecodingError) in
        try WebPAnimation(input.file, canvas: canvas, backdrop: input.backdrop)
      },
      decoder: { input, placement throws(DecodingError) in
        var picture = try WebPDecoder(file: input.file, backdrop: input.backdrop).decode(input.header, for: placement)
        picture.colors = EmbeddedProfile.ofWebP(input.file)
        return picture
      }
    )
    .adding(
      .gif,
      animation: { input, canvas throws(DecodingError) in
        try GIFAnimation(input.file, canvas: canvas, backdrop: input.backdrop)
      },
      decoder: { input, placement throws(DecodingError) in
        try GIFDecoder(input.file, backdrop: input.backdrop, interruption: input.interruption)
          .decode(input.header, for: placement)
      }
    )
    .adding(.bmp) { input, placement throws(DecodingError) in
      try BMPDecoder(input.file, backdrop: input.backdrop, interruption: input.interruption)
        .decode(input.header, for: placement)
    }
    .adding(.qoi) { input, placement throws(DecodingError) in
      try QOIDecoder(input.file, backdrop: input.backdrop, interruption: input.interruption)
        .decode(input.header, for: placement)
    }
}

// MARK: - Sets of formats

/// A set of formats to decode.
public struct DecoderSet: OptionSet, Hashable, Sendable {
  /// The set's bits.
  ///
  /// The index of a format's bit is its raw value.
  public var rawValue: UInt32

  /// Creates a set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a set with one format.
  public init(_ format: ImageFormat) { rawValue = 1 << UInt32(format.rawValue) }

  /// The formats that may be decoded without a sandbox, which are JPEG, PNG and WebP.
  ///
  /// Their decoders have the fewest known vulnerabilities.
  public static let trusted = common.filter { $0.decoding == .anywhere }

  /// The formats of ``FormatDecoders/common``.
  ///
  /// Formats that are not in ``trusted`` must be decoded in a sandbox.
  public static let common = FormatDecoders.common.formats

  private func filter(_ isIncluded: (ImageFormatEntry) -> Bool) -> DecoderSet {
    DecoderSet(ImageFormat.table.filter { contains($0.format) && isIncluded($0) }.map { DecoderSet($0.format) })
  }

  /// Returns whether the set contains a format.
  public func contains(_ format: ImageFormat) -> Bool { contains(DecoderSet(format)) }
}
