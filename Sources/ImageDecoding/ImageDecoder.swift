import Geometry
public import ImageMetadata
public import Rendering

/// Turns a picture file's bytes into pixels of the size that is wanted, upright, opaque and in sRGB.
///
/// JPEG, PNG, WebP, GIF, BMP, QOI, TIFF, AVIF and HEIC. Nothing larger than the result and a few rows is kept where the
/// format allows it, and what a file declares is checked against ``ImageLimits`` before anything is decoded. Meant for a
/// process of its own: most of the decoders are C.
public struct ImageDecoder: Sendable {
  /// What is refused by the header alone.
  public var limits: ImageLimits
  /// The formats that are decoded; others are ``DecodingError/unsupported(_:detail:)``.
  public var formats: DecoderSet

  /// Makes a decoder.
  ///
  /// - Parameters:
  ///   - limits: what is refused by the header alone.
  ///   - formats: the formats that are decoded: ``DecoderSet/trusted`` where there is no sandbox.
  public init(limits: ImageLimits = .standard, formats: DecoderSet = .all) {
    self.limits = limits
    self.formats = formats
  }

  /// Where a picture's pixels will go, or why it cannot be decoded; looks at no pixel.
  ///
  /// - Parameters:
  ///   - header: what the file's first bytes said; nothing when they are those of no picture.
  ///   - fileBytes: how long the file is.
  ///   - target: what the picture is to become.
  /// - Throws: ``DecodingError``.
  public func placement(
    _ header: ImageHeader?, fileBytes: Int, target: DecodingTarget
  ) throws(DecodingError) -> Placement {
    guard fileBytes > 0 else { throw .emptyFile }
    guard let header else { throw .notAPicture }
    guard DecoderSet.all.contains(header.format) else {
      throw .unsupported(header.format, detail: header.format.name)
    }
    guard formats.contains(header.format) else {
      throw .unsupported(header.format, detail: "decoded in a sandbox alone, and there is none")
    }
    guard !header.isOversized else { throw .tooLarge(nil) }
    // A GIF's screen comes before its frame, which may be larger.
    if header.isIncomplete, header.storedSize == nil || header.format == .gif {
      throw .tooMuchMetadata(bytes: ImageHeaderParser.maximumBytes)
    }
    guard let stored = header.storedSize else { throw .damaged(detail: "the header has no size") }
    guard limits.allows(stored, format: header.format, fileBytes: fileBytes) else { throw .tooLarge(header.size) }
    return Placement(stored: stored, orientation: header.orientation, target: target.size, fit: target.fit)
  }

  /// Decodes a file into the caller's memory.
  ///
  /// - Parameters:
  ///   - file: the file's bytes.
  ///   - header: what ``ImageHeader`` read of them.
  ///   - target: what the picture is to become.
  ///   - rung: whether the picture itself is wanted, or the preview in its file.
  ///   - interruption: asked between rows whether the picture is still wanted.
  ///   - output: where the pixels go: R, G, B, 255, rows from the top without padding. It may be larger than they are.
  ///     Its bytes are undefined after an error.
  /// - Returns: the size of the result, and what else is to be known.
  /// - Throws: ``DecodingError``.
  /// - Complexity: that of the format's decoder, and O(pixels decoded).
  public func decode(
    _ file: UnsafeRawBufferPointer, header: ImageHeader?, target: DecodingTarget, rung: DecodingRung = .full,
    interruption: DecodingInterruption = .none, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingError) -> DecodedImage {
    if rung != .full, let header, header.format != .heic {
      let range = try previewRange(header, fileBytes: file.count)
      return try decodePreview(
        UnsafeRawBufferPointer(rebasing: file[range]), of: header, fileBytes: file.count, target: target,
        interruption: interruption, into: output)
    }
    return try draw(header, fileBytes: file.count, target, interruption, into: output) {
      header, placement throws(DecodingError) in
      try picture(file, header, placement, rung, Backdrop(target.background), interruption)
    }
  }

