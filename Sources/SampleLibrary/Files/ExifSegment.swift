import Geometry
import ImageMetadata

/// The APP1 segment in which a camera writes when, with what and how turned a picture was taken.
struct ExifSegment {
  /// What the picture shows.
  var title: String
  /// How the stored pixels are turned upright.
  var orientation: Orientation
  /// Seconds since 1970 by the camera's own clock.
  var captureTime: Int64
  /// The stored extent in pixels.
  var storedSize: PixelSize
  /// A JPEG file of a small copy, stored the same way; empty for none.
  var preview: [UInt8] = []

  /// The longest title that is written, in bytes, so that the segment's length always fits.
  private static let longestTitle = 200
  /// The most bytes that a preview may have, for the same reason.
  static let largestPreview = 60_000

  /// The segment: marker, length, "Exif", and a little-endian TIFF.
  var bytes: [UInt8] {
    var first = TiffDirectory()
    first.add(ascii: title.utf8.prefix(ExifSegment.longestTitle), tag: 0x010E)
    first.add(ascii: "Vitrine".utf8, tag: 0x010F)
    first.add(ascii: "Sample painter".utf8, tag: 0x0110)
    first.add(short: UInt16(orientation.rawValue), tag: 0x0112)
    first.add(ascii: date.utf8, tag: 0x0132)
    var exif = TiffDirectory()
    exif.add(undefined: "0232".utf8, tag: 0x9000)
    exif.add(ascii: date.utf8, tag: 0x9003)
    exif.add(long: UInt32(storedSize.width), tag: 0xA002)
    exif.add(long: UInt32(storedSize.height), tag: 0xA003)

    // The TIFF's header, then the directories, each with its values behind it, then the preview.
    let firstAt = 8
    let exifAt = firstAt + first.byteCount + TiffDirectory.entryBytes
    first.add(long: UInt32(exifAt), tag: 0x8769)
    let hasPreview = !preview.isEmpty && preview.count <= ExifSegment.largestPreview
    let secondAt = exifAt + exif.byteCount
    var second = TiffDirectory()
    if hasPreview {
      second.add(short: 6, tag: 0x0103)
      let previewAt = secondAt + second.byteCount + 2 * TiffDirectory.entryBytes
      second.add(long: UInt32(previewAt), tag: 0x0201)
      second.add(long: UInt32(preview.count), tag: 0x0202)
    }
    var tiff: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]
    tiff += first.bytes(at: firstAt, next: hasPreview ? secondAt : 0)
    tiff += exif.bytes(at: exifAt, next: 0)
    if hasPreview {
      tiff += second.bytes(at: secondAt, next: 0)
      tiff += preview
    }
    let length = 2 + 6 + tiff.count
    return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array("Exif\0\0".utf8) + tiff
  }

  /// The time as EXIF writes it: `2021:10:03 17:42:05`.
  var date: String {
    let days = captureTime / 86_400 - (captureTime % 86_400 < 0 ? 1 : 0)
    let second = captureTime - days * 86_400
    let (year, month, day) = CaptureDate.date(days: days)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year):\(two(month)):\(two(day)) \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
  }

  /// A JPEG file with the segment in it: after SOI, or after the JFIF segment, which must come first where there is one.
  ///
  /// - Returns: nothing when the bytes do not begin as a JPEG file does.
  func inserted(into file: [UInt8]) -> [UInt8]? {
    guard file.count > 4, file[0] == 0xFF, file[1] == 0xD8, file[2] == 0xFF else { return nil }
    var place = 2
    if file[3] == 0xE0 {
      guard file.count > 6 else { return nil }
      place = 4 + (Int(file[4]) << 8 | Int(file[5]))
      guard place < file.count else { return nil }
    }
    return file[..<place] + bytes + file[place...]
  }
}
