import DataStructures
import Geometry
import Rendering

/// Decoded pictures of a cell's size: noise over slopes, so that no two pixels are a copy of each other.
@MainActor
final class ScenePictures {
  private var pictures: [Bitmap] = []

  /// Paints so many.
  init(size: PixelSize, count: Int) throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<count { pictures.append(try ScenePictures.paint(size, using: &random)) }
  }

  /// The picture of an item.
  subscript(item: Int) -> Bitmap { pictures[item % pictures.count] }

  private static func paint(_ size: PixelSize, using random: inout SplitMix64) throws -> Bitmap {
    let tone = UInt32(truncatingIfNeeded: random.next()) & 0x7F_7F_7F
    return try Bitmap(size: size, isOpaque: true) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let noise = UInt32(truncatingIfNeeded: random.next()) & 0x1F_1F_1F
          words[y * size.width + x] = 0xFF00_0000 | (tone &+ noise &+ UInt32(x / 4) &+ UInt32(y / 4) << 8)
        }
      }
    }
  }
}
