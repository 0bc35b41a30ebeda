import Geometry

/// Averages an interlaced picture's pixels, which come in an order of their own, into fewer.
///
/// Sums do not mind the order. Where a pass is missing, a pixel takes after its neighbour of an earlier one.
struct InterlacedReducer: ~Copyable {
  private let reduction: Reduction
  private let source: PixelSize
  private let size: PixelSize
  /// Red, green, blue, and how many pixels they are the sums of.
  private let sums: ScratchMemory<SIMD4<UInt32>>

  /// For a picture of this size.
  init(source: PixelSize, reduction: Reduction) throws(DecodingError) {
    self.reduction = reduction
    self.source = source
    size = reduction.reduced(source)
    sums = try ScratchMemory(count: size.area)
  }

  /// Takes the pixels of one pass in one row.
  func append(_ row: UnsafePointer<UInt8>, y: Int, pass: Adam7) {
    guard y < source.height else { return }
    let line = sums.elements + y / reduction.down * size.width
    var pixel = row
    var x = pass.startX
    while x < source.width {
      line[x / reduction.across] &+= SIMD4(UInt32(pixel[0]), UInt32(pixel[1]), UInt32(pixel[2]), 1)
      pixel += 4
      x += pass.stepX
    }
  }

  /// The reduced picture; where nothing came, it shows the backdrop.
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

  /// The sum of a cell, or of the next coarser one that has pixels.
  private func known(_ x: Int, _ y: Int) -> SIMD4<UInt32> {
    var sum = sums.elements[y * size.width + x]
    for (maskX, maskY) in [(1, 0), (1, 1), (3, 1), (3, 3), (7, 3), (7, 7)] where sum[3] == 0 {
      sum = sums.elements[(y & ~maskY) * size.width + (x & ~maskX)]
    }
    return sum
  }
}
