import Threads

/// The small previews of all pictures that were ever seen, on disk: what a known library shows in its first frame.
///
/// One file in the cache folder, shared by all instances of the program. Safe from any thread but not for the one that
/// draws: every call waits for the disk.
public final class PreviewLog: Sendable {
  /// The most previews that are kept: with more, the oldest quarter is let go at the next loading.
  static let maximumPreviews = 1 << 20
  /// The file's name.
  static let fileName = "previews-1.log"

  private static let format = RecordFormat(kind: 0x5645_5250, layout: 1)  // "PREV"
  private static let recordsInBatch = 16_384
  /// What is not worth the writing of a new file.
  private static let compactionThreshold = 4_096

  private let log: RecordLog
  private let maximumPreviews: Int

  /// Opens the previews, or begins them.
  ///
  /// - Parameter directory: the bytes of our cache folder's path; it is made where it is missing.
  /// - Throws: ``StorageError`` where the folder or the file cannot be had. A file that cannot be understood is none: it is
  ///   set aside.
  public static func open(directory: [UInt8]) throws(StorageError) -> PreviewLog {
    try PreviewLog(in: try StorageFolder(directory))
  }

  /// Opens the previews in a folder that is open.
  init(in folder: StorageFolder, mostPreviews: Int = PreviewLog.maximumPreviews) throws(StorageError) {
    log = try RecordLog(PreviewLog.fileName, in: folder, format: PreviewLog.format)
    self.maximumPreviews = mostPreviews
  }

  /// Whether previews may be added; not where the disk or the folder is read-only.
  public var isWritable: Bool { log.isWritable }

  /// Reads all previews; of several of one file the one that was added last.
  ///
  /// Where more than half of what is on disk is no longer of use, it is written anew without that.
  ///
  /// - Throws: ``StorageError`` where the file cannot be read. That the new file cannot be written is no error: the old one
  ///   is there.
  public func load() throws(StorageError) -> PreviewTable {
    var table = PreviewTable()
    table.reserveCapacity(min(try log.byteCount() / MemoryLayout<PreviewRecord>.stride, maximumPreviews))
    var found = 0
    try log.readAll { payload in
      for record in PreviewLog.records(in: payload) { table.insert(record) }
      found += payload.count / MemoryLayout<PreviewRecord>.stride
      if table.count > maximumPreviews { table.keepLast(maximumPreviews / 4 * 3) }
    }
    if found > PreviewLog.compactionThreshold, found > table.count * 2 || found > maximumPreviews {
      try? compact(table)
    }
    return table
  }

  /// Reads the previews that other instances have added since the last reading.
  public func readNewRecords() throws(StorageError) -> [PreviewRecord] {
    var records: [PreviewRecord] = []
    try log.readNewRecords { records.append(contentsOf: PreviewLog.records(in: $0)) }
    return records
  }

  /// Adds previews.
  ///
  /// Best some hundred at a time: each call is one write.
  ///
  /// - Throws: ``StorageError`` where the disk is full, or read-only; what there was stays.
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
