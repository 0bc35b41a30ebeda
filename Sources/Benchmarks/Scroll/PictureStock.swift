import Geometry
import Rendering

/// Pictures that are decoded already, one for each of many items.
@MainActor
final class PictureStock {
  private let size: PixelSize
  private var pictures: [Bitmap] = []
  private var arrived: [Int: Bitmap] = [:]

  /// Paints pictures of a size.
  init(size: PixelSize, count: Int = 256) throws {
    self.size = size
    for number in 0..<count { pictures.append(try PictureStock.paint(size, shade: UInt32(number))) }
  }

  /// The picture of an item.
  func picture(of item: Int) -> Bitmap { arrived[item] ?? pictures[item % pictures.count] }

  /// A new picture, which was never shown.
  func paintAnew(_ number: Int) throws -> Bitmap { try PictureStock.paint(size, shade: UInt32(1_000 + number)) }

  /// An item has another picture.
  func setPicture(_ picture: Bitmap, of item: Int) { arrived[item] = picture }

  private static func paint(_ size: PixelSize, shade: UInt32) throws -> Bitmap {
    try Bitmap(size: size, isOpaque: true) { pixels in
      let color = Color(hex: shade &* 0x9E_3779 & 0xFF_FFFF).packed
      pixels.bindMemory(to: UInt32.self).update(repeating: color)
    }
  }
}
