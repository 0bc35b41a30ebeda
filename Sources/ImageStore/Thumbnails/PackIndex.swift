import ImagePipeline

/// The index of a pack: decides what is stored and evicted, without accessing the disk.
///
/// Thumbnails are stored in segments, which are filled one after another and evicted as a whole, oldest first. To
/// retain what is in use, a thumbnail that is read from about the oldest quarter of a full pack is written again at its
/// end. So a thumbnail is lost only after a quarter of the pack was written since its last use. Rewrites are limited to
/// the bytes of new thumbnails plus one segment, so they at most double the writes.
struct PackIndex: Sendable {
  /// A part of the pack that is evicted as a whole.
  struct Segment: Hashable, Sendable {
    /// The number; higher numbers are newer.
    var number: UInt32
    /// The size of its pixels and its list, in bytes.
    var byteCount: Int
  }

  /// The size of a thumbnail's record in a segment's list, in bytes.
  static let listBytes = RecordFormat.recordBytes(payload: MemoryLayout<PackRecord>.stride)

  /// The maximum size of the pack in bytes.
  let byteLimit: Int
  /// The maximum size of a segment in bytes.
  let segmentLimit: Int
  /// The segments, oldest first.
  private(set) var segments: [Segment] = []
  private var table = FingerprintTable<PackEntry>()
  /// The number of bytes that may be rewritten now.
  private var rewriteAllowance: Int

  /// Creates an empty index.
  init(byteLimit: Int, segmentLimit: Int) {
    self.byteLimit = byteLimit
    self.segmentLimit = segmentLimit
    rewriteAllowance = segmentLimit
  }

  /// The number of thumbnails.
  var count: Int { table.count }
  /// The size of all segments in bytes.
  var byteCount: Int { segments.reduce(0) { $0 + $1.byteCount } }
  /// The number of the next segment.
  var nextNumber: UInt32 { segments.last.map { $0.number &+ 1 } ?? 1 }
  /// The maximum size of one thumbnail's pixels in bytes.
  var maximumPixelBytes: Int { segmentLimit / 8 }

  /// Returns the location of a thumbnail.
  subscript(key: FileFingerprint) -> PackEntry? { table[key] }

  /// Returns the size of a segment in bytes, or nil if it does not exist.
  func byteCount(of number: UInt32) -> Int? { segments.first { $0.number == number }?.byteCount }

  /// Returns the end of the pixels that are listed in a segment.
  /// - Complexity: O(count).
  func end(of number: UInt32) -> Int {
    table.entries.reduce(0) { $1.value.segment == number ? max($0, $1.value.end) : $0 }
  }

  /// Records the size of a segment, adding it if it is new.
  mutating func recordSegment(_ segment: Segment) {
    let index = segments.firstIndex { $0.number >= segment.number } ?? segments.count
    if index < segments.count, segments[index].number == segment.number {
      segments[index] = segment
    } else {
      segments.insert(segment, at: index)
    }
  }

  /// Inserts thumbnails of existing segments.
  ///
  /// For duplicate names, the newest segment wins.
  mutating func insertRecords(_ records: some Sequence<PackRecord>) {
    for record in records {
      if let known = table[record.key], known.segment > record.entry.segment { continue }
      table.insert(record.entry, for: record.key)
    }
  }

  /// Allocates memory for the given number of thumbnails.
  mutating func reserveCapacity(_ count: Int) { table.reserveCapacity(count) }

  /// Removes a damaged thumbnail.
  mutating func removeThumbnail(_ key: FileFingerprint) { table.removeAll { $0.key == key } }

  /// Removes segments.
  mutating func removeSegments(_ numbers: Set<UInt32>) {
    guard !numbers.isEmpty else { return }
    segments.removeAll { numbers.contains($0.number) }
    table.removeAll { numbers.contains($0.value.segment) }
  }

  /// Returns the segments to evict before the pack may grow by the given bytes, oldest first.
  func segmentsToEvict(forBytes bytes: Int) -> [UInt32] {
    var remainingBytes = byteCount
    var evicted: [UInt32] = []
    for segment in segments where remainingBytes + bytes > byteLimit {
      evicted.append(segment.number)
      remainingBytes -= segment.byteCount
    }
    return evicted
  }

  /// Returns whether a thumbnail that is in use should be rewritten, as its segment is about to be evicted.
  ///
  /// The caller must rewrite it: its bytes are deducted from the allowance.
  mutating func claimRewrite(of entry: PackEntry) -> Bool {
    // The pack is full if it evicts a segment after this one is complete.
    guard byteCount + 2 * segmentLimit > byteLimit, entry.byteCount <= rewriteAllowance else { return false }
    var newerBytes = 0
    for segment in segments where segment.number > entry.segment { newerBytes += segment.byteCount }
    guard newerBytes >= byteLimit / 4 * 3 - 2 * segmentLimit else { return false }
    rewriteAllowance -= entry.byteCount
    return true
  }

  /// Records the size of newly written thumbnails.
  mutating func recordWrite(_ bytes: Int) { rewriteAllowance = min(byteLimit, rewriteAllowance + bytes) }
}
