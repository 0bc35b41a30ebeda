/// The two files of a segment: the pixels of its thumbnails, and the list that says which are where.
///
/// Pixels are written first, and listed then: what is listed is there.
final class PackSegment: Sendable {
  private static let format = RecordFormat(kind: 0x4B43_4150, layout: 1)  // "PACK"

  /// The segment's number.
  let number: UInt32
  /// The pixels.
  let pixels: StorageFile
  private let list: RecordLog

  private init(number: UInt32, pixels: StorageFile, in folder: StorageFolder) throws(StorageError) {
    self.number = number
    self.pixels = pixels
    list = try RecordLog(PackSegment.listName(number), in: folder, format: PackSegment.format)
  }

  /// Opens a segment that stands in a folder.
  static func open(_ number: UInt32, in folder: StorageFolder) throws(StorageError) -> PackSegment {
    try PackSegment(number: number, pixels: try folder.openExisting(pixelsName(number)), in: folder)
  }

  /// Begins a segment, which this instance alone adds to.
  ///
  /// - Returns: nothing where another instance has the number.
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

  /// Takes a segment over that nobody adds to any more, and cuts off pixels that are in no list.
  ///
  /// - Parameter end: where the listed pixels end.
  /// - Returns: whether this instance may add to it now.
  func takeOver(end: Int) throws(StorageError) -> Bool {
    guard pixels.isWritable, list.isWritable, try pixels.tryLockExclusively() else { return false }
    let status = try pixels.status()
    guard status.hasName, status.byteCount >= end else { return false }
    if status.byteCount > end { try pixels.truncate(to: end) }
    return true
  }

  /// The bytes of both files.
  func byteCount() throws(StorageError) -> Int { try pixels.status().byteCount + list.byteCount() }

  /// What was listed since the last time.
  func readNewRecords() throws(StorageError) -> [PackRecord] {
    let present = try pixels.status().byteCount
    var records: [PackRecord] = []
    try list.readNewRecords { records += PackList.records(in: $0, ofSegment: number, present: present) }
    return records
  }

  /// Lists thumbnails whose pixels are written.
  func appendRecords(_ records: [PackRecord]) throws(StorageError) {
    try list.append([records.withUnsafeBytes { Array($0) }])
  }

  /// Removes a segment's files; what is still open can be read to its end.
  static func remove(_ number: UInt32, from folder: StorageFolder) {
    folder.remove(listName(number))
    folder.remove(pixelsName(number))
  }

  // MARK: - Names

  /// The segments that a folder's names tell of, the oldest first.
  static func numbers(in names: [String]) -> [UInt32] {
    names.compactMap { name in
      guard name.hasSuffix(pixelsSuffix), let number = UInt32(name.dropLast(pixelsSuffix.count)) else { return nil }
      return pixelsName(number) == name ? number : nil
    }.sorted()
  }

  /// The names in a folder that belong to no segment: what instances left behind that were killed.
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