  /// Draws what a body decodes, where it is asked to go.
  func draw(
    _ header: ImageHeader?, fileBytes: Int, _ target: DecodingTarget, _ interruption: DecodingInterruption,
    into output: UnsafeMutableRawBufferPointer,
    _ decode: (ImageHeader, Placement) throws(DecodingError) -> ReducedPicture
  ) throws(DecodingError) -> DecodedImage {
    let placement = try placement(header, fileBytes: fileBytes, target: target)
    guard let header, let sourceSize = header.size else { throw .notAPicture }
    let needed = placement.outputSize.bytesAtFourPerPixel
    guard output.count >= needed, let start = output.baseAddress else { throw .bufferTooSmall(needed: needed) }
    try interruption.check()
    let picture = try decode(header, placement)
    try interruption.check()
    let isDamaged = picture.isDamaged
    let colors = picture.colors
    let pixels = start.bindMemory(to: UInt8.self, capacity: needed)
    try picture.draw(placement, into: pixels, interruption: interruption)
    colors.convert(pixels, count: placement.outputSize.area)
    return DecodedImage(
      size: placement.outputSize, sourceSize: sourceSize, orientation: header.orientation, isDamaged: isDamaged)
  }

  /// Decodes the picture itself, as far as the result needs it.
  private func picture(
    _ file: UnsafeRawBufferPointer, _ header: ImageHeader, _ placement: Placement, _ rung: DecodingRung,
    _ backdrop: Backdrop, _ interruption: DecodingInterruption
  ) throws(DecodingError) -> ReducedPicture {
    switch header.format {
    case .jpeg:
      var picture = try JPEGDecoder(file, interruption: interruption).decode(header, for: placement)
      picture.colors = EmbeddedProfile.ofJPEG(file)
      return picture
    case .webp:
      var picture = try WebPDecoder(file: file, backdrop: backdrop).decode(header, for: placement)
      picture.colors = EmbeddedProfile.ofWebP(file)
      return picture
    case .png:
      return try PNGDecoder(file: file, backdrop: backdrop, interruption: interruption).decode(header, for: placement)
    case .gif:
      return try GIFDecoder(file, backdrop: backdrop, interruption: interruption).decode(header, for: placement)
    case .bmp:
      return try BMPDecoder(file, backdrop: backdrop, interruption: interruption).decode(header, for: placement)
    case .qoi:
      return try QOIDecoder(file, backdrop: backdrop, interruption: interruption).decode(header, for: placement)
    case .tiff:
      return try TIFFDecoder(file, backdrop: backdrop, interruption: interruption).decode(header, for: placement)
    case .avif:
      return try AVIFDecoder(file, backdrop: backdrop, interruption: interruption)
        .decode(header, for: placement, mostPixels: limits.maximumPixels)
    case .heic:
      return try HEICDecoder(file, backdrop: backdrop, interruption: interruption)
        .decode(header, for: placement, rung: rung)
    case .jpegXL, .jpeg2000, .photoshop, .icon:
      throw .unsupported(header.format, detail: header.format.name)
    }
  }

  /// Decodes a file into the caller's memory, reading its header first.
  public func decode(
    _ file: UnsafeRawBufferPointer, target: DecodingTarget, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingError) -> DecodedImage {
    try decode(file, header: ImageHeader.read(file), target: target, into: output)
  }

  /// Decodes a file into a bitmap.
  ///
  /// - Throws: ``DecodingError``.
  public func bitmap(
    _ file: UnsafeRawBufferPointer, target: DecodingTarget, rung: DecodingRung = .full,
    interruption: DecodingInterruption = .none
  ) throws(DecodingError) -> (bitmap: Bitmap, image: DecodedImage) {
    let header = ImageHeader.read(file)
    let size = try placement(header, fileBytes: file.count, target: target).outputSize
    var image: DecodedImage?
    do {
      let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
        image = try decode(
          file, header: header, target: target, rung: rung, interruption: interruption, into: pixels)
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
