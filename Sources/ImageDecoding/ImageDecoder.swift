import Geometry
public import ImageMetadata
public import Rendering

/// Turns a picture file's bytes into pixels of the size that is wanted, upright and opaque.
///
/// JPEG, PNG and WebP. Nothing larger than the result and a few rows is kept where the format allows it, and what a file
/// declares is checked against ``ImageLimits`` before anything is decoded. Meant for a process of its own: the decoders
/// are C.
public struct ImageDecoder: Sendable {
  /// What is refused by the header alone.
  public var limits: ImageLimits

  /// Makes a decoder.
  public init(limits: ImageLimits = .standard) {
    self.limits = limits
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
    switch header.format {
    case .jpeg, .png, .webp: break
    case .gif, .bmp, .tiff, .avif, .heic, .qoi, .jpegXL: throw .unsupported(header.format, detail: header.format.name)
    }
    guard !header.declaresGiant else { throw .tooLarge(nil) }
    guard let stored = header.storedSize else { throw .damaged(detail: "the header has no size") }
    guard limits.allow(stored, fileBytes: fileBytes) else { throw .tooLarge(header.size) }
    return Placement(stored: stored, orientation: header.orientation, target: target.size, fit: target.fit)
  }

  /// Decodes a file into the caller's memory.
  ///
  /// - Parameters:
  ///   - file: the file's bytes.
  ///   - header: what ``ImageHeader`` read of them.
  ///   - target: what the picture is to become.
  ///   - output: where the pixels go: R, G, B, 255, rows from the top without padding. It may be larger than they are.
  ///     Its bytes are undefined after an error.
  /// - Returns: the size of the result, and what else is to be known.
  /// - Throws: ``DecodingError``.
  /// - Complexity: that of the format's decoder, and O(pixels decoded).
  public func decode(
    _ file: UnsafeRawBufferPointer, header: ImageHeader?, target: DecodingTarget,
    into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingError) -> DecodedImage {
    let placement = try placement(header, fileBytes: file.count, target: target)
    guard let header, let sourceSize = header.size else { throw .notAPicture }
    let needed = placement.outputSize.bytesAtFourPerPixel
    guard output.count >= needed, let start = output.baseAddress else { throw .bufferTooSmall(needed: needed) }
    let backdrop = Backdrop(target.background)
    let picture =
      switch header.format {
      case .jpeg: try JPEGDecoder(file).decode(header, for: placement)
      case .png: try PNGDecoder(file: file, backdrop: backdrop).decode(header, for: placement)
      case .webp: try WebPDecoder(file: file, backdrop: backdrop).decode(header, for: placement)
      default: throw .unsupported(header.format, detail: header.format.name)
      }
    let isDamaged = picture.isDamaged
    try picture.draw(placement, into: start.bindMemory(to: UInt8.self, capacity: needed))
    return DecodedImage(
      size: placement.outputSize, sourceSize: sourceSize, orientation: header.orientation, isDamaged: isDamaged)
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
    _ file: UnsafeRawBufferPointer, target: DecodingTarget
  ) throws(DecodingError) -> (bitmap: Bitmap, image: DecodedImage) {
    let header = ImageHeader.read(file)
    let size = try placement(header, fileBytes: file.count, target: target).outputSize
    var image: DecodedImage?
    do {
      let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
        image = try decode(file, header: header, target: target, into: pixels)
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
