import Geometry
public import Rendering

extension Bitmap {
  /// A square of one colour.
  ///
  /// - Throws: `BitmapError` where memory is out; no size where the side is none.
  public static func square(_ side: Int, _ color: Color) throws -> Bitmap {
    guard let size = PixelSize(width: side, height: side) else { throw InvalidSizeError(side: side) }
    return try Bitmap(size: size, isOpaque: color.alpha == 255) { pixels in
      pixels.bindMemory(to: UInt32.self).update(repeating: UInt32(littleEndian: color.packed))
    }
  }
}

/// A bitmap was to have a side that no bitmap has.
struct InvalidSizeError: Error {
  let side: Int
}
