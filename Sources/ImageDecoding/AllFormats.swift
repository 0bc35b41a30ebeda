public import VitrineImageDecodingCore
public import VitrineImageMetadata

extension FormatDecoders {
  /// The decoders of all formats: ``common``, TIFF, AVIF and HEIC.
  public static let all =
    common
    .adding(.tiff) { input, placement throws(DecodingError) in
      try TIFFDecoder(input.file, backdrop: input.backdrop, interruption: input.interruption)
        .decode(input.header, for: placement)
    }
    .adding(
      .avif,
      animation: { input, _ throws(DecodingError) in
        try AVIFAnimation(input.file, header: input.header, backdrop: input.backdrop, limits: input.limits)
      },
      decoder: { input, placement throws(DecodingError) in
        try AVIFDecoder(input.file, backdrop: input.backdrop, interruption: input.interruption)
          .decode(input.header, for: placement, maximumPixels: input.limits.maximumPixels)
      }
    )
    .adding(.heic) { input, placement throws(DecodingError) in
      try HEICDecoder(input.file, backdrop: input.backdrop, interruption: input.interruption)
        .decode(input.header, for: placement, representation: input.representation)
    }
}

extension DecoderSet {
  /// Every format that has a decoder.
  ///
  /// Formats that are not in ``trusted`` must be decoded in a sandbox.
  public static let all = FormatDecoders.all.formats
}

extension ImageDecoder {
  /// Creates a decoder of all formats.
  ///
  /// - Parameters:
  ///   - limits: The limits that reject an image by its header alone.
  ///   - formats: The formats to decode. Use ``DecoderSet/trusted`` without a sandbox. Default: all.
  public init(limits: ImageLimits = .standard, formats: DecoderSet = .all) {
    self.init(limits: limits, formats: formats, decoders: .all)
  }
}
