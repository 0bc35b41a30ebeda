import VitrineGeometry

/// A reducer that averages the pixels of an interlaced image, which arrive in passes.
///
/// Sums do not depend on the order. A pixel whose pass is missing takes the value of its neighbour in an earlier pass.
struct InterlacedReducer: ~Copyable {
  private let reduction: Reduction
  private let source: PixelSize
  private let size: PixelSize
  /// The sums of red, green and blue, and the number of summed pixels.
  private let sums: ScratchMemory<SIMD4<UInt32>>

  /// Creates a reducer for an image of the given size.
  init(source: PixelSize, reduction: Reduction) throws(DecodingError) {
    self.reduction = reduction
    self.source = source
    size = reduction.reduced(source)
    sums = try ScratchMemory(count: size.area)
  }

  /// Adds the pixels of one pass in one row.
  ///
  /// Rows outside the image are ignored.
  func append(_ row: UnsafePointer<UInt8>, y: Int, pass: Adam7) {
    guard y >= 0, y < source.height else { return }
    let line = sums.elements + y / reduction.down * size.width
    var pixel = row
    var x = pass.startX
    while x < source.width {
      line[x / reduction.across] &+= SIMD4(UInt32(pixel[0]), UInt32(pixel[1]), UInt32(pixel[2]), 1)
      pixel += 4
      x += pass.stepX
    }
  }

  /// Returns the reduced image, in which missing pixels show the backdrop.
  func finish(_ backdrop: Backdrop) throws(DecodingError) -> PixelMemory {
    let picture = try PixelMemory(size: size)
    for y in 0..<size.height {
      var out = picture.row(y)
      for x in 0..<size.width {
        let sum = known(x, y)
        let count = sum[3]
        if count == 0 {
          (out[0], out[1], out[2]) = (backdrop.red, backdrop.green, backdrop.blue)
        } else {
          for channel in 0..<3 { out[channel] = UInt8(truncatingIfNeeded: (sum[channel] + count / 2) / count) }
        }
        out[3] = 255
        out += 4
      }
    }
    return picture
  }

  /// Returns the sum of a cell, or of the next coarser cell that has pixels.
  private func known(_ x: Int, _ y: Int) -> SIMD4<UInt32> {
    var sum = sums.elements[y * size.width + x]
    for (maskX, maskY) in [(1, 0), (1, 1), (3, 1), (3, 3), (7, 3), (7, 7)] where sum[3] == 0 {
      sum = sums.elements[(y & ~maskY) * size.width + (x & ~maskX)]
    }
    return sum
  }
}

/// The pixels of one of the seven passes of an interlaced PNG (ISO/IEC 15948, section 8).
struct Adam7 {
  /// The first column of the pass.
  let startX: Int
  /// The first row of the pass.
  let startY: Int
  /// The distance between columns of the pass.
  let stepX: Int
  /// The distance between rows of the pass.
  let stepY: Int

  /// The passes in order.
  static let passes = [
    Adam7(startX: 0, startY: 0, stepX: 8, stepY: 8), Adam7(startX: 4, startY: 0, stepX: 8, stepY: 8),
    Adam7(startX: 0, startY: 4, stepX: 4, stepY: 8), Adam7(startX: 2, startY: 0, stepX: 4, stepY: 4),
    Adam7(startX: 0, startY: 2, stepX: 2, stepY: 4), Adam7(startX: 1, startY: 0, stepX: 2, stepY: 2),
    Adam7(startX: 0, startY: 1, stepX: 1, stepY: 2),
  ]
}
