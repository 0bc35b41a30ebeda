public import VitrineGeometry
public import VitrineImageMetadata
public import VitrineRendering

/// A decoder that turns image files into pixels of a requested size: upright, opaque and in sRGB.
///
/// Supports the formats of its ``FormatDecoders``. Where the format allows it, the decoder holds only the result and a few
/// rows in memory. The values that a file declares are checked against ``ImageLimits`` before anything
/// is decoded. Most of the underlying decoders are written in C, so run this type in a separate process.
public struct ImageDecoder: Sendable {
  /// The limits that reject an image by its header alone.
  public var limits: ImageLimits
  /// The formats to decode.
  ///
  /// Other formats fail with ``DecodingError/unsupported(_:detail:)``.
  public var formats: DecoderSet
  /// The decoders of the formats.
  public let decoders: FormatDecoders

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - limits: The limits that reject an image by its header alone.
  ///   - formats: The formats to decode, or nil for those that have a decoder. Use ``DecoderSet/trusted`` without a
  ///     sandbox. Default: nil.
  ///   - decoders: The decoders of the formats.
  public init(limits: ImageLimits = .standard, formats: DecoderSet? = nil, decoders: FormatDecoders) {
    self.limits = limits
    self.formats = formats ?? decoders.formats
    self.decoders = decoders
  }

  /// Returns the placement of an image's pixels, without reading any pixel.
  ///
  /// - Parameters:
  ///   - header: The header read from the file's first bytes, or nil if they belong to no image format.
  ///   - fileBytes: The length of the file in bytes.
  ///   - target: The requested result.
  /// - Throws: ``DecodingError`` if the image cannot be decoded.
  public func placement(
    _ header: ImageHeader?, fileBytes: Int, target: DecodingTarget
  ) throws(DecodingError) -> Placement {
    guard fileBytes > 0 else { throw .emptyFile }
    guard let header else { throw .notAPicture }
    let entry = header.format.entry
    guard entry.decoding != .none, decoders.decoder(of: header.format) != nil else {
      throw .unsupported(header.format, detail: entry.name)
    }
    guard formats.contains(header.format) else {
      throw .unsupported(header.format, detail: "decoded in a sandbox alone, and there is none")
    }
    guard !header.isOversized else { throw .tooLarge(nil) }
    if header.isIncomplete, header.storedSize == nil || entry.needsCompleteHeader {
      throw .tooMuchMetadata(bytes: ImageHeaderParser.maximumBytes)
    }
    guard let stored = header.storedSize else { throw .damaged(detail: "the header has no size") }
    guard limits.allows(stored, format: header.format, fileBytes: fileBytes) else { throw .tooLarge(header.size) }
    guard let region = target.region else {
      return Placement(stored: stored, orientation: header.orientation, target: target.size, fit: target.fit)
    }
    let part = Placement(stored: stored, orientation: header.orientation, region: region, target: target.size)
    guard let part else { throw .damaged(detail: "the image is smaller than it was") }
    return part
  }

  /// Decodes a file into the caller's memory.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - header: The ``ImageHeader`` read from these bytes.
  ///   - target: The requested result.
  ///   - representation: The representation to decode: the image itself or its embedded preview.
  ///   - interruption: The check made between rows that can cancel the decoding.
  ///   - output: The buffer for the pixels: R, G, B, 255, rows from the top without padding. It may be larger than
  ///     needed. Its bytes are undefined after an error.
  /// - Returns: A description of the decoded pixels.
  /// - Throws: ``DecodingError``.
  /// - Complexity: That of the format's decoder, and O(decoded pixels).
  public func decode(
    _ file: UnsafeRawBufferPointer, header: ImageHeader?, target: DecodingTarget,
    representation: DecodingRepresentation = .full,
    interruption: DecodingInterruption = .none, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingError) -> DecodedImage {
    if representation != .full, let header, !header.format.entry.decodesOwnPreview {
      let range = try previewRange(header, fileBytes: file.count)
      return try decodePreview(
        UnsafeRawBufferPointer(rebasing: file[range]), of: header, fileBytes: file.count, target: target,
        interruption: interruption, into: output)
    }
    return try draw(header, fileBytes: file.count, target, interruption, into: output) {
      header, placement throws(DecodingError) in
      guard let decode = decoders.decoder(of: header.format) else {
        throw .unsupported(header.format, detail: header.format.name)
      }
      let input = DecoderInput(
        file: file, header: header, representation: representation, limits: limits,
        backdrop: Backdrop(target, placement), interruption: interruption)
      return try decode(input, placement)
    }
  }

  /// Draws the image that a closure decodes into the output buffer.
  func draw(
    _ header: ImageHeader?, fileBytes: Int, _ target: DecodingTarget, _ interruption: DecodingInterruption,
    into output: UnsafeMutableRawBufferPointer,
    _ decode: (ImageHeader, Placement) throws(DecodingError) -> ReducedPicture
  ) throws(DecodingError) -> DecodedImage {
    let placement = try placement(header, fileBytes: fileBytes, target: target)
    guard let header, let stored = header.storedSize, let sourceSize = header.size else { throw .notAPicture }
    let needed = placement.outputSize.bytesAtFourPerPixel
    guard output.count >= needed, let start = output.baseAddress else { throw .bufferTooSmall(needed: needed) }
    try interruption.check()
    let picture = try decode(header, placement)
    try picture.validate(for: placement, of: stored)
    try interruption.check()
    let isDamaged = picture.isDamaged
    let colors = picture.colors
    let pixels = start.bindMemory(to: UInt8.self, capacity: needed)
    try picture.draw(placement, into: pixels, interruption: interruption)
    colors.convert(pixels, count: placement.outputSize.area)
    return DecodedImage(
      size: placement.outputSize, sourceSize: sourceSize, orientation: header.orientation, isDamaged: isDamaged)
  }

