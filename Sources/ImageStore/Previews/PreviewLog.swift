public import ImagePipeline
import Threads

/// The tiny previews of all images ever seen, stored on disk, which a known library shows in its first frame.
///
/// They are stored in one file in the cache folder, shared by all instances of the program. The log is thread-safe, but
/// every call waits for the disk, so do not use it on the render thread.
public final class PreviewLog: Sendable {
  /// The maximum number of previews; above it, the oldest quarter is removed at the next load.
  static let maximumPreviews = 1 << 20
  /// The name of the file.
  static let fileName = "previews-1.log"

  private static let format = RecordFormat(kind: 0x5645_5250, layout: 1)  // "PREV"
  private static let recordsInBatch = 16_384
  /// The number of records below which the file is not rewritten.
  private static let compactionThreshold = 4_096

  private let log: RecordLog
  private let maximumPreviews: Int

  /// Opens the previews, or creates them.
  ///
  /// - Parameter directory: The bytes of the cache folder's path; the folder is created if it is missing.
  /// - Throws: ``StorageError`` if the folder or the file is inaccessible. A file of another format is no error: it is
  ///   renamed.
  public static func open(directory: [UInt8]) throws(StorageError) -> PreviewLog {
    try PreviewLog(in: try StorageFolder(directory))
  }

  /// Opens the previews in an open folder.
  init(in folder: StorageFolder, maximumPreviews: Int = PreviewLog.maximumPreviews) throws(StorageError) {
    log = try RecordLog(PreviewLog.fileName, in: folder, format: PreviewLog.format)
    self.maximumPreviews = maximumPreviews
  }

  /// Whether previews can be added; false if the disk or the folder is read-only.
  public var isWritable: Bool { log.isWritable }

  /// Loads all previews; the last one counts if a file has several.
  ///
  /// If more than half of the records are obsolete, the file is rewritten without them.
  ///
  /// - Throws: ``StorageError`` if the file cannot be read. A failure to rewrite the file is no error, as the old one
  ///   still exists.
  public func load() throws(StorageError) -> PreviewTable {
    var table = PreviewTable()
    table.reserveCapacity(min(try log.byteCount() / MemoryLayout<PreviewRecord>.stride, maximumPreviews))
    var found = 0
    try log.readAll { payload in
      for record in PreviewLog.records(in: payload) { table.insert(record) }
      found += payload.count / MemoryLayout<PreviewRecord>.stride
      if table.count > maximumPreviews { table.removeAll(exceptLast: maximumPreviews / 4 * 3) }
    }
    if found > PreviewLog.compactionThreshold, found > table.count * 2 || found > maximumPreviews {
      try? compact(table)
    }
    return table
  }

  /// Returns the previews that other instances have added since the last read.
  public func readNewRecords() throws(StorageError) -> [PreviewRecord] {
    var records: [PreviewRecord] = []
    try log.readNewRecords { records.append(contentsOf: PreviewLog.records(in: $0)) }
    return records
  }

  /// Appends previews.
  ///
  /// Each call is one write, so pass some hundred previews at a time.
  ///
  /// - Throws: ``StorageError`` if the disk is full or read-only; existing previews remain.
  public func append(_ records: [PreviewRecord]) throws(StorageError) {
    guard !records.isEmpty else { return }
    try log.append(PreviewLog.payloads(of: records))
  }

  private func compact(_ table: PreviewTable) throws(StorageError) {
    try log.replace { others in PreviewLog.payloads(of: Array(table.records)) + others }
  }

  private static func payloads(of records: [PreviewRecord]) -> [[UInt8]] {
    stride(from: 0, to: records.count, by: recordsInBatch).map { start in
      records[start..<min(start + recordsInBatch, records.count)].withUnsafeBytes { Array($0) }
    }
  }

  private static func records(in payload: UnsafeRawBufferPointer) -> [PreviewRecord] {
    let size = MemoryLayout<PreviewRecord>.stride
    return (0..<payload.count / size).map {
      payload.loadUnaligned(fromByteOffset: $0 * size, as: PreviewRecord.self)
    }
  }
}

/// A table of previews by file, which takes 56 to 64 bytes per preview.
public struct PreviewTable: Sendable {
  private var table = FingerprintTable<PreviewPayload>()

  /// Creates an empty table.
  public init() {}

  /// The number of previews.
  public var count: Int { table.count }

  /// The memory allocated by the table, in bytes.
  public var byteCount: Int { table.byteCount }

  /// Returns the preview of a file.
  /// - Complexity: O(1) on average.
  public subscript(file: FileFingerprint) -> PreviewPayload? { table[file] }

  /// Inserts a preview, replacing the file's earlier one.
  ///
  /// - Returns: Whether the preview is new or changed, and therefore worth storing.
  /// - Complexity: O(1) on average, amortised.
  @discardableResult
  public mutating func insert(_ record: PreviewRecord) -> Bool {
    guard table[record.file] != record.preview else { return false }
    table.insert(record.preview, for: record.file)
    return true
  }

  /// Allocates memory for the given number of previews.
  mutating func reserveCapacity(_ count: Int) { table.reserveCapacity(count) }

  /// Removes all but the given number of last previews.
  mutating func removeAll(exceptLast count: Int) {
    var remaining = PreviewTable()
    for record in records.suffix(count) { remaining.insert(record) }
    self = remaining
  }

  /// The previews, in the order in which their files were inserted.
  var records: some Collection<PreviewRecord> {
    table.entries.lazy.map { PreviewRecord(file: $0.key, preview: $0.value) }
  }
}

/// A tiny preview and the file that it belongs to.
public struct PreviewRecord: Hashable, Sendable, BitwiseCopyable {
  /// The fingerprint of the file.
  public var file: FileFingerprint
  /// The preview.
  public var preview: PreviewPayload

  /// Creates a record.
  public init(file: FileFingerprint, preview: PreviewPayload) {
    self.file = file
    self.preview = preview
  }
}
