import Glibc
import VitrineGeometry
public import VitrineRendering

/// Encodes a bitmap as a JPEG file of a quality from 1 to 100; used on one thread.
public typealias SampleEncoder = (_ bitmap: Bitmap, _ quality: Int) throws -> [UInt8]

extension SketchAlbum {
  /// Returns an image as a camera's JPEG file: with grain, an EXIF segment and a preview of 160 pixels.
  ///
  /// - Parameters:
  ///   - index: The index of the image.
  ///   - longSide: The length of the longer side in pixels.
  ///   - encode: The encoder.
  /// - Returns: The bytes of the file, or nil if the encoder returns no JPEG file.
  /// - Throws: `BitmapError` if there is not enough memory, and the encoder's errors.
  public func photograph(at index: Int, longSide: Int = longSide, encode: SampleEncoder) throws -> [UInt8]? {
    func bitmap(longSide: Int, grain: Int) throws -> Bitmap {
      let full = size(at: index)
      let (width, height) = (
        full.width * longSide / SketchAlbum.longSide, full.height * longSide / SketchAlbum.longSide
      )
      return try paint(
        at: index, filling: PixelSize(width: max(1, width), height: max(1, height)) ?? full, grain: grain)
    }
    // The amplitude of grain and the quality that give a file the weight of a photograph.
    let stored = try bitmap(longSide: longSide, grain: 5)
    let preview = try encode(try bitmap(longSide: min(160, longSide), grain: 0), 80)
    let exif = ExifSegment(
      title: subject(at: index), captureTime: captureTime(at: index), storedSize: stored.size, preview: preview)
    return exif.inserted(into: try encode(stored, 92))
  }
}

/// The APP1 segment in which a camera records when and how a photograph was taken (EXIF 2.32, section 4.5).
struct ExifSegment {
  /// The title, of which up to 200 bytes are written.
  var title: String
  /// The capture time by the camera's clock, in seconds since 1970.
  var captureTime: Int64
  /// The stored size in pixels.
  var storedSize: PixelSize
  /// A JPEG file of a small copy; left out if it is empty or too large for a segment.
  var preview: [UInt8] = []

  /// The segment: marker, length, "Exif", and a little-endian TIFF.
  var bytes: [UInt8] {
    let date = ExifSegment.text(of: captureTime)
    let hasPreview = !preview.isEmpty && preview.count <= 60_000
    var first: [Entry] = [
      .text(0x010E, Array(title.utf8.prefix(200))), .text(0x010F, Array("Vitrine".utf8)),
      .text(0x0110, Array("Sample painter".utf8)), .short(0x0112, 1), .text(0x0132, date),
    ]
    let exif: [Entry] = [
      Entry(tag: 0x9000, type: 7, count: 4, value: Array("0232".utf8)), .text(0x9003, date),
      .long(0xA002, storedSize.width), .long(0xA003, storedSize.height),
    ]
    // The TIFF header, the directories, each followed by its values, and the preview.
    let firstOffset = 8
    let exifOffset = firstOffset + Entry.byteCount(first + [.long(0x8769, 0)])
    first.append(.long(0x8769, exifOffset))
    let secondOffset = exifOffset + Entry.byteCount(exif)
    var tiff: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]
    tiff += Entry.directory(first, at: firstOffset, next: hasPreview ? secondOffset : 0)
    tiff += Entry.directory(exif, at: exifOffset, next: 0)
    if hasPreview {
      var second: [Entry] = [.short(0x0103, 6), .long(0x0201, 0), .long(0x0202, preview.count)]
      second[1] = .long(0x0201, secondOffset + Entry.byteCount(second))
      tiff += Entry.directory(second, at: secondOffset, next: 0) + preview
    }
    let length = 2 + 6 + tiff.count
    return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array("Exif\0\0".utf8) + tiff
  }

  /// Returns a JPEG file with the segment inserted after SOI and a JFIF segment, or nil for bytes that are no JPEG file.
  func inserted(into file: [UInt8]) -> [UInt8]? {
    guard file.count > 6, file.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    let offset = file[3] == 0xE0 ? 4 + (Int(file[4]) << 8 | Int(file[5])) : 2
    guard offset < file.count else { return nil }
    return file[..<offset] + bytes + file[offset...]
  }

  /// Returns a time as EXIF writes it: `2021:10:03 17:42:05`.
  ///
  /// The C functions are `gmtime_r` and `strftime`.
  private static func text(of seconds: Int64) -> [UInt8] {
    var (time, date) = (time_t(seconds), tm())
    gmtime_r(&time, &date)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      let count = strftime(buffer.baseAddress, buffer.count, "%Y:%m:%d %H:%M:%S", &date)
      return buffer[..<count].map { UInt8(bitPattern: $0) }
    }
  }

  /// An entry of an image file directory (TIFF 6.0, section 2).
  private struct Entry {
    let tag: UInt16
    let type: UInt16
    let count: Int
    let value: [UInt8]

    static func text(_ tag: UInt16, _ text: [UInt8]) -> Entry {
      Entry(tag: tag, type: 2, count: text.count + 1, value: text + [0])
    }

    static func short(_ tag: UInt16, _ value: UInt16) -> Entry {
      Entry(tag: tag, type: 3, count: 1, value: [UInt8(value & 0xFF), UInt8(value >> 8), 0, 0])
    }

    static func long(_ tag: UInt16, _ value: Int) -> Entry {
      Entry(tag: tag, type: 4, count: 1, value: little(value, 4))
    }

    /// Returns the bytes of a directory and its values, which start at even offsets.
    static func byteCount(_ entries: [Entry]) -> Int {
      entries.reduce(6) { $0 + 12 + ($1.value.count > 4 ? ($1.value.count + 1) & ~1 : 0) }
    }

    /// Returns a directory followed by its values.
    ///
    /// - Parameters:
    ///   - entries: The entries, in ascending order of their tags.
    ///   - offset: The directory's offset in the file.
    ///   - next: The offset of the next directory, or 0.
    static func directory(_ entries: [Entry], at offset: Int, next: Int) -> [UInt8] {
      var (table, values) = (little(entries.count, 2), [UInt8]())
      for entry in entries {
        table += little(Int(entry.tag), 2) + little(Int(entry.type), 2) + little(entry.count, 4)
        if entry.value.count > 4 {
          table += little(offset + 6 + entries.count * 12 + values.count, 4)
          values += entry.value + [UInt8](repeating: 0, count: entry.value.count & 1)
        } else {
          table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
        }
      }
      return table + little(next, 4) + values
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
    }
  }
}
