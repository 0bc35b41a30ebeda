import VitrineDataStructures
import VitrineImageMetadata

/// Reads the bytes as EXIF data in a file of each format that contains such data, and compares what the files state.
func readExif(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  // The length of a JPEG segment, and a length from which the readers of all formats read the data.
  guard count >= 8, count <= 65_000 else { return }
  let exif = Array(UnsafeBufferPointer(start: start, count: count))
  let expected = MetadataOfFile(ExifFile.jpeg(exif))
  for file in [ExifFile.png(exif), ExifFile.webP(exif), ExifFile.textOfPNG(exif)] {
    checkPrecondition(MetadataOfFile(file) == expected, "EXIF data must have the same meaning in each format")
  }
  // As a whole file, the data has a size and a rating of its own.
  _ = MetadataOfFile(exif)
}

/// What EXIF data states, except for the places of other data.
private struct MetadataOfFile: Equatable {
  private let orientation: Orientation?
  private let captureTime: Int64?
  private let camera: String?
  private let rating: UInt8?
  private let location: GeographicLocation?

  init(_ file: [UInt8]) {
    let header = ImageHeader.read(file)
    orientation = header?.orientation
    captureTime = header?.captureTime
    camera = header?.camera
    rating = header?.rating
    location = header?.location
    guard let header else { return }
    if let range = header.embeddedThumbnail {
      checkPrecondition(range.lowerBound >= 0 && range.upperBound <= file.count, "a thumbnail must be within its file")
    }
    let settings = CaptureSettings.read(of: header, fileBytes: file.count) { offset, count in
      checkPrecondition(offset >= 0 && offset + count <= file.count, "the reader must request bytes of the file")
      return Array(file[offset..<offset + count])
    }
    for value in [settings?.exposureTime, settings?.aperture, settings?.focalLength].compactMap({ $0 }) {
      checkPrecondition(value > 0 && value.isFinite, "a value must be positive")
    }
  }
}

/// The beginnings of files with EXIF data.
private enum ExifFile {
  private static let identifier = Array("Exif\0\0".utf8)

  static func jpeg(_ exif: [UInt8]) -> [UInt8] {
    let length = exif.count + identifier.count + 2
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + identifier + exif + [0xFF, 0xD9]
  }

  static func png(_ exif: [UInt8]) -> [UInt8] { png(chunk: "eXIf", exif) }

  /// As programs wrote it before PNG had a chunk for it: lines of hexadecimal digits.
  static func textOfPNG(_ exif: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    let text = (identifier + exif).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return png(chunk: "tEXt", Array("Raw profile type exif\0\nexif\n1\n".utf8) + text)
  }

  private static func png(chunk name: String, _ content: [UInt8]) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", [UInt8](repeating: 0, count: 13))
      + chunk(name, content) + chunk("IDAT", [])
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    bigEndian(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
  }

  static func webP(_ exif: [UInt8]) -> [UInt8] {
    let exifFlag: UInt8 = 0x08
    let content = identifier + exif
    return Array("RIFF\0\0\0\0WEBPVP8X".utf8) + [10, 0, 0, 0, exifFlag] + [UInt8](repeating: 0, count: 9)
      + Array("EXIF".utf8) + bigEndian(content.count).reversed() + content
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }
}
