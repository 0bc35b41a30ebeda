package import VitrineGeometry
package import VitrineRendering

/// A copy pixel for pixel, clipped to the visible rectangle and to the texture.
package struct Blit: Hashable {
  /// The first column of the texture.
  package let column: Int
  /// The first row of the texture.
  package let row: Int
  /// The left edge in the window.
  package let x: Int
  /// The top edge in the window.
  package let y: Int
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int

  /// Clips a copy, or returns nil if no part of it is visible.
  ///
  /// Coordinates are added in 64 bits to avoid overflow, so that the result is always within the texture and the
  /// visible rectangle.
  ///
  /// - Parameters:
  ///   - command: A command that draws a texture at its own size.
  ///   - texture: The size of the texture.
  ///   - visible: The visible rectangle, within the window.
  /// - Complexity: O(1).
  @inline(__always)
  package init?(_ command: DrawCommand, texture: PixelSize, visible: PixelRect) {
    let (source, destination) = (command.source, command.destination)
    let (sourceX, sourceY) = (Int(source.x), Int(source.y))
    let (toX, toY) = (Int(destination.x), Int(destination.y))
    let left = max(toX, Int(visible.x), toX - sourceX)
    let top = max(toY, Int(visible.y), toY - sourceY)
    let right = min(
      toX + Int(source.width), Int(visible.x) + Int(visible.width), toX - sourceX + texture.width)
    let bottom = min(
      toY + Int(source.height), Int(visible.y) + Int(visible.height), toY - sourceY + texture.height)
    guard right > left, bottom > top else { return nil }
    column = left - toX + sourceX
    row = top - toY + sourceY
    (x, y) = (left, top)
    (width, height) = (right - left, bottom - top)
  }

  /// The rectangle of the window that the copy covers.
  package var rect: PixelRect { PixelRect(x: Int32(x), y: Int32(y), width: Int32(width), height: Int32(height)) }
}

/// The visible part of a stretched copy.
///
/// A photograph zoomed to single pixels extends millions of pixels beyond the screen, where the single-precision
/// numbers of graphics hardware cannot represent fractions of a pixel. So copies are clipped to whole pixels of the
/// source around the visible part, with a spare pixel on each side for smoothing. If a pixel of the source covers
/// hundreds of pixels on the screen, this margin is limited too, and edges may be off by a fraction of a source pixel.
package struct ScaledCopy: Hashable {
  /// The maximum number of pixels that a stretched copy extends beyond the visible part on each side.
  package static let maximumMargin = 256

  /// The part of the bitmap.
  package let source: PixelRect
  /// The rectangle of the screen.
  package let destination: PixelRect

  /// Clips a copy, or returns nil if no part of it is visible or there are no pixels to copy.
  /// - Complexity: O(1).
  @inline(__always)
  package init?(source: PixelRect, destination: PixelRect, bitmap: PixelSize, visible: PixelRect) {
    if destination.x >= visible.x, destination.y >= visible.y, destination.maxX <= visible.maxX,
      destination.maxY <= visible.maxY, source.x >= 0, source.y >= 0, Int(source.maxX) <= bitmap.width,
      Int(source.maxY) <= bitmap.height, !source.isEmpty, !destination.isEmpty
    {
      self.init(uncut: source, to: destination)
      return
    }
    self.init(cutting: source, to: destination, bitmap: bitmap, visible: visible)
  }

  @inline(__always)
  private init(uncut source: PixelRect, to destination: PixelRect) {
    self.source = source
    self.destination = destination
  }

  @inline(never)
  private init?(cutting source: PixelRect, to destination: PixelRect, bitmap: PixelSize, visible: PixelRect) {
    guard
      !visible.isEmpty, !source.isEmpty, !destination.isEmpty,
      let across = AxisCopy(
        source: (source.x, source.width), destination: (destination.x, destination.width), limit: bitmap.width,
        visible: (visible.x, visible.width)),
      let down = AxisCopy(
        source: (source.y, source.height), destination: (destination.y, destination.height), limit: bitmap.height,
        visible: (visible.y, visible.height))
    else { return nil }
    self.source = PixelRect(
      x: Int32(across.source), y: Int32(down.source), width: Int32(across.sourceLength),
      height: Int32(down.sourceLength))
    self.destination = PixelRect(
      x: Int32(across.destination), y: Int32(down.destination), width: Int32(across.destinationLength),
      height: Int32(down.destinationLength))
  }

  /// One axis of a copy, computed in 64 bits to avoid overflow.
  private struct AxisCopy {
    var source: Int
    var sourceLength: Int
    var destination: Int
    var destinationLength: Int

    init?(
      source: (start: Int32, length: Int32), destination: (start: Int32, length: Int32), limit: Int,
      visible: (start: Int32, length: Int32)
    ) {
      let sourceStart = Int(source.start)
      let sourceLength = Int(source.length)
      let start = Int(destination.start)
      let length = Int(destination.length)
      let spare = sourceLength == length ? 0 : 1
      let firstVisible = max(0, Int(visible.start) - start)
      let endVisible = min(length, Int(visible.start) + Int(visible.length) - start)
      guard endVisible > firstVisible else { return nil }
      // Offsets into the source: whole pixels around the visible part, limited to the bitmap.
      let first = max(0, firstVisible * sourceLength / length - spare, -sourceStart)
      let end = min(
        sourceLength, (endVisible * sourceLength + length - 1) / length + spare, limit - sourceStart)
      guard end > first else { return nil }
      self.source = sourceStart + first
      self.sourceLength = end - first
      let margin = sourceLength == length ? 0 : ScaledCopy.maximumMargin
      let left = max((first * length + sourceLength / 2) / sourceLength, firstVisible - margin)
      let right = min((end * length + sourceLength / 2) / sourceLength, endVisible + margin)
      guard right > left else { return nil }
      self.destination = start + left
      self.destinationLength = right - left
    }
  }
}
