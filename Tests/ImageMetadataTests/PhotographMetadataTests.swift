import Testing
import VitrineGeometry

@testable import VitrineImageMetadata

@Suite("Ratings and locations in headers")
struct PhotographMetadataTests {
  private static func coordinate(_ reference: String, _ parts: (Int, Int)...) -> ExifBlock.Coordinate {
    ExifBlock.Coordinate(reference: reference, parts: parts)
  }

  private static let sydney = ExifBlock(
    rating: 2,
    location: (coordinate("S", (33, 1), (51, 1), (2434, 100)), coordinate("E", (151, 1), (12, 1), (5480, 100))))

  /// Files of all formats with XMP data, and EXIF data if there are any.
  private func files(exif: ExifBlock?, xmp: String) -> [[UInt8]] {
    [
      HeaderFixture.jpeg(width: 8, height: 6, exif: exif, xmp: xmp),
      HeaderFixture.png(width: 8, height: 6, exif: exif, chunks: [HeaderFixture.xmpChunk(xmp)]),
      HeaderFixture.extendedWebP(width: 8, height: 6, exif: exif?.bytes, xmp: xmp),
      BoxFile(properties: [.size(8, 6)], exif: exif?.bytes, xmp: xmp).bytes,
      BoxFile(brand: "avif", properties: [.size(8, 6)], exif: exif?.bytes, xmp: xmp, isLarge: true, gap: 9_000).bytes,
    ]
  }

  @Test("A rating in XMP data is read from each format, and used instead of one in EXIF data")
  func ratings() {
    for value in 1...5 {
      for xmp in [
        HeaderFixture.xmp(attributes: "xmp:Rating=\"\(value)\""),
        HeaderFixture.xmp(attributes: "xap:Rating = '\(value)'"),
        HeaderFixture.xmp(elements: "<xmp:Rating>\(value)</xmp:Rating>"),
        HeaderFixture.xmp(elements: "<xmp:Rating>\n\(value).0 </xmp:Rating>"),
      ] {
        for exif in [nil, PhotographMetadataTests.sydney] {
          for file in files(exif: exif, xmp: xmp) {
            let header = ImageHeader.read(file)
            #expect(header?.rating == UInt8(value), "\(String(describing: header?.format)) \(xmp)")
            #expect(header?.size?.width == 8 && (header?.location == nil) == (exif == nil))
          }
        }
      }
    }
  }

  @Test("XMP data without a rating changes nothing, and one of 0 or -1 means that there is none")
  func noRating() {
    for (property, expected) in [
      ("", 2), ("xmp:Rating=\"0\"", nil), ("xmp:Rating=\"-1\"", nil), ("xmp:Rating=\"12\"", 2), ("xmp:Rating=\"\"", 2),
      ("xmp:Rating=4", 2), ("xmp:Rating", 2), ("axmp:Rating=\"4\"", 2), ("xmp:Ratings=\"4\"", 2),
    ] as [(String, UInt8?)] {
      for file in files(exif: PhotographMetadataTests.sydney, xmp: HeaderFixture.xmp(attributes: property)) {
        #expect(ImageHeader.read(file)?.rating == expected, "\(property)")
      }
    }
  }

  @Test("XMP data that is longer than the limit is not read, and no file is read as a whole")
  func longPacket() {
    let xmp = HeaderFixture.xmp(attributes: "xmp:Rating=\"4\"")
    let padding = String(repeating: " ", count: XMPPacket.maximumBytes)
    let file = HeaderFixture.png(width: 8, height: 6, chunks: [HeaderFixture.xmpChunk(xmp + padding)])
    var requested = 0
    let header = ImageHeader.read(fileBytes: file.count) { offset, count in
      requested += count
      return Array(file[offset..<min(file.count, offset + count)])
    }
    #expect(header?.rating == nil && header?.size?.width == 8)
    #expect(requested < 3 * ImageHeaderParser.bytesPerRead)
    // A segment of a JPEG is at most 64 KiB long, and is read to its end.
    let long = HeaderFixture.xmp(elements: String(repeating: " ", count: 60_000) + "<xmp:Rating>3</xmp:Rating>")
    #expect(ImageHeader.read(HeaderFixture.jpeg(width: 8, height: 6, xmp: long))?.rating == 3)
  }

  @Test("The rating of a TIFF file is read from its tags", arguments: [false, true])
  func tiff(isBigEndian: Bool) {
    let exif = ExifBlock(isBigEndian: isBigEndian, rating: 3, location: PhotographMetadataTests.sydney.location)
    let header = ImageHeader.read(exif.bytes)
    #expect(header?.format == .tiff && header?.rating == 3 && header?.location != nil)
  }

  @Test("A location is read from EXIF data of either byte order", arguments: [false, true])
  func location(isBigEndian: Bool) throws {
    var exif = PhotographMetadataTests.sydney
    exif.isBigEndian = isBigEndian
    for file in files(exif: exif, xmp: HeaderFixture.xmp()) {
      let location = try #require(ImageHeader.read(file)?.location)
      #expect(abs(location.latitude + 33.856_761_1) < 1e-7 && abs(location.longitude - 151.215_222_2) < 1e-7)
    }
  }

  @Test("A preview is found behind the directories of details and of the location")
  func allDirectories() {
    var exif = PhotographMetadataTests.sydney
    exif.dateTimeOriginal = "2019:07:14 12:00:00"
    exif.preview = [0xFF, 0xD8, 0xFF, 0xD9]
    exif.gap = 5_000
    let file = HeaderFixture.jpeg(width: 8, height: 6, exif: exif)
    let header = ImageHeader.read(file)
    #expect(header?.captureTime != nil && header?.location != nil)
    #expect(header?.embeddedThumbnail.map { Array(file[$0]) } == exif.preview)
  }

  @Test(
    "Coordinates that are no location are ignored",
    arguments: [
      [(0, 1), (0, 1), (0, 1)], [(91, 1), (0, 1), (0, 1)], [(33, 0), (0, 1), (0, 1)], [(33, 1), (1, 0), (0, 1)],
      [(0xFFFF_FFFF, 1), (0xFFFF_FFFF, 1), (0xFFFF_FFFF, 1)], [(33, 1)], [(33, 1), (0, 1), (0, 1), (0, 1)],
    ])
  func invalidLocations(parts: [(Int, Int)]) {
    let zero = PhotographMetadataTests.coordinate("E", (0, 1), (0, 1), (0, 1))
    var exif = ExifBlock(orientation: 1)
    exif.location = (ExifBlock.Coordinate(reference: "N", parts: parts), zero)
    #expect(ImageHeader.read(HeaderFixture.jpeg(width: 8, height: 6, exif: exif))?.location == nil)
  }

  @Test("Seconds may be missing as 0/0, and the equator and the meridian are locations")
  func unusualLocations() {
    var exif = ExifBlock(orientation: 1)
    exif.location = (
      PhotographMetadataTests.coordinate("N", (0, 1), (0, 1), (0, 0)),
      PhotographMetadataTests.coordinate("W", (7, 1), (30, 1), (0, 0))
    )
    let location = ImageHeader.read(HeaderFixture.jpeg(width: 8, height: 6, exif: exif))?.location
    #expect(location == GeographicLocation(latitude: 0, longitude: -7.5))
  }
}
