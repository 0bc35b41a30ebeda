package import Geometry
import ImagePipeline
import Rendering

/// The two files of a segment: the pixels of its thumbnails, and the list of their locations.
///
/// Pixels are written before they are listed, so listed pixels exist.
final class PackSegment: Sendable {
  private static let format = RecordFormat(kind: 0x4B43_4150, layout: 1)  // "PACK"

  /// The segment's number.
  let number: UInt32
  /// The file of pixels.
  let pixels: StorageFile
  private let list: RecordLog

  private init(number: UInt32, pixels: StorageFile, in folder: StorageFolder) throws(StorageError) {
    self.number = number
    self.pixels = pixels
    list = try RecordLog(PackSegment.listName(number), in: folder, format: PackSegment.format)
  }

  /// Opens an existing segment in a folder.
  static func open(_ number: UInt32, in folder: StorageFolder) throws(StorageError) -> PackSegment {
    try PackSegment(number: number, pixels: try folder.openExisting(pixelsName(number)), in: folder)
  }

  /// Creates a segment to which only this instance adds.
  ///
  /// - Returns: The segment, or nil if another instance has taken the number.
  static func create(_ number: UInt32, in folder: StorageFolder) throws(StorageError) -> PackSegment? {
    let pixels: StorageFile
    do throws(StorageError) {
      pixels = try folder.create(pixelsName(number))
    } catch {
      if error.isNameTaken { return nil }
      throw error
    }
    guard try pixels.tryLockExclusively(), try pixels.status().hasName else { return nil }
    return try PackSegment(number: number, pixels: pixels, in: folder)
  }

  /// Takes over a segment that no instance adds to any more, and truncates pixels that are not listed.
  ///
  /// - Parameter end: The end of the listed pixels.
  /// - Returns: Whether this instance may add to the segment now.
  func takeOver(end: Int) throws(StorageError) -> Bool {
    guard pixels.isWritable, list.isWritable, try pixels.tryLockExclusively() else { return false }
    let status = try pixels.status()
    guard status.hasName, status.byteCount >= end else { return false }
    if status.byteCount > end { try pixels.truncate(to: end) }
    return true
  }

  /// Returns the size of both files in bytes.
  func byteCount() throws(StorageError) -> Int { try pixels.status().byteCount + list.byteCount() }

  /// Returns the records listed since the last call.
  func readNewRecords() throws(StorageError) -> [PackRecord] {
    let present = try pixels.status().byteCount
    var records: [PackRecord] = []
    try list.readNewRecords { records += PackList.records(in: $0, ofSegment: number, pixelBytes: present) }
    return records
  }

  /// Lists thumbnails whose pixels are written.
  func appendRecords(_ records: [PackRecord]) throws(StorageError) {
    try list.append([records.withUnsafeBytes { Array($0) }])
  }

  /// Removes a segment's files; open ones remain readable.
  static func remove(_ number: UInt32, from folder: StorageFolder) {
    folder.remove(listName(number))
    folder.remove(pixelsName(number))
  }

  // MARK: - Names

  /// Returns the numbers of the segments among the names in a folder, oldest first.
  static func numbers(in names: [String]) -> [UInt32] {
    names.compactMap { name in
      guard name.hasSuffix(pixelsSuffix), let number = UInt32(name.dropLast(pixelsSuffix.count)) else { return nil }
      return pixelsName(number) == name ? number : nil
    }.sorted()
  }

  /// Returns the names in a folder that belong to no segment, left behind by killed instances.
  static func leftovers(in names: [String]) -> [String] {
    let lists = Set(numbers(in: names).map(listName))
    return names.filter { name in
      (name.hasSuffix(listSuffix) || name.hasSuffix(listSuffix + ".unreadable")) && !lists.contains(name)
    }
  }

  private static let pixelsSuffix = ".pixels"
  private static let listSuffix = ".list"
  private static func listName(_ number: UInt32) -> String { "\(number)" + listSuffix }
  private static func pixelsName(_ number: UInt32) -> String { "\(number)" + pixelsSuffix }
}

/// The location of a thumbnail's pixels in the pack, and their digest.
package struct PackEntry: Hashable, Sendable, BitwiseCopyable {
  /// The digest of the pixels.
  var digest: UInt64
  /// The number of the segment.
  package var segment: UInt32
  /// The offset of the pixels in the segment.
  var offset: UInt32
  private var width: UInt32
  private var height: UInt32
  private var sourceWidth: UInt32
  private var sourceHeight: UInt32

  /// Creates an entry for written pixels.
  init(digest: UInt64, segment: UInt32, offset: Int, size: PixelSize, sourceSize: PixelSize?) {
    self.digest = digest
    self.segment = segment
    self.offset = UInt32(truncatingIfNeeded: offset)
    width = UInt32(size.width)
    height = UInt32(size.height)
    sourceWidth = UInt32(sourceSize?.width ?? 0)
    sourceHeight = UInt32(sourceSize?.height ?? 0)
  }

  /// The thumbnail's size; nil if it is invalid.
  package var size: PixelSize? { PixelSize(width: Int(width), height: Int(height)) }

  /// The size of the original, if known.
  var sourceSize: PixelSize? { PixelSize(width: Int(sourceWidth), height: Int(sourceHeight)) }

  /// The size of the pixels in bytes; 0 if the thumbnail's size is invalid.
  package var byteCount: Int { size.map { OpaquePixels.byteCount($0.bytesAtFourPerPixel / 4) } ?? 0 }

  /// The end of the pixels in the segment.
  package var end: Int { Int(offset) + byteCount }

  /// Returns the digest of a name's pixels.
  static func digest(_ pixels: UnsafeRawBufferPointer, of key: FileFingerprint) -> UInt64 {
    var digest = ContentDigest()
    digest.combine(key.high)
    digest.combine(key.low)
    digest.combine(bytes: pixels)
    return digest.value
  }
}

/// A record of a segment's list: the name and location of a thumbnail.
package struct PackRecord: Hashable, Sendable, BitwiseCopyable {
  /// The thumbnail's name.
  var key: FileFingerprint
  /// The thumbnail's location.
  package var entry: PackEntry
}

/// The format of a segment's list; reading it is a pure function that accepts any bytes.
package enum PackList {
  /// The size of a record in bytes.
  package static let recordBytes = MemoryLayout<PackRecord>.stride

  /// Returns the records of a payload whose pixels can exist.
  ///
  /// - Parameters:
  ///   - payload: The payload; an incomplete record at its end is ignored.
  ///   - number: The segment's number, which overrides the one in the records.
  ///   - pixelBytes: The size of the segment's pixels in bytes.
  /// - Complexity: O(count).
  package static func records(
    in payload: UnsafeRawBufferPointer, ofSegment number: UInt32, pixelBytes: Int
  ) -> [PackRecord] {
    var records: [PackRecord] = []
    for index in 0..<payload.count / recordBytes {
      var record = payload.loadUnaligned(fromByteOffset: index * recordBytes, as: PackRecord.self)
      record.entry.segment = number
      if record.entry.byteCount > 0, record.entry.end <= pixelBytes { records.append(record) }
    }
    return records
  }
}
