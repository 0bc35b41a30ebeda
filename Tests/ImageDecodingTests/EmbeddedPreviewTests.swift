import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("The embedded preview of a camera file")
struct EmbeddedPreviewTests {
  /// Returns a JPEG file of one color with a preview of corners in its EXIF data.
  private func file(_ width: Int, _ height: Int, preview: (Int, Int), orientation: Orientation = .up) throws -> [UInt8]
  {
    let file = try JPEGFixture.file(TestPicture(width: width, height: height) { _, _ in Color(hex: 0x808080) })
    let small = try JPEGFixture.file(.corners(width: preview.0, height: preview.1))
    let content = Array("Exif\0\0".utf8) + JPEGFixture.exif(orientation, preview: small)
    return file.prefix(2) + [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
      + file.dropFirst(2)
  }

  @Test("The preview has the size, the placement and the orientation of the image", arguments: Orientation.allCases)
  func placement(orientation: Orientation) throws {
    let file = try file(320, 240, preview: (80, 60), orientation: orientation)
    for (width, height, fit) in [(96, 96, FitMode.fill), (200, 200, .fit), (40, 30, .fill)] {
      let (full, _) = try Decoding.decode(file, width: width, height: height, fit: fit)
      let (picture, image) = try Decoding.decode(
        file, width: width, height: height, fit: fit, representation: .embedded)
      #expect(picture.width == full.width && picture.height == full.height)
      #expect(
        image.sourceSize
          == (orientation.isTransposed ? PixelSize(width: 240, height: 320) : PixelSize(width: 320, height: 240)))
      #expect(image.orientation == orientation)
      // The first stored corner is red.
      let indexMap = OrientedIndexMap(
        stored: try #require(
          orientation.isTransposed
            ? PixelSize(width: picture.height, height: picture.width)
            : PixelSize(width: picture.width, height: picture.height)), orientation: orientation)
      let color = picture[indexMap.origin % picture.width, indexMap.origin / picture.width]
      #expect(Decoding.isNear(color, Color(hex: 0xFF0000), within: 40))
      #expect(Decoding.isNear(full[width / 4, 4], Color(hex: 0x808080), within: 4))
    }
  }

  @Test("A preview is refused if it has another shape, is not a JPEG, or is larger than the image")
  func refused() throws {
    let noPreview = DecodingError.noPreview
    for preview in [(80, 80), (160, 100), (640, 480)] {
      let file = try file(320, 240, preview: preview)
      #expect(throws: noPreview) { try Decoding.decode(file, width: 40, height: 30, representation: .embedded) }
      _ = try Decoding.decode(file, width: 40, height: 30)
    }
    // A difference of two percent is allowed.
    _ = try Decoding.decode(file(324, 240, preview: (80, 60)), width: 40, height: 30, representation: .embedded)
    let plain = try JPEGFixture.file(.corners(width: 32, height: 24))
    #expect(throws: noPreview) { try Decoding.decode(plain, width: 8, height: 6, representation: .embedded) }
    let png = PNGWriter.file(.corners(width: 32, height: 24))
    #expect(throws: noPreview) { try Decoding.decode(png, width: 8, height: 6, representation: .embedded) }
    var corrupt = try file(320, 240, preview: (80, 60))
    let range = try #require(ImageHeader.read(corrupt)?.embeddedThumbnail)
    corrupt[range.lowerBound] = 0
    #expect(throws: noPreview) { try Decoding.decode(corrupt, width: 40, height: 30, representation: .embedded) }
  }
}

// MARK: - Ranges of a preview

@Suite("If only the preview of a HEIC is requested, only its ranges are read")
struct PreviewRangesTests {
  /// The image with a preview, followed by a megabyte of meaningless pixel data.
  private static var large: [UInt8] {
    var file = ISOMediaFixture.previewHEIC
    guard let offset = file.indices.last(where: { file[$0...].starts(with: Array("mdat".utf8)) }) else { return [] }
    let more = 1 << 20
    let length = file.count - offset + 4 + more
    file.replaceSubrange(offset - 4..<offset, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) })
    return file + [UInt8](repeating: 0xA5, count: more)
  }

  private func ranges(_ file: [UInt8]) throws -> [Range<Int>]? {
    ImageDecoder().previewRanges(ImageHeader.read(file), fileBytes: file.count) { offset in
      Array(file[min(file.count, offset)..<min(file.count, offset + 16)])
    }
  }

  @Test("The boxes and the bytes of the preview are sufficient, and no others are read")
  func sufficientRanges() throws {
    let file = PreviewRangesTests.large
    let ranges = try #require(try ranges(file))
    #expect(ranges.reduce(0) { $0 + $1.count } < 2048)
    var pieces = [UInt8](repeating: 0, count: file.count)
    for range in ranges { pieces.replaceSubrange(range, with: file[range]) }
    for representation in [DecodingRepresentation.embedded, .sufficientPreview] {
      let whole = try Decoding.decode(file, width: 60, height: 60, representation: representation)
      let part = try Decoding.decode(pieces, width: 60, height: 60, representation: representation)
      #expect(part.picture == whole.picture)
      #expect(part.image == whole.image)
    }
    // The preview has 64 pixels per side.
    #expect(throws: DecodingError.noPreview) {
      try Decoding.decode(pieces, width: 100, height: 100, representation: .sufficientPreview)
    }
    #expect(try Decoding.decode(pieces, width: 100, height: 100, representation: .embedded).picture.width == 100)
    // The image itself is not in the ranges.
    #expect(throws: DecodingError.self) { try Decoding.decode(pieces, width: 100, height: 100) }
  }

  @Test("Small files and files of other formats have no preview ranges")
  func otherFiles() throws {
    #expect(try ranges(ISOMediaFixture.previewHEIC) == nil)
    #expect(try ranges(ISOMediaFixture.heic) == nil)
    #expect(try ranges(ISOMediaFixture.corners) == nil)
    #expect(try ranges(try JPEGFixture.file(.corners(width: 64, height: 64))) == nil)
  }

  @Test("Files with invalid boxes are read whole, and all ranges are inside the file", arguments: 1...4)
  func mutations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let file = PreviewRangesTests.large
    #expect(try ranges(Array(file.dropLast(7))) == nil)
    for _ in 0..<300 {
      var changed = file
      for _ in 0..<3 { changed[Int.random(in: 0..<700, using: &random)] = UInt8.random(in: 0...255, using: &random) }
      for range in try ranges(changed) ?? [] { #expect(range.lowerBound >= 0 && range.upperBound <= changed.count) }
    }
  }

  @Test("The decoding process gives the same result as with the whole file")
  func process() throws {
    let file = PreviewRangesTests.large
    let process = try DecodingProcess()
    for side in [60, 200] {
      let reply = try #require(try process.decode(file, width: side, height: side))
      let expected = try? Decoding.decode(file, width: side, height: side).picture
      #expect((reply.status == .ok) == (expected != nil))
      guard let expected else { continue }
      #expect(Array(process.slot(0).prefix(Int(reply.byteCount))) == expected.bytes)
    }
  }
}