  /// Decodes a file into the caller's memory, after reading its header.
  public func decode(
    _ file: UnsafeRawBufferPointer, target: DecodingTarget, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingError) -> DecodedImage {
    try decode(file, header: ImageHeader.read(file), target: target, into: output)
  }

  /// Decodes a file into a bitmap.
  ///
  /// - Throws: ``DecodingError``.
  public func bitmap(
    _ file: UnsafeRawBufferPointer, target: DecodingTarget, representation: DecodingRepresentation = .full,
    interruption: DecodingInterruption = .none
  ) throws(DecodingError) -> (bitmap: Bitmap, image: DecodedImage) {
    let header = ImageHeader.read(file)
    let size = try placement(header, fileBytes: file.count, target: target).outputSize
    var image: DecodedImage?
    do {
      let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
        image = try decode(
          file, header: header, target: target, representation: representation, interruption: interruption, into: pixels
        )
      }
      guard let image else { throw DecodingError.outOfMemory }
      return (bitmap, image)
    } catch let error as DecodingError {
      throw error
    } catch {
      throw .outOfMemory
    }
  }
}

// MARK: - Previews

extension ImageDecoder {
  /// Returns the byte range of the preview that a camera embedded in a file.
  ///
  /// Only this range must be read to decode the preview.
  ///
  /// - Parameters:
  ///   - header: The header read from the file's first bytes.
  ///   - fileBytes: The length of the file in bytes.
  /// - Throws: ``DecodingError/noPreview`` if there is no preview, and for HEIC, whose preview consists of several
  ///   ranges: see ``previewRanges(_:fileBytes:head:)``.
  public func previewRange(_ header: ImageHeader?, fileBytes: Int) throws(DecodingError) -> Range<Int> {
    guard let header, !header.format.entry.decodesOwnPreview, let range = header.embeddedThumbnail,
      range.lowerBound >= 0,
      range.upperBound <= fileBytes
    else { throw .noPreview }
    return range
  }

  /// Returns the byte ranges of a HEIC file to read for its preview.
  ///
  /// The file with zeros in place of all other bytes either decodes with ``DecodingRepresentation/embedded`` and
  /// ``DecodingRepresentation/sufficientPreview`` exactly as the whole file does, or fails to decode. It fails if the
  /// preview consists of several items or is not the first of several previews. The caller must then read the whole
  /// file.
  ///
  /// - Parameters:
  ///   - header: The header read from the file's first bytes.
  ///   - fileBytes: The length of the file in bytes.
  ///   - head: A closure that reads the sixteen bytes at an offset, or fewer at the end of the file. Its errors are
  ///     rethrown.
  /// - Returns: The ranges, or nil for other formats and if partial reading is not worthwhile.
  public func previewRanges<Failure: Error>(
    _ header: ImageHeader?, fileBytes: Int, head: (Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>]? {
    guard let header, header.format.entry.decodesOwnPreview, let preview = header.embeddedThumbnail,
      preview.lowerBound >= 0,
      preview.upperBound <= fileBytes
    else { return nil }
    return try PreviewPieces.ranges(preview: preview, fileBytes: fileBytes, head: head)
  }

  /// Decodes a file's preview into the caller's memory, if the preview is a JPEG with the image's aspect ratio.
  ///
  /// - Parameters:
  ///   - bytes: The bytes in ``previewRange(_:fileBytes:)``.
  ///   - header: The ``ImageHeader`` of the file.
  ///   - fileBytes: The length of the file in bytes.
  ///   - target: The requested result.
  ///   - interruption: The check that can cancel the decoding.
  ///   - output: The buffer for the pixels, as in ``decode(_:header:target:representation:interruption:into:)``.
  /// - Returns: A description of the decoded pixels.
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
      return reduced.reinterpreted(as: preview.picture, from: preview.size)
    }
  }
}

// MARK: - Representations

/// The representation of an image to decode.
public enum DecodingRepresentation: Hashable, Sendable {
  /// The small preview embedded in the file, enlarged if necessary. Fails with ``DecodingError/noPreview`` if the file
  /// has none.
  case embedded
  /// The preview of a HEIC file, if it has at least as many pixels as the result. Fails with
  /// ``DecodingError/noPreview`` otherwise.
  case sufficientPreview
  /// The image itself, or an embedded preview with at least as many pixels as the result.
  case full
}

/// A description of decoded pixels.
public struct DecodedImage: Hashable, Sendable {
  /// The size of the result in pixels.
  public var size: PixelSize
  /// The size of the image in the file in pixels, after orientation.
  public var sourceSize: PixelSize
  /// The orientation that was applied.
  public var orientation: Orientation
  /// Whether the file is truncated or corrupt and the result holds only what could be recovered.
  public var isDamaged: Bool
}
