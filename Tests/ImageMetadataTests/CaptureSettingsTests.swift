import Testing
import VitrineGeometry

@testable import VitrineImageMetadata

@Suite("The settings with which a photograph was taken")
struct CaptureSettingsTests {
  private static var exif: ExifBlock {
    var exif = ExifBlock()
    (exif.exposureTime, exif.aperture, exif.focalLength) = ((10, 2_500), (28, 10), (4_250, 1_000))
    (exif.sensitivity, exif.focalLengthIn35mmFilm, exif.lens) = (400, 26, "EF24-70mm  f/2.8L II USM ")
    return exif
  }

  private static let expected: CaptureSettings = {
    var settings = CaptureSettings()
    (settings.exposureTime, settings.aperture, settings.focalLength) = (0.004, 2.8, 4.25)
    (settings.sensitivity, settings.focalLengthIn35mmFilm, settings.lens) = (400, 26, "EF24-70mm f/2.8L II USM")
    return settings
  }()

  /// Reads the header of a file and then its settings, and returns the settings and the number of bytes read for them.
  private func readSettings(_ file: [UInt8]) throws -> (settings: CaptureSettings?, bytes: Int) {
    var bytes = 0
    let header = try #require(ImageHeader.read(file))
    let settings = CaptureSettings.read(of: header, fileBytes: file.count) { offset, count in
      bytes += count
      return Array(file[min(offset, file.count)..<min(file.count, offset + count)])
    }
    return (settings, bytes)
  }

  @Test("All settings are read from files of each format, in either byte order", arguments: [false, true])
  func formats(isBigEndian: Bool) throws {
    var exif = CaptureSettingsTests.exif
    exif.isBigEndian = isBigEndian
    for file in [
      HeaderFixture.jpeg(width: 8, height: 6, exif: exif), HeaderFixture.png(width: 8, height: 6, exif: exif),
      HeaderFixture.extendedWebP(width: 8, height: 6, exif: exif.bytes),
      BoxFile(properties: [.size(8, 6)], exif: exif.bytes).bytes,
      BoxFile(brand: "avif", properties: [.size(8, 6)], exif: exif.bytes, isLarge: true, gap: 9_000).bytes, exif.bytes,
    ] {
      #expect(try readSettings(file).settings == CaptureSettingsTests.expected)
    }
  }

  @Test("Directories behind long notes are read in pieces, and not the rest of the file")
  func longNotes() throws {
    var exif = CaptureSettingsTests.exif
    exif.gap = 40_000
    let file = HeaderFixture.jpeg(width: 8, height: 6, exif: exif, padding: 200_000)
    let (settings, bytes) = try readSettings(file)
    #expect(settings == CaptureSettingsTests.expected && bytes <= 3 * ImageHeaderParser.bytesPerRead)
  }

  @Test("A file without EXIF data has no settings, and one without a directory of details has none that is known")
  func none() throws {
    #expect(try readSettings(HeaderFixture.jpeg(width: 8, height: 6)).settings == nil)
    let other = HeaderFixture.jpeg(width: 8, height: 6, exif: ExifBlock(orientation: 1))
    #expect(try readSettings(other).settings == CaptureSettings())
  }

  @Test("Fractions with a divisor of 0, and values of 0, are not known")
  func invalidValues() throws {
    var exif = ExifBlock()
    (exif.exposureTime, exif.aperture, exif.focalLength) = ((1, 0), (0, 10), (0, 0))
    (exif.sensitivity, exif.focalLengthIn35mmFilm, exif.lens) = (0, 0, "    ")
    #expect(try readSettings(HeaderFixture.jpeg(width: 8, height: 6, exif: exif)).settings == CaptureSettings())
  }

  @Test("A file that is truncated anywhere in its EXIF data has the settings before the end, or none")
  func truncated() throws {
    let file = HeaderFixture.jpeg(width: 8, height: 6, exif: CaptureSettingsTests.exif)
    let header = try #require(ImageHeader.read(file))
    for length in 0..<file.count {
      let settings = CaptureSettings.read(of: header, fileBytes: length) { offset, count in
        Array(file[min(offset, length)..<min(length, offset + count)])
      }
      let known = settings ?? CaptureSettings()
      #expect(known.lens == nil || known.lens == CaptureSettingsTests.expected.lens, "\(length)")
    }
  }
}
