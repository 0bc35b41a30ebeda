import Geometry
import Rendering
import Testing

/// A bitmap whose pixels a closure names by column and row.
func bitmap(_ width: Int, _ height: Int, isOpaque: Bool = true, _ pixel: (Int, Int) -> Color) throws -> Bitmap {
  let size = try #require(PixelSize(width: width, height: height))
  return try Bitmap(size: size, isOpaque: isOpaque) { memory in
    let words = memory.bindMemory(to: UInt32.self)
    for y in 0..<height {
      for x in 0..<width { words[y * width + x] = pixel(x, y).packed }
    }
  }
}

extension Bitmap {
  /// The pixel at a column and row.
  func color(_ x: Int, _ y: Int) -> Color {
    withPixels { Color(packed: $0.bindMemory(to: UInt32.self)[y * size.width + x]) }
  }
}
