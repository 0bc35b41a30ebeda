public import ImageMetadata

extension ImageDecoder {
  /// Where the preview lies that a camera put into its file: all that is to be read of the file for it.
  ///
  /// - Parameters:
  ///   - header: what the file's first bytes said.
  ///   - fileBytes: how long the file is.
  /// - Throws: ``DecodingError/noPreview`` where there is none, and for HEIC, whose preview only the whole file tells.
  public func previewRange(_ header: ImageHeader?, fileBytes: Int) throws(DecodingError) -> Range<Int> {
    guard let header, header.format != .heic, let range = header.embeddedThumbnail, range.lowerBound >= 0,
      range.upperBound <= fileBytes
    else { throw .noPreview }
    return range
  }

  /// Decodes a file's preview into the caller's memory, if it is a JPEG of the picture's shape.
  ///
  /// - Parameters:
  ///   - bytes: those of ``previewRange(_:fileBytes:)``.
  ///   - header: what ``ImageHeader`` read of the file.
  ///   - fileBytes: how long the file is.
  ///   - target: what the picture is to become.
  ///   - interruption: asked whether the picture is still wanted.
  ///   - output: where the pixels go, as in ``decode(_:header:target:rung:interruption:into:)``.
  /// - Returns: the size of the result, and what else is to be known.
  /// - Throws: ``DecodingError``.
  public func decodePreview(
    _ bytes: UnsafeRawBufferPointer, of header: ImageHeader?, fileBytes: Int, target: DecodingTarget,
    interruption: DecodingInterruption = .none, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingError) -> DecodedImage {
    try draw(header, fileBytes: fileBytes, target, interruption, into: output) {
      header, placement throws(DecodingError) in
      guard let stored = header.storedSize, let own = ImageHeader.read(bytes), own.format == .jpeg,
        let preview = EmbeddedPreview(own.storedSize, of: stored),
        limits.allow(preview.size, format: .jpeg, fileBytes: bytes.count)
      else { throw .noPreview }
      let reduced = try JPEGDecoder(bytes).decode(own, for: preview.placement(for: placement))
      return reduced.standingFor(preview.picture, insteadOf: preview.size)
    }
  }
}
