import Geometry
import ImageDecoding
import Rendering
import Testing

/// Decodes files in arrays, for tests.
enum Decoding {
  /// A file at a size.
  static func decode(
    _ file: [UInt8], width: Int, height: Int, fit: FitMode = .fill, background: Color = .black,
    rung: DecodingRung = .full, interruption: DecodingInterruption = .none
  ) throws -> (picture: TestPicture, image: DecodedImage) {
    let size = try #require(PixelSize(width: width, height: height))
    let target = DecodingTarget(size: size, fit: fit, background: background)
    let result = try file.withUnsafeBytes {
      try ImageDecoder().bitmap($0, target: target, rung: rung, interruption: interruption)
    }
    #expect(result.bitmap.isOpaque)
    return (TestPicture(result.bitmap), result.image)
  }

  /// A file at its own size.
  static func decode(_ file: [UInt8], background: Color = .black) throws -> (picture: TestPicture, image: DecodedImage)
  {
    try decode(file, width: 4000, height: 4000, fit: .fit, background: background)
  }

  /// Whether two colours are as near as a lossy format keeps them.
  static func isNear(_ a: Color, _ b: Color, within tolerance: Int = 24) -> Bool {
    abs(Int(a.red) - Int(b.red)) <= tolerance && abs(Int(a.green) - Int(b.green)) <= tolerance
      && abs(Int(a.blue) - Int(b.blue)) <= tolerance && a.alpha == b.alpha
  }
}
