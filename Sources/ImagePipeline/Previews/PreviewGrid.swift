import Geometry
import Rendering

/// A bitmap averaged down to at most 32 by 32 places, brightness and colour apart.
struct PreviewGrid {
  /// Places across.
  let width: Int
  /// Places down.
  let height: Int
  /// Rows of places, one behind the other from the top; what lies beyond the width is zero.
  private(set) var luma: [PreviewRow.Part]
  private(set) var orange: [PreviewRow.Part]
  private(set) var green: [PreviewRow.Part]
  /// The averages of the whole bitmap.
  let average: (luma: Float, orange: Float, green: Float)

  /// Averages a bitmap; its alpha counts for nothing.
  ///
  /// - Complexity: O(pixels), about 1 ns each.
  init(of bitmap: Bitmap) {
    let size = PreviewGrid.places(for: bitmap.size)
    (width, height) = size
    luma = Array(repeating: .zero, count: size.height * PreviewRow.parts)
    orange = luma
    green = luma
    var whole = SIMD3<UInt64>.zero
    var sums = [SIMD3<UInt32>](repeating: .zero, count: size.width)
    let isBlueFirst = bitmap.order == .blueFirst
    for y in 0..<size.height {
      let rows = PreviewGrid.stretch(y, of: size.height, over: bitmap.size.height)
      for place in sums.indices { sums[place] = .zero }
      bitmap.withPixels { PreviewGrid.add(rows, of: $0, width: bitmap.size.width, to: &sums) }
      for x in 0..<size.width {
        if isBlueFirst { sums[x] = SIMD3(sums[x].z, sums[x].y, sums[x].x) }
        whole &+= SIMD3(truncatingIfNeeded: sums[x])
        let columns = PreviewGrid.stretch(x, of: size.width, over: bitmap.size.width)
        let value = SIMD3<Float>(sums[x]) / Float(columns.count * rows.count * 255)
        let parts = PreviewColors.parts(red: value.x, green: value.y, blue: value.z)
        PreviewRow.set(x, ofRow: y, in: &luma, to: parts.luma)
        PreviewRow.set(x, ofRow: y, in: &orange, to: parts.orange)
        PreviewRow.set(x, ofRow: y, in: &green, to: parts.green)
      }
    }
    let value = SIMD3<Float>(whole) / (Float(bitmap.size.area) * 255)
    average = PreviewColors.parts(red: value.x, green: value.y, blue: value.z)
  }

  /// The largest grid of a bitmap's shape, no larger than the bitmap.
  static func places(for size: PixelSize) -> (width: Int, height: Int) {
    let longer = max(size.width, size.height)
    guard longer > PreviewRow.longest else { return (size.width, size.height) }
    return (max(1, size.width * PreviewRow.longest / longer), max(1, size.height * PreviewRow.longest / longer))
  }

  /// The pixels that a place has along a side.
  private static func stretch(_ place: Int, of count: Int, over pixels: Int) -> Range<Int> {
    place * pixels / count..<(place + 1) * pixels / count
  }

  /// Adds rows of pixels up, each place's apart; a place has fewer than 2^24 pixels as thumbnails are.
  private static func add(
    _ rows: Range<Int>, of pixels: UnsafeRawBufferPointer, width: Int, to sums: inout [SIMD3<UInt32>]
  ) {
    for row in rows {
      for place in sums.indices {
        var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
        for column in stretch(place, of: sums.count, over: width) {
          let pixel = pixels.loadUnaligned(fromByteOffset: (row * width + column) * 4, as: UInt32.self)
          red &+= pixel & 0xFF
          green &+= pixel &>> 8 & 0xFF
          blue &+= pixel &>> 16 & 0xFF
        }
        sums[place] &+= SIMD3(red, green, blue)
      }
    }
  }
}
