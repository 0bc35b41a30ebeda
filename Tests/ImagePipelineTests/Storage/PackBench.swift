import DataStructures
import Foundation
import Geometry
import Rendering
import TestSupport

@testable import ImagePipeline

/// A folder with a pack in it, and thumbnails that are known by their numbers.
final class PackBench {
  let folder = Result { try TemporaryFolder() }

  /// Opens the pack as another instance would.
  func open(limit: Int = 1 << 20, segment: Int? = nil) throws -> ThumbnailPack {
    try ThumbnailPack(in: try StorageFolder(Array(try folder.get().path.utf8)), byteLimit: limit, segmentBytes: segment)
  }

  /// The name of a thumbnail.
  static func name(_ number: Int) -> FileFingerprint { FileFingerprint(words: [UInt64(number), 77]) }

  /// A thumbnail of noise, equal for equal numbers.
  static func picture(_ number: Int, _ width: Int = 9, _ height: Int = 7) throws -> StoredThumbnail {
    var random = SplitMix64(seed: UInt64(number))
    let bitmap = try Bitmap(size: pixels(width, height), isOpaque: true) { bytes in
      for place in bytes.indices {
        bytes[place] = place % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random)
      }
    }
    return StoredThumbnail(bitmap: bitmap, sourceSize: number.isMultiple(of: 3) ? nil : pixels(4_000 + number, 3_000))
  }

  /// The bytes of all files in the folder.
  var bytesOnDisk: Int {
    get throws {
      let path = try folder.get().path
      return try FileManager.default.contentsOfDirectory(atPath: path).reduce(0) { sum, name in
        try sum + (FileManager.default.attributesOfItem(atPath: path + "/" + name)[.size] as? Int ?? 0)
      }
    }
  }

  /// The names of the files in the folder that end so, sorted.
  func names(_ suffix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: try folder.get().path).filter { $0.hasSuffix(suffix) }.sorted()
  }
}

extension ThumbnailPack {
  /// Adds thumbnails by their numbers.
  func add(_ numbers: some Sequence<Int>, _ width: Int = 9, _ height: Int = 7) throws {
    try append(numbers.map { (PackBench.name($0), try PackBench.picture($0, width, height)) })
  }

  /// Whether a thumbnail is there, and all of it as it was put in; false where it is not there.
  ///
  /// - Throws: where it is there and another.
  func has(_ number: Int, _ width: Int = 9, _ height: Int = 7) throws -> Bool {
    guard let found = picture(for: PackBench.name(number)) else { return false }
    let expected = try PackBench.picture(number, width, height)
    struct IsAnother: Error {}
    guard found.picture.bitmap.contentDigest == expected.bitmap.contentDigest,
      found.picture.sourceSize == expected.sourceSize
    else { throw IsAnother() }
    return true
  }
}
