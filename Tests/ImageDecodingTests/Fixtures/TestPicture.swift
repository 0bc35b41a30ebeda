import TestSupport
import Geometry
import Rendering

/// Pixels in an array, for making and comparing small pictures.
struct TestPicture: Hashable {
  let width: Int
  let height: Int
  /// R, G, B, A.
  var bytes: [UInt8]

  init(width: Int, height: Int, _ color: (_ x: Int, _ y: Int) -> Color) {
    self.width = width
    self.height = height
    bytes = []
    bytes.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let color = color(x, y)
        bytes += [color.red, color.green, color.blue, color.alpha]
      }
    }
  }

  init(_ bitmap: Bitmap) {
    width = bitmap.size.width
    height = bitmap.size.height
    bytes = bitmap.withPixels { Array($0) }
  }

  subscript(x: Int, y: Int) -> Color {
    let start = (y * width + x) * 4
    return Color(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2], alpha: bytes[start + 3])
  }

  /// Red, green, blue and white, each in a corner.
  static func corners(width: Int, height: Int) -> TestPicture {
    TestPicture(width: width, height: height) { x, y in
      switch (x < width / 2, y < height / 2) {
      case (true, true): Color(hex: 0xFF0000)
      case (false, true): Color(hex: 0x00FF00)
      case (true, false): Color(hex: 0x0000FF)
      case (false, false): Color(hex: 0xFFFFFF)
      }
    }
  }

  /// Hills of several sizes with a little grain, as photographs have.
  static func landscape(width: Int, height: Int, seed: UInt64 = 1) -> TestPicture {
    var random = SeededGenerator(seed: seed)
    let grids = [4, 9, 21, 47, 101].map { count in
      (count, (0..<count * count * 3).map { _ in Double.random(in: -1...1, using: &random) })
    }
    var picture = TestPicture(width: width, height: height) { _, _ in .black }
    var index = 0
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          var value = 128 + Double.random(in: -2...2, using: &random)
          var amplitude = 70.0
          for (count, grid) in grids {
            let across = Double(x) / Double(width) * Double(count - 1)
            let down = Double(y) / Double(height) * Double(count - 1)
            let (left, top) = (Int(across), Int(down))
            let (fx, fy) = (across - Double(left), down - Double(top))
            func node(_ x: Int, _ y: Int) -> Double { grid[(y * count + x) * 3 + channel] }
            let upper = node(left, top) * (1 - fx) + node(left + 1, top) * fx
            let lower = node(left, top + 1) * (1 - fx) + node(left + 1, top + 1) * fx
            value += (upper * (1 - fy) + lower * fy) * amplitude
            amplitude *= 0.55
          }
          picture.bytes[index + channel] = UInt8(max(0, min(255, value.rounded())))
        }
        index += 4
      }
    }
    return picture
  }
}
