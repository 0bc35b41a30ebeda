import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecoding

@Suite("AVIF and HEIC decoding")
struct HEIFDecodersTests {
  /// Returns the colors in the middle of the quarters, in reading order.
  private func quarters(_ picture: TestPicture) -> [Color] {
    let (left, right) = (picture.width / 4, picture.width * 3 / 4)
    let (top, bottom) = (picture.height / 4, picture.height * 3 / 4)
    return [picture[left, top], picture[right, top], picture[left, bottom], picture[right, bottom]]
  }

  private static let red = Color(hex: 0xFF0000)
  private static let green = Color(hex: 0x00FF00)
  private static let blue = Color(hex: 0x0000FF)

  private func check(_ file: [UInt8], _ size: (Int, Int), _ expected: [Color], within tolerance: Int = 12) throws {
    for (width, height) in [(4000, 4000), (size.0 / 2, size.1 / 2), (8, 6)] {
      let (picture, image) = try Decoding.decode(file, width: width, height: height, fit: .fit)
      #expect(image.sourceSize == PixelSize(width: size.0, height: size.1))
      #expect(!image.isDamaged)
      for (color, expectedColor) in zip(quarters(picture), expected) {
        #expect(Decoding.isNear(color, expectedColor, within: tolerance), "\(width): \(color), not \(expectedColor)")
      }
    }
  }

  @Test("Colors of several depths and chroma resolutions are decoded")
  func colors() throws {
    let corners = [HEIFDecodersTests.red, HEIFDecodersTests.green, HEIFDecodersTests.blue, Color.white]
    try check(ISOMediaFixture.corners, (32, 24), corners)
    try check(ISOMediaFixture.deep, (32, 24), corners)
    try check(ISOMediaFixture.heic, (32, 24), corners)
  }

  @Test("The rotations and mirrors in the boxes are applied")
  func turned() throws {
    // Green, white, red and blue after a quarter turn counterclockwise. Then the image is mirrored horizontally.
    let expected = [Color.white, HEIFDecodersTests.green, HEIFDecodersTests.blue, HEIFDecodersTests.red]
    try check(ISOMediaFixture.turned, (24, 32), expected)
    let image = try Decoding.decode(ISOMediaFixture.turned).image
    #expect(image.orientation == .rightMirrored)
  }

  @Test("A clean aperture crops the image")
  func aperture() throws {
    let green = HEIFDecodersTests.green
    try check(ISOMediaFixture.cropped, (16, 12), [green, green, green, green], within: 40)
    let (picture, image) = try Decoding.decode(ISOMediaFixture.oddHEIC)
    #expect(image.sourceSize == PixelSize(width: 31, height: 23))
    #expect(Decoding.isNear(picture[30, 22], .white, within: 12))
    #expect(Decoding.isNear(picture[30, 0], green, within: 12))
  }

  @Test("Transparent pixels show the background, at any size")
  func alpha() throws {
    let background = Color(hex: 0x0000C0)
    for (width, height) in [(32, 24), (16, 12), (8, 8)] {
      let picture = try Decoding.decode(ISOMediaFixture.alpha, width: width, height: height, background: background)
        .picture
      #expect(Decoding.isNear(picture[width / 4, height / 4], Color(red: 128, green: 0, blue: 96), within: 12))
      #expect(Decoding.isNear(picture[width - 1, height / 4], Color(red: 0, green: 128, blue: 96), within: 12))
      #expect(Decoding.isNear(picture[width / 4, height - 1], background, within: 12))
    }
    let picture = try Decoding.decode(ISOMediaFixture.alpha, background: background).picture
    #expect(Decoding.isNear(picture[8, 15], Color(hex: 0x0000FF), within: 12))
  }

