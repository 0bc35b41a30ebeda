/// What the pack holds and what has to leave it: decides, and touches no disk.
///
/// Thumbnails stand in segments, which are filled one after the other and leave as a whole, the oldest first. So that what
/// is looked at stays, a thumbnail that is read from about the oldest quarter of a full pack is written again at its end:
/// one is lost only after a quarter of the pack was written since it was last looked at. And as no more is written again
/// than is written new, and a segment, that costs at most as much writing again.
struct PackIndex: Sendable {
  /// A part of the pack that leaves as a whole.
  struct Segment: Hashable, Sendable {
    /// Its number: the higher, the newer.
    var number: UInt32
    /// The bytes of its pixels and its list.
    var byteCount: Int
  }

  /// What a thumbnail takes in a segment's list.
  static let listBytes = RecordFormat.recordBytes(payload: MemoryLayout<PackRecord>.stride)

  /// The bytes that the pack may take.
  let byteLimit: Int
  /// The bytes that a segment may take.
  let segmentLimit: Int
  /// The segments, the oldest first.
  private(set) var segments: [Segment] = []
  private var table = FingerprintTable<PackEntry>()
  /// How many bytes may be written again now.
  private var rewriteAllowance: Int

  /// An empty pack.
  init(byteLimit: Int, segmentLimit: Int) {
    self.byteLimit = byteLimit
    self.segmentLimit = segmentLimit
    rewriteAllowance = segmentLimit
  }

  /// The thumbnails in it.
  var count: Int { table.count }
  /// The bytes of all segments.
  var byteCount: Int { segments.reduce(0) { $0 + $1.byteCount } }
  /// The number after that of the newest segment.
  var nextNumber: UInt32 { segments.last.map { $0.number &+ 1 } ?? 1 }
  /// The most bytes of pixels that one thumbnail may have.
  var maximumPixelBytes: Int { segmentLimit / 8 }

  /// Where a thumbnail is.
  subscript(key: FileFingerprint) -> PackEntry? { table[key] }

  /// The bytes of a segment; nothing where it is not there.
  func byteCount(of number: UInt32) -> Int? { segments.first { $0.number == number }?.byteCount }

  /// Where the pixels end that are listed in a segment.
  /// - Complexity: O(count).
  func end(of number: UInt32) -> Int {
    table.entries.reduce(0) { $1.value.segment == number ? max($0, $1.value.end) : $0 }
  }

  /// A segment has been found or begun, or has grown.
  mutating func recordSegment(_ segment: Segment) {
    let place = segments.firstIndex { $0.number >= segment.number } ?? segments.count
    if place < segments.count, segments[place].number == segment.number {
      segments[place] = segment
    } else {
      segments.insert(segment, at: place)
    }
  }

  /// Thumbnails are in a segment that is there; of several of one name the one in the newest segment holds.
  mutating func insertRecords(_ records: some Sequence<PackRecord>) {
    for record in records {
      if let known = table[record.key], known.segment > record.entry.segment { continue }
      table.insert(record.entry, for: record.key)
    }
  }

  /// Takes the memory for so many thumbnails at once.
  mutating func reserveCapacity(_ count: Int) { table.reserveCapacity(count) }

  /// A thumbnail turned out not to be what was written.
  mutating func removeThumbnail(_ key: FileFingerprint) { table.removeAll { $0.key == key } }

  /// Segments are gone.
  mutating func removeSegments(_ numbers: Set<UInt32>) {
    guard !numbers.isEmpty else { return }
    segments.removeAll { numbers.contains($0.number) }
    table.removeAll { numbers.contains($0.value.segment) }
  }

  /// The segments that have to leave before the pack may grow by so many bytes, the oldest first.
  func segmentsToEvict(forBytes bytes: Int) -> [UInt32] {
    var left = byteCount
    var doomed: [UInt32] = []
    for segment in segments where left + bytes > byteLimit {
      doomed.append(segment.number)
      left -= segment.byteCount
    }
    return doomed
  }

  /// Whether a thumbnail that is looked at now is to be written again, as its segment is about to leave.
  ///
  /// To ask is to have it written: it counts.
  mutating func claimRewrite(of entry: PackEntry) -> Bool {
    // Full is what loses something with the segment after this one.
    guard byteCount + 2 * segmentLimit > byteLimit, entry.byteCount <= rewriteAllowance else { return false }
    var newer = 0
    for segment in segments where segment.number > entry.segment { newer += segment.byteCount }
    guard newer >= byteLimit / 4 * 3 - 2 * segmentLimit else { return false }
    rewriteAllowance -= entry.byteCount
    return true
  }

  /// So many bytes of new thumbnails were written.
  mutating func recordWrite(_ bytes: Int) { rewriteAllowance = min(byteLimit, rewriteAllowance + bytes) }
}
