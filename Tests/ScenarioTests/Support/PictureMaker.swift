import Foundation
import Geometry
import ImagePipeline
import Rendering

/// Makes real picture files: JPEG by the program's own encoding process, PNG and WebP from a few bytes.
///
/// Belongs to the thread that made it, as its process does.
struct PictureMaker {
  private let encoder: EncodingProcess
  private static let largest = 640

  init() throws {
    guard let size = PixelSize(width: PictureMaker.largest, height: PictureMaker.largest) else {
      throw TemporaryFolder.SystemError(call: "size", code: EINVAL)
    }
    encoder = try EncodingProcess(largest: size)
  }

  /// A JPEG file of one colour.
  func jpeg(_ color: Color, width: Int = 64, height: Int = 48) throws -> [UInt8] {
    try jpeg(width: width, height: height) { _, _ in color }
  }

  /// A JPEG file whose red grows to the right and green downwards, with a number's share of blue.
  func gradient(_ number: Int, width: Int = 96, height: Int = 72) throws -> [UInt8] {
    try jpeg(width: width, height: height) { x, y in
      Color(
        red: UInt8(x * 255 / width), green: UInt8(y * 255 / height), blue: UInt8(truncatingIfNeeded: number * 37))
    }
  }

  private func jpeg(width: Int, height: Int, _ color: (Int, Int) -> Color) throws -> [UInt8] {
    guard let size = PixelSize(width: width, height: height) else {
      throw TemporaryFolder.SystemError(call: "size", code: EINVAL)
    }
    let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for y in 0..<height {
        for x in 0..<width { words[y * width + x] = color(x, y).packed.littleEndian }
      }
    }
    return try encoder.encode(bitmap, quality: 92)
  }

  /// A PNG file of 12 x 8 pixels.
  static let png = bytes(
    """
    iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAIAAABChommAAAArUlEQVR42g3KIQEAIQxA0YVAowmxEOhpQkz+AOhpQiwEepowd08/EaEJQ1BhCktwYQ\
    tHSOEKTxDptM7oaGd2Vsc7u3M62bmd1/+kNGUoqkxlKa5s5SipXOXpn4xmDEONaSzDjW0cI41rPPuT05zhqDOd5bizneOkc53nfwpaMAINZrACD3Zw\
    ggxu8OJPSUtGoslMVuLJTk6SyU1e/qloxSi0mMUqvNjFKbK4xSs+xTiAoZ99UTIAAAAASUVORK5CYII=
    """)

  /// A lossless WebP file of 12 x 8 pixels.
  static let webP = bytes("UklGRiwAAABXRUJQVlA4TB8AAAAvC8ABAJmM6H9sIqL/ASEBYYn/SyUDhmIAYwKQqiwBAA==")

  private static func bytes(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text) ?? Data()) }
}