  @Test("The preview is used if it is large enough, or if only the preview is requested")
  func preview() throws {
    let file = ISOMediaFixture.previewHEIC
    let corners = [HEIFDecodersTests.red, HEIFDecodersTests.green, HEIFDecodersTests.blue, Color.white]
    try check(file, (256, 256), corners, within: 30)
    // The data of the image itself is cleared, and the preview is still complete.
    let header = try #require(ImageHeader.read(file))
    let range = try #require(header.embeddedThumbnail)
    #expect(header.captureTime == 978_307_200)
    var corrupt = file
    for index in (file.count - 600)..<file.count where !range.contains(index) { corrupt[index] = 0 }
    let picture = try Decoding.decode(corrupt, width: 64, height: 64).picture
    for (color, expectedColor) in zip(quarters(picture), corners) {
      #expect(Decoding.isNear(color, expectedColor, within: 30))
    }
    let embedded = try Decoding.decode(corrupt, width: 200, height: 200, representation: .embedded).picture
    #expect(embedded.width == 200)
    for (color, expectedColor) in zip(quarters(embedded), corners) {
      #expect(Decoding.isNear(color, expectedColor, within: 30))
    }
    #expect(throws: DecodingError.noPreview) {
      try Decoding.decode(ISOMediaFixture.heic, width: 8, height: 6, representation: .embedded)
    }
    #expect(throws: DecodingError.noPreview) {
      try Decoding.decode(ISOMediaFixture.corners, width: 8, height: 6, representation: .embedded)
    }
  }

  @Test("A preview with another rotation than its image is not used")
  func turnedPreview() throws {
    let corners = [HEIFDecodersTests.red, HEIFDecodersTests.green, HEIFDecodersTests.blue, Color.white]
    // The box with the sample depth of each item becomes one that turns the item by a quarter.
    let offsets = (picture: 403, preview: 559)
    func turning(_ boxes: [Int]) -> [UInt8] {
      var file = ISOMediaFixture.previewHEIC
      for offset in boxes {
        #expect(file[offset + 4..<offset + 8].elementsEqual("pixi".utf8))
        file.replaceSubrange(offset + 4..<offset + 9, with: Array("irot".utf8) + [1])
      }
      return file
    }
    let picture = try Decoding.decode(turning([offsets.preview]), width: 32, height: 32).picture
    for (color, expectedColor) in zip(quarters(picture), corners) {
      #expect(Decoding.isNear(color, expectedColor, within: 30))
    }
    for boxes in [[offsets.preview], [offsets.picture]] {
      #expect(throws: DecodingError.noPreview) {
        try Decoding.decode(turning(boxes), width: 32, height: 32, representation: .embedded)
      }
    }
    let both = try Decoding.decode(
      turning([offsets.picture, offsets.preview]), width: 32, height: 32, representation: .embedded
    )
    .picture
    // A quarter turn to the left: the right side is at the top.
    for (color, expectedColor) in zip(quarters(both), [corners[1], corners[3], corners[0], corners[2]]) {
      #expect(Decoding.isNear(color, expectedColor, within: 30))
    }
  }

  @Test("At full size, planes are drawn equally with and without alpha, and look like the image")
  func planes() throws {
    let picture = TestPicture.landscape(width: 64, height: 48)
    let planes = try PlanarFixture(picture)
    let drawn = try planes.draw(width: 64, height: 48)
    #expect(try planes.draw(width: 64, height: 48, withAlpha: true) == drawn)
    let difference = zip(drawn.bytes, picture.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(difference < 64 * 48 * 3 * 4)
  }

  @Test("Luma and chroma are converted to the colors of the standard")
  func matrices() {
    func color(_ coefficients: Int, _ isFull: Bool, _ bits: Int, _ luma: Int, _ blue: Int, _ red: Int) -> [Int] {
      let matrix = ColorMatrix(coefficients: coefficients, primaries: 1, isFullRange: isFull, bits: bits)
      func scaled(_ value: Int, _ scale: (factor: Float, offset: Float)) -> Float {
        Float(value) * scale.factor + scale.offset
      }
      let levels = SIMD3(
        scaled(luma, matrix.lumaScale), scaled(blue, matrix.chromaScale), scaled(red, matrix.chromaScale))
      let weights = matrix.weights
      return [weights.red, weights.green, weights.blue].map { Int(($0 * levels).sum().rounded()) }
    }
    #expect(color(6, true, 8, 76, 85, 255) == [254, 0, 0])
    #expect(color(1, false, 8, 235, 128, 128) == [255, 255, 255])
    #expect(color(1, false, 8, 16, 128, 128) == [0, 0, 0])
    #expect(color(1, false, 10, 940, 512, 512) == [255, 255, 255])
    #expect(color(1, false, 8, 63, 102, 240) == [256, 1, 0])
    #expect(color(9, true, 12, 4095, 2048, 2048) == [255, 255, 255])
    #expect(color(0, true, 8, 10, 20, 30) == [30, 10, 20])
    #expect(color(8, true, 8, 128, 128, 228) == [228, 128, 28])
  }

  @Test("Every prefix gives an error or an image")
  func prefixes() throws {
    for file in [ISOMediaFixture.corners, ISOMediaFixture.alpha, ISOMediaFixture.heic] {
      var refused = 0
      for count in 0..<file.count {
        do {
          _ = try Decoding.decode(Array(file.prefix(count)), width: 8, height: 6)
        } catch is DecodingError {
          refused += 1
        }
      }
      #expect(refused > file.count / 2)
    }
  }

  @Test("Files with random changes are decoded or refused", arguments: TestScale.seeds(1...4))
  func mutations(seed: Int) throws {
    try Mutations(seed: seed).check([
      ISOMediaFixture.corners, ISOMediaFixture.alpha, ISOMediaFixture.cropped, ISOMediaFixture.heic,
      ISOMediaFixture.previewHEIC,
    ])
  }
}
