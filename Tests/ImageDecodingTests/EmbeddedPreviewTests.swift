import Geometry
import ImageMetadata
import Rendering
import Testing

@testable import ImageDecoding

@Suite("The preview that a camera puts into its file")
struct EmbeddedPreviewTests {
  /// A JPEG of one colour with a preview of corners in its EXIF data.
  private func file(_ width: Int, _ height: Int, preview: (Int, Int), orientation: Orientation = .up) throws -> [UInt8]
  {
    let file = try JPEGFixture.file(TestPicture(width: width, height: height) { _, _ in Color(hex: 0x808080) })
    let small = try JPEGFixture.file(.corners(width: preview.0, height: preview.1))
    let content = Array("Exif\0\0".utf8) + JPEGFixture.exif(orientation, preview: small)
    return file.prefix(2) + [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
      + file.dropFirst(2)
  }

  @Test("It stands where the picture would, at the size that was asked for, upright", arguments: Orientation.allCases)
  func placed(orientation: Orientation) throws {
    let file = try file(320, 240, preview: (80, 60), orientation: orientation)
    for (width, height, fit) in [(96, 96, FitMode.fill), (200, 200, .fit), (40, 30, .fill)] {
      let (full, _) = try Decoding.decode(file, width: width, height: height, fit: fit)
      let (picture, image) = try Decoding.decode(file, width: width, height: height, fit: fit, rung: .embedded)
      #expect(picture.width == full.width && picture.height == full.height)
      #expect(
        image.sourceSize
          == (orientation.isTransposed ? PixelSize(width: 240, height: 320) : PixelSize(width: 320, height: 240)))
      #expect(image.orientation == orientation)
      // The first stored corner is red.
      let walk = PixelWalk(
        stored: try #require(
          orientation.isTransposed
            ? PixelSize(width: picture.height, height: picture.width)
            : PixelSize(width: picture.width, height: picture.height)), orientation: orientation)
      let color = picture[walk.origin % picture.width, walk.origin / picture.width]
      #expect(Decoding.isNear(color, Color(hex: 0xFF0000), within: 40))
      #expect(Decoding.isNear(full[width / 4, 4], Color(hex: 0x808080), within: 4))
    }
  }

  @Test("One of another shape is none, and neither is one that is no JPEG or larger than its picture")
  func refused() throws {
    let noPreview = DecodingError.noPreview
    for preview in [(80, 80), (160, 100), (640, 480)] {
      let file = try file(320, 240, preview: preview)
      #expect(throws: noPreview) { try Decoding.decode(file, width: 40, height: 30, rung: .embedded) }
      _ = try Decoding.decode(file, width: 40, height: 30)
    }
    // Two per cent are allowed.
    _ = try Decoding.decode(file(324, 240, preview: (80, 60)), width: 40, height: 30, rung: .embedded)
    let plain = try JPEGFixture.file(.corners(width: 32, height: 24))
    #expect(throws: noPreview) { try Decoding.decode(plain, width: 8, height: 6, rung: .embedded) }
    let png = PNGWriter.file(.corners(width: 32, height: 24))
    #expect(throws: noPreview) { try Decoding.decode(png, width: 8, height: 6, rung: .embedded) }
    var torn = try file(320, 240, preview: (80, 60))
    let range = try #require(ImageHeader.read(torn)?.embeddedThumbnail)
    torn[range.lowerBound] = 0
    #expect(throws: noPreview) { try Decoding.decode(torn, width: 40, height: 30, rung: .embedded) }
  }
}
