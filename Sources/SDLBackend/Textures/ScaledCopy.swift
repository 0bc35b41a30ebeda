package import Geometry

/// The part of a copy that can be seen: from which pixels of a bitmap to which of the screen.
///
/// A photograph zoomed to single pixels reaches millions of pixels beyond the screen, where the hardware's single-precision
/// numbers have no room for parts of a pixel. So copies are cut here to what is visible and a
/// little more: whole pixels of the source, with one to spare on each side for smoothing. Where a single pixel of the
/// source covers hundreds on the screen even that is bounded, at the price of edges that may stand a part of such a
/// pixel beside their place.
package nonisolated struct ScaledCopy: Hashable {
  /// The most pixels that a stretched copy reaches beyond what is visible, on each side.
  package static let maximumMargin = 256

  /// From where in the bitmap.
  package let source: PixelRect
  /// To where on the screen.
  package let destination: PixelRect

  /// Cuts a copy, or gives nothing where nothing of it can be seen or there are no pixels to copy.
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

  /// One axis of a copy, in 64 bits: no product of two coordinates overflows.
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
      // Offsets into the source: whole pixels around what is visible, then only those that the bitmap has.
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
