/// The small previews that are known, by file: 56 bytes each, at most 64.
public struct PreviewTable: Sendable {
  private var table = FingerprintTable<PreviewPayload>()

  /// No previews.
  public init() {}

  /// How many there are.
  public var count: Int { table.count }

  /// The bytes of memory that they have taken.
  public var byteCount: Int { table.byteCount }

  /// The preview of a file.
  /// - Complexity: O(1) on average.
  public subscript(file: FileFingerprint) -> PreviewPayload? { table[file] }

  /// Puts a preview in, in place of the file's earlier one.
  ///
  /// - Returns: whether that is news, and so worth keeping on disk.
  /// - Complexity: O(1) on average, amortised.
  @discardableResult
  public mutating func insert(_ record: PreviewRecord) -> Bool {
    guard table[record.file] != record.preview else { return false }
    table.insert(record.preview, for: record.file)
    return true
  }

  /// Takes the memory for so many at once.
  mutating func reserveCapacity(_ count: Int) { table.reserveCapacity(count) }

  /// Lets all go but the last so many.
  mutating func keepLast(_ count: Int) {
    var rest = PreviewTable()
    for record in records.suffix(count) { rest.insert(record) }
    self = rest
  }

  /// The previews in the order in which their files were first seen.
  var records: some Collection<PreviewRecord> {
    table.entries.lazy.map { PreviewRecord(file: $0.key, preview: $0.value) }
  }
}
