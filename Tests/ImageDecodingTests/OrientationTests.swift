import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineRendering

@Suite("Images are displayed upright")
struct OrientationTests {
  private static let red = Color(hex: 0xFF0000)
  private static let green = Color(hex: 0x00FF00)
  private static let blue = Color(hex: 0x0000FF)
  private static let white = Color.white

  /// Returns the displayed corners in reading order.
  ///
  /// They are stored as red, green, blue and white.
  private static func corners(_ orientation: Orientation) -> [Color] {
    switch orientation {
    case .up: [red, green, blue, white]
    case .upMirrored: [green, red, white, blue]
    case .down: [white, blue, green, red]
    case .downMirrored: [blue, white, red, green]
    case .leftMirrored: [red, blue, green, white]
    case .right: [blue, red, white, green]
    case .rightMirrored: [white, green, blue, red]
    case .left: [green, white, red, blue]
    }
  }

  private func check(_ file: [UInt8], stored: (Int, Int), _ orientation: Orientation) throws {
    let upright = try #require(
      PixelSize(
        width: orientation.isTransposed ? stored.1 : stored.0, height: orientation.isTransposed ? stored.0 : stored.1))
    for (width, height, fit) in [(4000, 4000, FitMode.fit), (10, 10, .fit), (12, 8, .fill), (8, 12, .fill)] {
      let (picture, image) = try Decoding.decode(file, width: width, height: height, fit: fit)
      #expect(image.sourceSize == upright)
      #expect(image.orientation == orientation)
      #expect(image.size == PixelSize(width: picture.width, height: picture.height))
      #expect(!image.isDamaged)
      let (right, bottom) = (picture.width - 1, picture.height - 1)
      let displayed = [picture[0, 0], picture[right, 0], picture[0, bottom], picture[right, bottom]]
      for (color, expected) in zip(displayed, OrientationTests.corners(orientation)) {
        #expect(Decoding.isNear(color, expected, within: 40))
      }
    }
  }

  @Test("A part of an image is what an image of the whole has there", arguments: Orientation.allCases)
  func parts(orientation: Orientation) throws {
    var writer = PNGWriter(width: 60, height: 40)
    writer.chunks = [PNGWriter.chunk("eXIf", JPEGFixture.exif(orientation))]
    let png = writer.file(.landscape(width: 60, height: 40))
    let jpeg = JPEGFixture.oriented(try JPEGFixture.file(.landscape(width: 60, height: 40)), orientation)
    for file in [png, jpeg] {
      let whole = try Decoding.decode(file).picture
      let part = PixelRect(x: 7, y: 19, width: 21, height: 13)
      func decode(_ region: PixelRect, width: Int, height: Int) throws -> TestPicture {
        let size = try #require(PixelSize(width: width, height: height))
        let target = DecodingTarget(size: size, fit: .fit, region: region)
        return TestPicture(try file.withUnsafeBytes { try ImageDecoder().bitmap($0, target: target).bitmap })
      }
      #expect(try decode(part, width: 21, height: 13) == TestPicture(width: 21, height: 13) { whole[$0 + 7, $1 + 19] })
      // It is never enlarged, and what lies outside of the image is left out.
      #expect(try decode(part, width: 50, height: 50).width == 21)
      let corner = PixelRect(x: Int32(whole.width) - 3, y: Int32(whole.height) - 2, width: 30, height: 30)
      #expect(
        try decode(corner, width: 30, height: 30)
          == TestPicture(width: 3, height: 2) { whole[whole.width - 3 + $0, whole.height - 2 + $1] })
      #expect(throws: DecodingError.self) {
        try decode(PixelRect(x: 70, y: 70, width: 2, height: 2), width: 2, height: 2)
      }
      // Reduced, it is as bright as there.
      let half = try decode(PixelRect(x: 0, y: 0, width: 20, height: 20), width: 10, height: 10)
      let mean = (0..<20).flatMap { y in (0..<20).map { Int(whole[$0, y].green) } }.reduce(0, +) / 400
      let halfMean = (0..<10).flatMap { y in (0..<10).map { Int(half[$0, y].green) } }.reduce(0, +) / 100
      #expect((mean - halfMean).magnitude <= 4)
    }
  }

  @Test("JPEG", arguments: Orientation.allCases)
  func jpeg(orientation: Orientation) throws {
    let file = try JPEGFixture.file(.corners(width: 64, height: 32))
    try check(JPEGFixture.oriented(file, orientation), stored: (64, 32), orientation)
  }

  @Test("PNG", arguments: Orientation.allCases)
  func png(orientation: Orientation) throws {
    for isInterlaced in [false, true] {
      var writer = PNGWriter(width: 30, height: 20)
      writer.isInterlaced = isInterlaced
      writer.chunks = [PNGWriter.chunk("eXIf", JPEGFixture.exif(orientation))]
      try check(writer.file(.corners(width: 30, height: 20)), stored: (30, 20), orientation)
    }
  }

  @Test("PNG with EXIF data in its texts", arguments: Orientation.allCases)
  func pngText(orientation: Orientation) throws {
    let exif = Array("Exif\0\0".utf8) + JPEGFixture.exif(orientation)
    let digits = exif.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let half = digits.count / 2
    let text = "Raw profile type exif\0\nexif\n      \(exif.count)\n\(digits.prefix(half))\n\(digits.dropFirst(half))\n"
    var writer = PNGWriter(width: 30, height: 20)
    writer.chunks = [PNGWriter.chunk("tEXt", Array(text.utf8))]
    try check(writer.file(.corners(width: 30, height: 20)), stored: (30, 20), orientation)
  }

  @Test("WebP", arguments: Orientation.allCases)
  func webP(orientation: Orientation) throws {
    for picture in [WebPFixture.losslessCorners, WebPFixture.lossyCorners] {
      let file = WebPFixture.still(picture, width: 24, height: 16, exif: JPEGFixture.exif(orientation))
      try check(file, stored: (24, 16), orientation)
    }
  }

  @Test("Every pixel moves to its own position", arguments: Orientation.allCases)
  func permutation(orientation: Orientation) throws {
    let picture = TestPicture(width: 7, height: 5) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 9) }
    var writer = PNGWriter(width: 7, height: 5)
    writer.chunks = [PNGWriter.chunk("eXIf", JPEGFixture.exif(orientation))]
    let result = try Decoding.decode(writer.file(picture)).picture
    for y in 0..<5 {
      for x in 0..<7 {
        let position =
          switch orientation {
          case .up: (x, y)
          case .upMirrored: (6 - x, y)
          case .down: (6 - x, 4 - y)
          case .downMirrored: (x, 4 - y)
          case .leftMirrored: (y, x)
          case .right: (4 - y, x)
          case .rightMirrored: (4 - y, 6 - x)
          case .left: (y, 6 - x)
          }
        #expect(result[position.0, position.1] == picture[x, y])
      }
    }
  }
}
