import Testing
import VitrineGeometry
import VitrineImageMetadata

@Suite("The boxes of AVIF and HEIC files describe the image")
struct HEIFHeaderReaderTests {
  private func header(_ file: BoxFile) -> ImageHeader? { ImageHeader.read(file.bytes) }

  @Test("The size is that of the primary item, among other properties and items")
  func size() {
    for isLarge in [false, true] {
      for brand in ["heic", "avif"] {
        let file = BoxFile(
          brand: brand, properties: [.other("hvcC"), .size(4032, 3024), .other("pixi")], isLarge: isLarge)
        #expect(header(file)?.format == (brand == "avif" ? .avif : .heic))
        #expect(header(file)?.storedSize == PixelSize(width: 4032, height: 3024))
        #expect(header(file)?.orientation == .up)
        #expect(header(file)?.cleanAperture == nil)
      }
    }
  }

  @Test("Rotations and mirrors are applied in their order")
  func orientations() {
    func orientation(_ properties: [BoxFile.Property]) -> Orientation? {
      header(BoxFile(properties: [.size(30, 20)] + properties))?.orientation
    }
    #expect(orientation([.turn(0)]) == .up)
    #expect(orientation([.turn(1)]) == .left)
    #expect(orientation([.turn(2)]) == .down)
    #expect(orientation([.turn(3)]) == .right)
    #expect(orientation([.mirror(0)]) == .downMirrored)
    #expect(orientation([.mirror(1)]) == .upMirrored)
    #expect(orientation([.turn(3), .mirror(0)]) == .rightMirrored)
    #expect(orientation([.turn(3), .mirror(1)]) == .leftMirrored)
    #expect(orientation([.turn(2), .mirror(0)]) == .upMirrored)
    #expect(orientation([.mirror(1), .turn(1)]) == .leftMirrored)
    #expect(orientation([.turn(1), .mirror(1)]) == .rightMirrored)
    let turned = header(BoxFile(properties: [.size(30, 20), .turn(1)]))
    #expect(turned?.size == PixelSize(width: 20, height: 30))
  }

  @Test("A clean aperture inside the image crops it, and an invalid one is ignored")
  func apertures() {
    func header(_ numbers: [Int]) -> ImageHeader? {
      self.header(BoxFile(properties: [.size(32, 24), .aperture(numbers)]))
    }
    let odd = header([31, 1, 23, 1, -1, 2, -1, 2])
    #expect(odd?.storedSize == PixelSize(width: 31, height: 23))
    #expect(odd?.cleanAperture == PixelRect(x: 0, y: 0, width: 31, height: 23))
    #expect(header([16, 1, 12, 1, 8, 1, -6, 1])?.cleanAperture == PixelRect(x: 16, y: 0, width: 16, height: 12))
    for invalid in [
      [33, 1, 24, 1, 0, 1, 0, 1], [16, 0, 12, 1, 0, 1, 0, 1], [16, 1, 12, 1, 9, 1, 0, 1], [0, 1, 0, 1, 0, 1, 0, 1],
      [32, 1, 24, 1, 0, 1, 0, 1], [-16, 1, 12, 1, 0, 1, 0, 1],
    ] {
      #expect(header(invalid)?.cleanAperture == nil)
      #expect(header(invalid)?.storedSize == PixelSize(width: 32, height: 24))
    }
  }

  @Test("The capture time and the range of the preview are found at any offset")
  func metadata() throws {
    let exif = ExifBlock(isBigEndian: true, orientation: 6, dateTimeOriginal: "2001:01:01 00:00:00").bytes
    for (isLarge, gap) in [(false, 0), (true, 0), (false, 50_000)] {
      let file = BoxFile(properties: [.size(30, 20)], exif: exif, preview: [9, 8, 7, 6], isLarge: isLarge, gap: gap)
        .bytes
      let header = try #require(ImageHeader.read(file))
      #expect(header.captureTime == 978_307_200)
      // Only the boxes determine the orientation.
      #expect(header.orientation == .up)
      let range = try #require(header.embeddedThumbnail)
      #expect(Array(file[range]) == [9, 8, 7, 6])
    }
    var elsewhere = BoxFile(properties: [.size(30, 20)], exif: exif, preview: [9, 8, 7, 6])
    elsewhere.method = 1
    #expect(ImageHeader.read(elsewhere.bytes)?.embeddedThumbnail == nil)
    #expect(ImageHeader.read(elsewhere.bytes)?.captureTime == nil)
  }

  @Test("A sequence without items has the size of its first track")
  func sequence() {
    let track = [UInt8](repeating: 0, count: 76) + HeaderFixture.big(800 << 16, 4) + HeaderFixture.big(450 << 16, 4)
    let movie = BoxFile.box("moov", BoxFile.box("mvhd", [1, 2]) + BoxFile.box("trak", BoxFile.box("tkhd", track)))
    let file = BoxFile.box("ftyp", Array("avis".utf8) + [0, 0, 0, 0]) + movie
    #expect(ImageHeader.read(file)?.storedSize == PixelSize(width: 800, height: 450))
  }

  @Test("Boxes that are empty or have an invalid length end the search after a bounded number")
  func boundedSearch() {
    let empty = BoxFile(
      properties: [.size(30, 20)], leading: Array(repeating: BoxFile.box("free", []), count: 3000).flatMap { $0 })
    #expect(header(empty)?.storedSize == PixelSize(width: 30, height: 20))
    let tooMany = BoxFile(
      properties: [.size(30, 20)], leading: Array(repeating: BoxFile.box("free", []), count: 6000).flatMap { $0 })
    #expect(header(tooMany)?.format == .heic)
    #expect(header(tooMany)?.storedSize == nil)
    // A length that leads backwards, and one that exceeds all integers.
    for length in [
      [0, 0, 0, 3], [0, 0, 0, 1, 0x66, 0x72, 0x65, 0x65, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]] {
      let file = BoxFile(properties: [.size(30, 20)], leading: length)
      #expect(header(file)?.storedSize == nil)
    }
  }

  @Test("Oversized images are reported as such")
  func oversized() {
    #expect(header(BoxFile(properties: [.size(0x7FFF_FFFF, 2)]))?.isOversized == true)
    #expect(header(BoxFile(properties: [.size(0, 2)]))?.storedSize == nil)
  }
}
