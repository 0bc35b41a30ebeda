import Foundation
import VitrineDataStructures
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport

/// Generated thumbnails that are identified by numbers.
enum NumberedThumbnail {
  /// Returns the key of a thumbnail.
  static func name(_ number: Int) -> FileFingerprint { FileFingerprint(words: [UInt64(number), 77]) }

  /// The origin of thumbnails that are accepted.
  static let origin = DecoderOrigin([.jpeg], layers: .all)

  /// Returns a thumbnail of random pixels, which are equal for equal numbers.
  static func picture(
    _ number: Int, _ width: Int = 9, _ height: Int = 7, origin: DecoderOrigin? = origin
  ) throws -> StoredThumbnail {
    var random = SplitMix64(seed: UInt64(number))
    let bitmap = try Bitmap(size: pixels(width, height), isOpaque: true) { bytes in
      for index in bytes.indices {
        bytes[index] = index % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random)
      }
    }
    return StoredThumbnail(
      bitmap: bitmap, sourceSize: number.isMultiple(of: 3) ? nil : pixels(4_000 + number, 3_000), origin: origin)
  }

  /// Returns the version of a file.
  static func version(_ number: Int, changed: Int = 0) -> ImageFile.Version {
    ImageFile.Version(
      identity: ImageFileIdentity(
        device: 1, node: UInt64(number), byteCount: 10, modifiedSeconds: 20, modifiedNanoseconds: 30),
      changedSeconds: 40, changedNanoseconds: changed)
  }

  /// Returns a compressed thumbnail of random bytes, which are equal for equal numbers.
  static func compressed(
    _ number: Int, byteCount: Int = 1_000, origin: DecoderOrigin? = origin
  ) -> CompressedThumbnail {
    var random = SplitMix64(seed: UInt64(number))
    return CompressedThumbnail(
      bytes: (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) },
      size: pixels(320, 200 + number % 9),
      sourceSize: pixels(4_000, 3_000 + number), background: number.isMultiple(of: 3) ? UInt32(number) : nil,
      origin: origin)
  }
}

extension PixelThumbnails {
  /// Adds thumbnails, given by their numbers.
  func add(_ numbers: some Sequence<Int>, _ width: Int = 9, _ height: Int = 7) throws {
    try insert(numbers.map { (NumberedThumbnail.name($0), try NumberedThumbnail.picture($0, width, height)) })
  }

  /// Returns whether a thumbnail is stored.
  ///
  /// - Throws: An error if the stored thumbnail differs from the generated one.
  func hasThumbnail(_ number: Int, _ width: Int = 9, _ height: Int = 7) throws -> Bool {
    guard let found = thumbnail(for: NumberedThumbnail.name(number)) else { return false }
    let expected = try NumberedThumbnail.picture(number, width, height)
    struct DifferentThumbnail: Error {}
    guard found.bitmap.contentDigest == expected.bitmap.contentDigest, found.sourceSize == expected.sourceSize
    else { throw DifferentThumbnail() }
    return true
  }
}

extension CompressedThumbnails {
  /// Adds thumbnails, given by their numbers.
  func add(_ numbers: some Sequence<Int>) throws {
    try insert(numbers.map { (NumberedThumbnail.version($0), NumberedThumbnail.compressed($0)) })
  }
}

/// A PNG file with text chunks before its pixels, like other programs write thumbnails.
struct ThumbnailPNG {
  var bitmap: Bitmap
  /// The keywords and texts, in order.
  var texts: [(String, String)]

  /// The bytes of the file.
  var bytes: [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    bytes += chunk("IHDR", word(width) + word(height) + [8, 6, 0, 0, 0])
    for (keyword, text) in texts { bytes += chunk("tEXt", Array(keyword.utf8) + [0] + Array(text.utf8)) }
    return bytes + chunk("IDAT", deflated) + chunk("IEND", [])
  }

  /// The rows as stored deflate blocks without compression.
  private var deflated: [UInt8] {
    var rows: [UInt8] = []
    bitmap.withPixels { pixels in
      for row in 0..<bitmap.size.height {
        rows += [0] + pixels[(row * bitmap.bytesPerRow)..<((row + 1) * bitmap.bytesPerRow)]
      }
    }
    var bytes: [UInt8] = [0x78, 0x01]
    var start = 0
    while start < rows.count {
      let end = min(start + 65_535, rows.count)
      let count = end - start
      bytes += [
        end == rows.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255),
      ]
      bytes += rows[start..<end]
      start = end
    }
    var (low, high) = (1, 0)
    for byte in rows {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return bytes + word(high << 16 | low)
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + content
    var check: UInt32 = .max
    for byte in named {
      check ^= UInt32(byte)
      for _ in 0..<8 { check = check & 1 == 0 ? check >> 1 : check >> 1 ^ 0xEDB8_8320 }
    }
    return word(content.count) + named + word(Int(~check))
  }

  private func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
}
