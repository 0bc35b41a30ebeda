import VitrineGeometry
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
typealias FormatDecoder = @Sendable (DecoderInput, Placement) throws(DecodingError) -> ReducedPicture

/// The input of a decoder.
struct DecoderInput {
  /// The bytes of the file.
  let file: UnsafeRawBufferPointer
  /// The header read from these bytes.
  let header: ImageHeader
  /// The representation to decode.
  ///
  /// It is ``DecodingRepresentation/full``, except for formats with ``ImageFormatEntry/decodesOwnPreview``.
  let representation: DecodingRepresentation
  /// The limits, which the size in the header meets.
  let limits: ImageLimits
  /// The colour behind transparent and missing pixels.
  let backdrop: Backdrop
  /// The check that can cancel the decoding.
  let interruption: DecodingInterruption
}

extension ImageFormat {
  /// The decoder of the format, or nil if there is none.
  ///
  /// A format has one if ``ImageFormatEntry/decoding`` of its entry in ``ImageFormat/table`` states which processes
  /// decode it. The table cannot contain the decoders, because the programs that read it do not link them.
  var decoder: FormatDecoder? {
    switch self {
    case .jpeg:
      return { input, placement throws(DecodingError) in
        var picture = try JPEGDecoder(input.file, interruption: input.interruption)
          .decode(input.header, for: placement)
        picture.colors = EmbeddedProfile.ofJPEG(input.file)
        return picture
      }
    case .png:
      return { input, placement throws(DecodingError) in
        try PNGDecoder(file: input.file, backdrop: input.backdrop, interruption: input.interruption)
          .decode(input.header, for: placement)
      }
    case .webp:
      return { input, placement throws(DecodingError) in
        var picture = try WebPDecoder(file: input.file, backdrop: input.backdrop).decode(input.header, for: placement)
        picture.colors = EmbeddedProfile.ofWebP(input.file)
        return picture
      }
    case .gif: return makeDecoder(GIFDecoder.self)
    case .bmp: return makeDecoder(BMPDecoder.self)
    case .tiff: return makeDecoder(TIFFDecoder.self)
    case .avif:
      return { input, placement throws(DecodingError) in
        try AVIFDecoder(input.file, backdrop: input.backdrop, interruption: input.interruption)
          .decode(input.header, for: placement, maximumPixels: input.limits.maximumPixels)
      }
    case .heic:
      return { input, placement throws(DecodingError) in
        try HEICDecoder(input.file, backdrop: input.backdrop, interruption: input.interruption)
          .decode(input.header, for: placement, representation: input.representation)
      }
    case .qoi: return makeDecoder(QOIDecoder.self)
    // Formats that are only recognized. A test compares this list with the table.
    default: return nil
    }
  }
}

/// A decoder that needs only the file, the backdrop and the interruption.
private protocol PlainDecoder: SendableMetatype {
  init(_ file: UnsafeRawBufferPointer, backdrop: Backdrop, interruption: DecodingInterruption)
  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture
}

extension GIFDecoder: PlainDecoder {}
extension BMPDecoder: PlainDecoder {}
extension TIFFDecoder: PlainDecoder {}
extension QOIDecoder: PlainDecoder {}

private func makeDecoder<Decoder: PlainDecoder>(_ type: Decoder.Type) -> FormatDecoder {
  { input, placement throws(DecodingError) in
    try Decoder(input.file, backdrop: input.backdrop, interruption: input.interruption)
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

  private init(_ entries: some Sequence<ImageFormatEntry>) {
    self.init(entries.map { DecoderSet($0.format) })
  }

  /// The formats that may be decoded without a sandbox, which are JPEG, PNG and WebP.
  ///
  /// Their decoders have the fewest known vulnerabilities.
  public static let trusted = DecoderSet(
    ImageFormat.table.filter { $0.decoding == .anywhere && $0.format.decoder != nil })

  /// Every format that has a decoder.
  ///
  /// Formats that are not in ``trusted`` must be decoded in a sandbox.
  public static let all = DecoderSet(ImageFormat.table.filter { $0.decoding != .none && $0.format.decoder != nil })

  /// Returns whether the set contains a format.
  public func contains(_ format: ImageFormat) -> Bool { contains(DecoderSet(format)) }
}
