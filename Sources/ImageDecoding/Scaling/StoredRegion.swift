import Geometry

/// The part of a stored picture that a result is made of: its window, and what the resampler looks at around it.
struct StoredRegion: Hashable {
  /// Stored columns.
  let columns: Range<Int>
  /// Stored rows.
  let rows: Range<Int>

  /// Some columns of some rows.
  init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// All of a picture.
  init(all size: PixelSize) {
    columns = 0..<size.width
    rows = 0..<size.height
  }

  /// What a placement needs of a picture, in whole steps of a reduction.
  init(_ placement: Placement, of size: PixelSize, reduction: Reduction) {
    columns = StoredRegion.needed(
      from: placement.window.minX, to: placement.window.maxX, ratio: placement.ratioX, step: reduction.across,
      count: size.width)
    rows = StoredRegion.needed(
      from: placement.window.minY, to: placement.window.maxY, ratio: placement.ratioY, step: reduction.down,
      count: size.height)
  }

  /// The extent.
  var size: PixelSize? { PixelSize(width: columns.count, height: rows.count) }

  private static func needed(from low: Double, to high: Double, ratio: Double, step: Int, count: Int) -> Range<Int> {
    // Three lobes of a kernel as wide as a pixel of the result, and a pixel of the reduced picture for rounding.
    let reach = 3 * max(1, ratio) + Double(2 * step)
    let first = max(0, Int((low - reach).rounded(.down))) / step * step
    let last = min(count, Int((high + reach).rounded(.up)))
    return first < last ? first..<last : 0..<count
  }
}
