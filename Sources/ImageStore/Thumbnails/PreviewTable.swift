public import VitrineImagePipeline

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
}

/// A tiny preview and the file that it belongs to.
public struct PreviewRecord: Hashable, Sendable, BitwiseCopyable {
  /// The fingerprint of the file.
  public var file: FileFingerprint
  /// The preview.
  public var preview: PreviewPayload
  /// The stored form of the origin of the pixels that the preview was made of.
  private var origin: UInt64

  /// The origin of pixels that were made by a decoder of the client, which no fix of this package concerns.
  private static let clientOrigin = UInt64.max

  /// Creates a record of pixels that were made by a decoder of the client.
  public init(file: FileFingerprint, preview: PreviewPayload) {
    self.init(file: file, preview: preview, origin: nil)
  }

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - file: The fingerprint of the file.
  ///   - preview: The preview.
  ///   - origin: The decoders that made the pixels; nil for a decoder of the client.
  package init(file: FileFingerprint, preview: PreviewPayload, origin: DecoderOrigin?) {
    self.file = file
    self.preview = preview
    self.origin = origin?.packed ?? PreviewRecord.clientOrigin
  }

  /// Returns whether the preview may be shown.
  func isAccepted(by fixes: SecurityFixes) -> Bool {
    origin == PreviewRecord.clientOrigin || fixes.accepts(DecoderOrigin(packed: origin))
  }
}

/// A compact dictionary of trivial values by fingerprint, which preserves the order of insertion.
///
/// Uses open addressing with linear probing and the fingerprint's own bits as the hash. In addition to its own bytes,
/// an entry takes at most 8 bytes for its slot, and an eighth more while the table grows.
private struct FingerprintTable<Value: BitwiseCopyable & Sendable>: Sendable {
  /// A value and its key.
  struct Entry: BitwiseCopyable, Sendable {
    var key: FileFingerprint
    var value: Value
  }

  /// The entries, in the order in which their keys were inserted.
  private var entries = ContiguousArray<Entry>()
  /// The index of each slot's entry plus one; 0 for an empty slot.
  private var slots = ContiguousArray<UInt32>(repeating: 0, count: 16)

  /// Creates an empty table.
  init() {}

  /// The number of entries.
  var count: Int { entries.count }

  /// The memory allocated by the table, in bytes.
  var byteCount: Int { entries.capacity * MemoryLayout<Entry>.stride + slots.count * MemoryLayout<UInt32>.stride }

  /// Allocates memory for the given number of entries.
  mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
    if slots.count * 3 / 4 < count { rebuild(slotCount: count + count / 2) }
  }

  /// Returns the value of a key.
  /// - Complexity: O(1) on average.
  subscript(key: FileFingerprint) -> Value? {
    let position = slots[slot(of: key)]
    return position == 0 ? nil : entries[Int(position) - 1].value
  }

  /// Inserts a value, replacing the key's earlier one.
  /// - Complexity: O(1) on average, amortised.
  mutating func insert(_ value: Value, for key: FileFingerprint) {
    let slot = slot(of: key)
    guard slots[slot] == 0 else {
      entries[Int(slots[slot]) - 1].value = value
      return
    }
    if entries.count == entries.capacity { entries.reserveCapacity(entries.count + entries.count / 8 + 64) }
    entries.append(Entry(key: key, value: value))
    slots[slot] = UInt32(entries.count)
    if entries.count > slots.count * 3 / 4 { rebuild(slotCount: slots.count + slots.count / 4 + 16) }
  }

  /// Returns the slot of a key, or the empty slot to insert it into.
  private func slot(of key: FileFingerprint) -> Int {
    var slot = Int(key.low.multipliedFullWidth(by: UInt64(slots.count)).high)
    while slots[slot] != 0, entries[Int(slots[slot]) - 1].key != key {
      slot = slot + 1 == slots.count ? 0 : slot + 1
    }
    return slot
  }

  private mutating func rebuild(slotCount count: Int) {
    slots = ContiguousArray(repeating: 0, count: max(16, count))
    for (index, entry) in entries.enumerated() {
      var slot = Int(entry.key.low.multipliedFullWidth(by: UInt64(slots.count)).high)
      while slots[slot] != 0 { slot = slot + 1 == slots.count ? 0 : slot + 1 }
      slots[slot] = UInt32(index + 1)
    }
  }
}
