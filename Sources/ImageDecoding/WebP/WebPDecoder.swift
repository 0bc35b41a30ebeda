import Geometry
import ImageMetadata

/// Decodes WebP through libwebp's own averaging to twice the size that is needed; of an animation, the first frame.
struct WebPDecoder {
  let file: UnsafeRawBufferPointer
  let backdrop: Backdrop

  /// Pixels decoded at once, at most, while fewer still are as many as the result's.
  private static let mostPixels = 32 << 20

  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    guard let first = WebPFirstFrame(file) else { throw .damaged(detail: "an animation without frames") }
    guard let canvas = header.storedSize else { throw .damaged(detail: "the header has no size") }
    let frame = UnsafeRawBufferPointer(rebasing: file[first.bytes])
    let frameSize = try LibWebP.size(of: frame)
    let place = first.place ?? PixelRect(x: 0, y: 0, width: Int32(canvas.width), height: Int32(canvas.height))
    guard frameSize.width == Int(place.width), frameSize.height == Int(place.height),
      Int(place.maxX) <= canvas.width, Int(place.maxY) <= canvas.height
    else { throw .damaged(detail: "a frame and its canvas do not agree") }

    let scale = WebPDecoder.scale(for: placement, size: canvas)
    let scaled = WebPDecoder.scaled(canvas, by: scale)
    let pixels = try PixelMemory(size: scaled)
    let scaleX = Double(scaled.width) / Double(canvas.width)
    let scaleY = Double(scaled.height) / Double(canvas.height)
    let left = min(scaled.width - 1, Int((Double(place.x) * scaleX).rounded()))
    let top = min(scaled.height - 1, Int((Double(place.y) * scaleY).rounded()))
    let right = max(left + 1, Int((Double(place.maxX) * scaleX).rounded()))
    let bottom = max(top + 1, Int((Double(place.maxY) * scaleY).rounded()))
    guard let target = PixelSize(width: right - left, height: bottom - top), right <= scaled.width,
      bottom <= scaled.height
    else { throw .damaged(detail: "a frame off its canvas") }
    let area = LibWebP.Canvas(
      start: pixels.row(top) + left * 4, bytesPerRow: pixels.bytesPerRow, size: target, isReduced: target != frameSize)

    let isDamaged = try decode(frame, into: area, of: pixels)
    backdrop.flatten(pixels.bytes, count: scaled.area)
    return try ReducedPicture(pixels: pixels, scaleX: scaleX, scaleY: scaleY, isDamaged: isDamaged)
      .reduced(for: placement)
  }

  /// Decodes the frame, or the rows of it that there are; returns whether some are missing.
  private func decode(
    _ frame: UnsafeRawBufferPointer, into area: LibWebP.Canvas, of pixels: borrowing PixelMemory
  ) throws(DecodingError) -> Bool {
    pixels.fill(fromRow: 0, with: backdrop)
    do {
      try LibWebP.decode(frame, into: area)
      return false
    } catch .damaged(let detail) {
      pixels.fill(fromRow: 0, with: backdrop)
      guard try LibWebP.decodeBeginning(frame, into: area) > 0 else { throw .damaged(detail: detail) }
      return true
    }
  }

  /// The smallest scale with twice the pixels of the result on both axes, or 1.
  private static func scale(for placement: Placement, size: PixelSize) -> Double {
    let ratio = min(placement.ratioX, placement.ratioY)
    let wanted = min(1, 2 / ratio)
    guard Double(size.area) * wanted * wanted > Double(mostPixels) else { return wanted }
    return min(wanted, max(1 / ratio, (Double(mostPixels) / Double(size.area)).squareRoot()))
  }

  private static func scaled(_ size: PixelSize, by scale: Double) -> PixelSize {
    guard scale < 1 else { return size }
    let width = min(size.width, Int((Double(size.width) * scale).rounded(.up)))
    let height = min(size.height, Int((Double(size.height) * scale).rounded(.up)))
    return PixelSize(width: width, height: height) ?? size
  }
}
