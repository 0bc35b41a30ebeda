import VitrineGeometry
import VitrineRendering

/// A part of an animation's canvas that a frame changes.
struct AnimationPart: Hashable {
  /// What happens to the part before the next frame.
  enum Disposal: Hashable {
    /// It stays.
    case keep
    /// It becomes transparent.
    case clear
    /// It becomes what it was before the frame.
    case restore
  }

  /// The position on the canvas, in pixels.
  var left: Int
  var top: Int
  /// The size in pixels.
  var size: PixelSize
  /// Whether the pixels replace those of the canvas, instead of being blended over them.
  var replaces = false
  /// What happens to the part before the next frame.
  var disposal = Disposal.keep
  /// How long the frame is shown, in milliseconds.
  var milliseconds = 0
}

/// The canvas on which the frames of an animation are composed: R, G, B, A, not premultiplied.
///
/// Each frame changes a part of it. What lies outside of the canvas is not shown.
final class AnimationCanvas {
  /// The maximum number of pixels of a canvas, which is in memory up to three times.
  static let maximumPixels = 16 << 20

  /// The size in pixels.
  var size: PixelSize { pixels.size }

  private let backdrop: Backdrop
  private let colors: PictureColors
  private let pixels: PixelMemory
  private var backup: PixelMemory?
  private var part: AnimationPart?

  /// Creates a canvas.
  ///
  /// - Parameters:
  ///   - size: The size in pixels.
  ///   - color: The color that fills it: R, G, B, A. Default: transparent.
  ///   - backdrop: What is behind transparent pixels.
  ///   - colors: The color space of the frames. Default: sRGB.
  init(
    size: PixelSize, color: SIMD4<UInt8> = SIMD4(), backdrop: Backdrop, colors: PictureColors = .standard
  ) throws(DecodingError) {
    pixels = try PixelMemory(size: size)
    self.backdrop = backdrop
    self.colors = colors
    guard color != SIMD4() else { return }
    for index in 0..<size.area {
      UnsafeMutableRawPointer(pixels.bytes + 4 * index).storeBytes(of: color, as: SIMD4<UInt8>.self)
    }
  }

  /// Draws a frame.
  ///
  /// - Parameters:
  ///   - part: The part of the canvas that the frame changes.
  ///   - source: The pixels of the part: R, G, B, A in rows without padding.
  func draw(_ part: AnimationPart, _ source: UnsafePointer<UInt8>) throws(DecodingError) {
    dispose()
    if part.disposal == .restore { try save() }
    self.part = part
    let (columns, rows) = visible(part)
    for y in rows {
      let from = source + ((y - part.top) * part.size.width + columns.lowerBound - part.left) * 4
      let to = pixels.row(y) + columns.lowerBound * 4
      if part.replaces {
        to.update(from: from, count: columns.count * 4)
      } else {
        AnimationCanvas.blend(from, over: to, count: columns.count)
      }
    }
  }

  /// Returns the pixels, blended over the backdrop.
  func picture(for placement: Placement) throws(DecodingError) -> ReducedPicture {
    let copy = try PixelMemory(size: pixels.size)
    copy.bytes.update(from: pixels.bytes, count: pixels.size.bytesAtFourPerPixel)
    for y in 0..<copy.height { backdrop.flatten(copy.row(y), count: copy.width, x: 0, y: y) }
    return try ReducedPicture(pixels: copy, scaleX: 1, scaleY: 1, isDamaged: false, colors: colors)
      .reduced(for: placement)
  }

  /// Applies the disposal of the last frame.
  private func dispose() {
    guard let part else { return }
    let (columns, rows) = visible(part)
    switch part.disposal {
    case .keep: break
    case .clear:
      for y in rows { (pixels.row(y) + columns.lowerBound * 4).update(repeating: 0, count: columns.count * 4) }
    case .restore:
      for y in rows {
        copyBackup(at: (y * pixels.width + columns.lowerBound) * 4, count: columns.count * 4)
      }
    }
  }

  private func copyBackup(at offset: Int, count: Int) {
    switch backup {
    case .some(let backup): (pixels.bytes + offset).update(from: backup.bytes + offset, count: count)
    case .none: break
    }
  }

  private func save() throws(DecodingError) {
    let copy = try PixelMemory(size: pixels.size)
    copy.bytes.update(from: pixels.bytes, count: pixels.size.bytesAtFourPerPixel)
    backup = consume copy
  }

  /// Returns the columns and rows of a part that lie on the canvas.
  private func visible(_ part: AnimationPart) -> (columns: Range<Int>, rows: Range<Int>) {
    func clip(_ start: Int, _ count: Int, _ limit: Int) -> Range<Int> {
      let first = min(max(0, start), limit)
      return first..<min(limit, max(first, start + count))
    }
    return (clip(part.left, part.size.width, pixels.width), clip(part.top, part.size.height, pixels.height))
  }

  /// Blends pixels over others; neither are premultiplied.
  private static func blend(_ source: UnsafePointer<UInt8>, over target: UnsafeMutablePointer<UInt8>, count: Int) {
    for index in 0..<count {
      let (over, under) = (source + index * 4, target + index * 4)
      let alpha = UInt32(over[3])
      if alpha == 0 { continue }
      if alpha == 255 || under[3] == 0 {
        under.update(from: over, count: 4)
        continue
      }
      // In 255ths of 255ths.
      let (overShare, underShare) = (alpha * 255, UInt32(under[3]) * (255 - alpha))
      let sum = overShare + underShare
      for channel in 0..<3 {
        let mixed = UInt32(over[channel]) * overShare + UInt32(under[channel]) * underShare
        under[channel] = UInt8(clamping: (mixed + sum / 2) / sum)
      }
      under[3] = UInt8(clamping: (sum + 127) / 255)
    }
  }
}
