import Geometry
import ImageDecoding
import Rendering

@testable import SampleLibrary

/// Encodes in this process.
struct RealEncoder: JPEGEncoding {
  func encode(_ bitmap: Bitmap, quality: Int) throws -> [UInt8] {
    try bitmap.withPixels { pixels in
      try JPEGEncoder.encode(pixels, size: bitmap.size, quality: quality) { Array($0) }
    }
  }
}

/// What begins and ends as a JPEG file does, with the bitmap's name within: enough for tests of what surrounds it.
struct NamingEncoder: JPEGEncoding {
  func encode(_ bitmap: Bitmap, quality: Int) throws -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xDB] + Array("\(bitmap.contentDigest) \(quality)".utf8) + [0xFF, 0xD9]
  }
}

/// Refuses everything.
struct BrokenEncoder: JPEGEncoding {
  struct Refusal: Error, CustomStringConvertible {
    var description: String { "no encoder today" }
  }

  func encode(_ bitmap: Bitmap, quality: Int) throws -> [UInt8] { throw Refusal() }
}

/// A size from literals.
func pixels(_ width: Int, _ height: Int) throws -> PixelSize {
  struct OutOfRange: Error {}
  guard let size = PixelSize(width: width, height: height) else { throw OutOfRange() }
  return size
}
