import VitrineGeometry
import VitrineImageMetadata

/// A decoder for WebP, or the first frame of an animation, that lets libwebp scale to twice the needed size.
struct WebPDecoder {
  let file: UnsafeRawBufferPointer
  let backdrop: Backdrop

  /// The maximum number of decoded pixels, as long as a smaller scale still has at least the pixels of the result.
  private static let maximumPixels = 32 << 20

  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    guard let first = WebPFirstFrame(file) else { throw .damaged(detail: "an animation without frames") }
    guard let canvas = header.storedSize else { throw .damaged(detail: "the header has no size") }
    let frame = UnsafeRawBufferPointer(rebasing: file[first.bytes])
    let frameSize = try LibWebP.size(of: frame)
    let frameRect = first.frameRect ?? PixelRect(x: 0, y: 0, width: Int32(canvas.width), height: Int32(canvas.height))
    guard frameSize.width == Int(frameRect.width), frameSize.height == Int(frameRect.height),
      Int(frameRect.maxX) <= canvas.width, Int(frameRect.maxY) <= canvas.height
    else { throw .damaged(detail: "a frame and its canvas do not agree") }

    let scale = WebPDecoder.scale(for: placement, size: canvas)
    let scaled = WebPDecoder.scaled(canvas, by: scale)
    let pixels = try PixelMemory(size: scaled)
    let scaleX = Double(scaled.width) / Double(canvas.width)
    let scaleY = Double(scaled.height) / Double(canvas.height)
    let left = min(scaled.width - 1, Int((Double(frameRect.x) * scaleX).rounded()))
    let top = min(scaled.height - 1, Int((Double(frameRect.y) * scaleY).rounded()))
    let right = max(left + 1, Int((Double(frameRect.maxX) * scaleX).rounded()))
    let bottom = max(top + 1, Int((Double(frameRect.maxY) * scaleY).rounded()))
    guard let target = PixelSize(width: right - left, height: bottom - top), right <= scaled.width,
      bottom <= scaled.height
    else { throw .damaged(detail: "a frame off its canvas") }
    let area = LibWebP.Canvas(
      start: pixels.row(top) + left * 4, bytesPerRow: pixels.bytesPerRow, size: target, isReduced: target != frameSize)

    let isDamaged = try decode(frame, into: area, of: pixels)
    let backdrop = backdrop.scaled(across: scaleX, down: scaleY)
    for y in 0..<scaled.height { backdrop.flatten(pixels.row(y), count: scaled.width, x: 0, y: y) }
    return try ReducedPicture(pixels: pixels, scaleX: scaleX, scaleY: scaleY, isDamaged: isDamaged)
      .reduced(for: placement)
  }

  /// Decodes the frame, or its available rows, and returns whether some are missing.
  private func decode(
    _ frame: UnsafeRawBufferPointer, into area: LibWebP.Canvas, of pixels: borrowing PixelMemory
  ) throws(DecodingError) -> Bool {
    pixels.fill(fromRow: 0, with: backdrop)
    do {
      try LibWebP.decode(frame, into: area)
      return false
    } catch .damaged(let detail) {
      pixels.fill(fromRow: 0, with: backdrop)
      guard try LibWebP.decodeTruncated(frame, into: area) > 0 else { throw .damaged(detail: detail) }
      return true
    }
  }

  /// Returns the smallest scale with twice the pixels of the result on both axes, at most 1.
  private static func scale(for placement: Placement, size: PixelSize) -> Double {
    let ratio = min(placement.ratioX, placement.ratioY)
    let wanted = min(1, 2 / ratio)
    guard Double(size.area) * wanted * wanted > Double(maximumPixels) else { return wanted }
    return min(wanted, max(1 / ratio, (Double(maximumPixels) / Double(size.area)).squareRoot()))
  }

  private static func scaled(_ size: PixelSize, by scale: Double) -> PixelSize {
    guard scale < 1 else { return size }
    let width = min(size.width, Int((Double(size.width) * scale).rounded(.up)))
    let height = min(size.height, Int((Double(size.height) * scale).rounded(.up)))
    return PixelSize(width: width, height: height) ?? size
  }
}

/// The location of a WebP's first image: the file itself, or the first frame of an animation (RFC 9649, section 2.7).
private struct WebPFirstFrame: Hashable {
  /// The byte range to decode, within the file.
  let bytes: Range<Int>
  /// The frame's rectangle on the canvas in pixels, or nil for an image that covers the canvas.
  let frameRect: PixelRect?

  /// Finds the first image, or returns nil if the file declares an animation but has no frame.
  init?(_ file: UnsafeRawBufferPointer) {
    guard var frames = WebPFrames(file) else {
      bytes = 0..<file.count
      frameRect = nil
      return
    }
    guard let frame = frames.next() else { return nil }
    bytes = frame.bytes
    frameRect = PixelRect(
      x: Int32(frame.left), y: Int32(frame.top), width: Int32(frame.width), height: Int32(frame.height))
  }
}
