public import ImageMetadata

extension ImageDecoder {
  /// Where the preview lies that a camera put into its file: all that is to be read of the file for it.
  ///
  /// - Parameters:
  ///   - header: what the file's first bytes said.
  ///   - fileBytes: how long the file is.
  /// - Throws: ``DecodingError/noPreview`` where there is none, and for HEIC, whose preview lies in several pieces:
  ///   ``previewRanges(_:fileBytes:head:)``.
  public func previewRange(_ header: ImageHeader?, fileBytes: Int) throws(DecodingError) -> Range<Int> {
    guard let header, header.format != .heic, let range = header.embeddedThumbnail, range.lowerBound >= 0,
      range.upperBound <= fileBytes
    else { throw .noPreview }
    return range
  }

  /// Which bytes of a HEIC are to be read for its preview: the file with noughts in place of all others is decoded with
  /// ``DecodingRung/embedded`` and ``DecodingRung/sufficientPreview`` as the whole file is, or not at all.
  ///
  /// Not at all, where the preview is made of several items or is not the first of several: then the whole file tells.
  ///
  /// - Parameters:
  ///   - header: what the file's first bytes said.
  ///   - fileBytes: how long the file is.
  ///   - head: reads the sixteen bytes at a place, fewer at the file's end; what it throws is thrown.
  /// - Returns: nothing for other formats, and where it is not worth it.
  public func previewRanges<Failure: Error>(
    _ header: ImageHeader?, fileBytes: Int, head: (Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>]? {
    guard let header, header.format == .heic, let preview = header.embeddedThumbnail, preview.lowerBound >= 0,
      preview.upperBound <= fileBytes
    else { return nil }
    return try PreviewPieces.ranges(preview: preview, fileBytes: fileBytes, head: head)
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
        limits.allows(preview.size, format: .jpeg, fileBytes: bytes.count)
      else { throw .noPreview }
      let reduced = try JPEGDecoder(bytes).decode(own, for: preview.placement(for: placement))
      return reduced.standingFor(preview.picture, insteadOf: preview.size)
    }
  }
}
