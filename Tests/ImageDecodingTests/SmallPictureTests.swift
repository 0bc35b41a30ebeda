import Geometry
import ImageMetadata
import Rendering
import TestSupport
import Testing

@testable import ImageDecoding

@Suite("Pictures of a few pixels are drawn like all others")
struct SmallPictureTests {
  private static let color = Color(hex: 0xC86432)
  private static let sizes = [(1, 1), (1, 3), (3, 1), (2, 1), (1, 2), (1, 40), (40, 1)]

  /// All pixels of a file of one colour, in several cells.
  private func check(_ file: [UInt8], _ sides: (Int, Int), within tolerance: Int) throws {
    for (width, height) in [(256, 192), (7, 300), (300, 7), (1, 50), (50, 1), (1, 1), sides] {
      for fit in [FitMode.fill, .fit] {
        let (picture, image) = try Decoding.decode(file, width: width, height: height, fit: fit)
        #expect(image.sourceSize == PixelSize(width: sides.0, height: sides.1))
        #expect(!image.isDamaged)
        if fit == .fill { #expect(picture.width == width && picture.height == height) }
        let isPlain = (0..<picture.height).allSatisfy { y in
          (0..<picture.width).allSatisfy { x in
            Decoding.isNear(picture[x, y], SmallPictureTests.color, within: tolerance)
          }
        }
        #expect(isPlain, "\(sides) in \(width) x \(height), \(fit)")
      }
    }
  }

  @Test("JPEG: every pixel has the picture's colour, whichever way it is turned", arguments: sizes)
  func jpeg(width: Int, height: Int) throws {
    let file = try JPEGFixture.file(TestPicture(width: width, height: height) { _, _ in SmallPictureTests.color })
    try check(file, (width, height), within: 6)
    for orientation in Orientation.allCases {
      let sides = orientation.isTransposed ? (height, width) : (width, height)
      try check(JPEGFixture.oriented(file, orientation), sides, within: 6)
    }
  }

  @Test("PNG: every pixel has the picture's colour", arguments: sizes)
  func png(width: Int, height: Int) throws {
    let picture = TestPicture(width: width, height: height) { _, _ in SmallPictureTests.color }
    for (hasAlpha, isInterlaced) in [(false, false), (false, true), (true, false), (true, true)] {
      try check(
        PNGWriter.file(picture, withAlpha: hasAlpha, isInterlaced: isInterlaced), (width, height), within: 0)
    }
  }

  @Test("WebP: every pixel has the picture's colour", arguments: sizes)
  func webP(width: Int, height: Int) throws {
    try check(WebPFixture.uniform(width: width, height: height, SmallPictureTests.color), (width, height), within: 0)
  }

  @Test(
    "Any small picture, window and result are those of the definition, and nothing is written beside", arguments: 1...4)
  func definition(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<400 {
      func side(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }
      let picture = TestPicture(width: side(4), height: side(4)) { _, _ in
        Color(hex: UInt32.random(in: 0...0xFFFFFF, using: &random))
      }
      let (left, width) = window(of: picture.width, &random)
      let (top, height) = window(of: picture.height, &random)
      let window = Rect(x: left, y: top, width: width, height: height)
      // Often the window's own size, where nothing is to be mixed.
      let isPlain = Bool.random(using: &random)
      let output = try #require(
        PixelSize(
          width: isPlain ? max(1, Int(width)) : side(9),
          height: Bool.random(using: &random) ? max(1, Int(height)) : side(9)))
      let orientation = try #require(Orientation.allCases.randomElement(using: &random))
      let drawn = try draw(picture, window, output, orientation)
      let expected = ReferenceResampler(window: window, width: output.width, height: output.height).draw(picture)
      for y in 0..<output.height {
        for x in 0..<output.width {
          let place = turned(x, y, in: output, orientation) * 4
          let wanted = expected[(y * output.width + x) * 3..<(y * output.width + x) * 3 + 3]
          let isRight = zip(drawn[place..<place + 3], wanted).allSatisfy { abs(Double($0) - $1) < 0.51 }
          #expect(isRight && drawn[place + 3] == 255, "\(picture) \(window) \(output) \(orientation)")
        }
      }
    }
  }

  /// Where a window begins on an axis and how long it is: all of it, whole pixels or any part.
  private func window(of count: Int, _ random: inout SeededGenerator) -> (start: Double, length: Double) {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return (0, Double(count))
    case 1:
      let start = Int.random(in: 0..<count, using: &random)
      return (Double(start), Double(Int.random(in: 1...count - start, using: &random)))
    default:
      let start = Double.random(in: 0..<Double(count) - 0.1, using: &random)
      return (start, Double.random(in: 0.05...Double(count) - start, using: &random))
    }
  }

  /// What the resampler makes of a picture, after a look at the bytes behind.
  private func draw(
    _ picture: TestPicture, _ window: Rect, _ output: PixelSize, _ orientation: Orientation
  ) throws -> [UInt8] {
    let source = try PixelMemory(size: try #require(PixelSize(width: picture.width, height: picture.height)))
    source.bytes.update(from: picture.bytes, count: picture.bytes.count)
    let resampler = try Resampler(source: source, window: window, output: output, orientation: orientation)
    let count = output.bytesAtFourPerPixel
    var bytes = [UInt8](repeating: 0x5A, count: count + 64)
    try bytes.withUnsafeMutableBufferPointer { buffer in
      if let start = buffer.baseAddress { try resampler.draw(into: start + 32) }
    }
    #expect(bytes.prefix(32).allSatisfy { $0 == 0x5A } && bytes.suffix(32).allSatisfy { $0 == 0x5A })
    return Array(bytes[32..<32 + count])
  }

  /// The index of a pixel in the turned picture.
  private func turned(_ x: Int, _ y: Int, in size: PixelSize, _ orientation: Orientation) -> Int {
    let (right, bottom) = (size.width - 1, size.height - 1)
    return switch orientation {
    case .up: y * size.width + x
    case .upMirrored: y * size.width + right - x
    case .down: (bottom - y) * size.width + right - x
    case .downMirrored: (bottom - y) * size.width + x
    case .leftMirrored: x * size.height + y
    case .right: x * size.height + bottom - y
    case .rightMirrored: (right - x) * size.height + bottom - y
    case .left: (right - x) * size.height + y
    }
  }
}
