import Glibc
import Rendering
import Threads

/// Thumbnails on disk, as pixels: what was seen once is read again in a fraction of a millisecond.
///
/// A folder of segments. Each is added to by one instance of the program, read by all, and removed as a whole; the
/// ``PackLedger`` says when. Nothing that is written is ever changed, so there is nothing that a killed instance could leave
/// half done but the end of a file, which is cut off. Each thumbnail is checked when it is read.
///
/// Reading is safe from any thread, at the same time. Writing is done by one thread at a time.
final class ThumbnailPack: Sendable {
  /// A thumbnail that was read.
  struct LookupResult {
    /// The thumbnail.
    var picture: StoredThumbnail
    /// Whether it is to be written again, lest it leave.
    var needsRewrite: Bool
  }

  private struct State {
    var index: PackIndex
    var segments: [UInt32: PackSegment] = [:]
  }

  /// The segment that this instance adds to.
  private struct ActiveSegment {
    var segment: PackSegment
    /// Where its pixels end.
    var end: Int
    /// What its list takes, or a little less.
    var listBytes: Int
  }

  private let folder: StorageFolder
  private let pixels: PixelStorage
  private let state: Lock<State>
  private let active: Lock<ActiveSegment?>

  /// Opens the pack in a folder, or begins it.
  ///
  /// - Parameters:
  ///   - folder: where; nothing else is in it.
  ///   - byteLimit: what it may take.
  ///   - segmentBytes: what a segment may take; a thirty-second of the limit unless told, or a fourth of a small one.
  ///   - pixels: how what is read stands in memory.
  init(
    in folder: StorageFolder, byteLimit: Int, segmentBytes: Int? = nil, pixels: PixelStorage = PixelStorage()
  ) throws(StorageError) {
    self.folder = folder
    self.pixels = pixels
    let segmentLimit = segmentBytes ?? max(min(byteLimit / 32, 1 << 30), min(byteLimit / 4, 1 << 20))
    state = Lock(State(index: PackIndex(byteLimit: byteLimit, segmentLimit: segmentLimit)))
    active = Lock(nil)
    let names = try folder.names()
    for name in PackSegment.leftovers(in: names) { folder.remove(name) }
    try readSegments(PackSegment.numbers(in: names))
    try resumeNewestSegment()
  }

  /// The thumbnails that are known.
  var count: Int { state.withLock { $0.index.count } }
  /// The bytes that the pack takes, as far as is known.
  var byteCount: Int { state.withLock { $0.index.byteCount } }

  // MARK: - Reading

  /// Reads a thumbnail.
  ///
  /// - Returns: nothing where there is none, or it is not what was written.
  func picture(for key: FileFingerprint) -> LookupResult? {
    let place: (entry: PackEntry, pixels: StorageFile)? = state.withLock { state in
      guard let entry = state.index[key], let segment = state.segments[entry.segment] else { return nil }
      return (entry, segment.pixels)
    }
    guard let place, let size = place.entry.size else { return nil }
    let entry = place.entry
    let bitmap = try? Bitmap(size: size, isOpaque: true, order: pixels.order, pool: pixels.pool) { memory in
      let packed = UnsafeMutableRawBufferPointer(rebasing: memory[(memory.count - entry.byteCount)...])
      guard try place.pixels.read(from: Int(entry.offset), into: packed) == packed.count,
        PackEntry.digest(UnsafeRawBufferPointer(packed), of: key) == entry.digest
      else { throw StorageError(.read, place.pixels.name, code: EILSEQ) }
      OpaquePixels.unpack(in: memory, to: pixels.order)
    }
    return state.withLock { state in
      guard let bitmap else {
        if state.index[key] == entry { state.index.removeThumbnail(key) }
        return nil
      }
      return LookupResult(
        picture: StoredThumbnail(bitmap: bitmap, sourceSize: entry.sourceSize),
        needsRewrite: state.index.claimRewrite(of: entry))
    }
  }

  /// Whether a thumbnail is there, as far as is known.
  func contains(_ key: FileFingerprint) -> Bool { state.withLock { $0.index[key] != nil } }

  /// Whether a thumbnail of so many pixels is small enough to be kept.
  func canStore(pixels: Int) -> Bool { state.withLock { OpaquePixels.byteCount(pixels) <= $0.index.maximumPixelBytes } }

  // MARK: - Writing

  /// Adds thumbnails; one that is too large is left out.
  ///
  /// - Throws: ``StorageError`` where the disk is full or read-only; what was added before stands.
  func append(_ pictures: [(key: FileFingerprint, picture: StoredThumbnail)]) throws(StorageError) {
    try active.withLock { active throws(StorageError) in
      var records: [PackRecord] = []
      for (key, picture) in pictures {
        let pixels = OpaquePixels.packed(picture.bitmap)
        guard canStore(pixels: pixels.count / 3) else { continue }
        if !hasSpace(for: pixels.count, in: active) {
          try appendRecords(records, in: active)
          records = []
          active = try beginSegment()
        }
        guard let (segment, end) = active.map({ ($0.segment, $0.end) }) else { continue }
        try segment.pixels.write(pixels, at: end)
        let digest = pixels.withUnsafeBytes { PackEntry.digest($0, of: key) }
        records.append(
          PackRecord(
            key: key,
            entry: PackEntry(
              digest: digest, segment: segment.number, offset: end, size: picture.bitmap.size,
              sourceSize: picture.sourceSize)))
        active?.end += pixels.count
        active?.listBytes += PackIndex.listBytes
      }
      try appendRecords(records, in: active)
    }
  }

  private func hasSpace(for bytes: Int, in active: ActiveSegment?) -> Bool {
    guard let active, (try? active.segment.pixels.status().hasName) ?? false else { return false }
    let needed = active.end + bytes + active.listBytes + PackIndex.listBytes
    return state.withLock { needed <= $0.index.segmentLimit }
  }

  private func appendRecords(_ records: [PackRecord], in active: ActiveSegment?) throws(StorageError) {
    guard let segment = active?.segment, !records.isEmpty else { return }
    try segment.appendRecords(records)
    let bytes = try segment.byteCount()
    state.withLock { state in
      state.index.recordSegment(PackIndex.Segment(number: segment.number, byteCount: bytes))
      let new = records.filter { state.index[$0.key] == nil }
      state.index.recordWrite(new.reduce(0) { $0 + $1.entry.byteCount })
      state.index.insertRecords(records)
    }
  }

  /// Lets the oldest segments leave and begins a new one.
  private func beginSegment() throws(StorageError) -> ActiveSegment {
    try readNewRecords()
    removeSegments(state.withLock { $0.index.segmentsToEvict(forBytes: $0.index.segmentLimit) })
    var number = state.withLock { $0.index.nextNumber }
    while true {
      if let segment = try PackSegment.create(number, in: folder) {
        state.withLock { state in
          state.segments[number] = segment
          state.index.recordSegment(PackIndex.Segment(number: number, byteCount: 0))
        }
        return ActiveSegment(segment: segment, end: 0, listBytes: RecordFormat.headerBytes)
      }
      guard number < UInt32.max else { throw StorageError(.open, folder.name, code: EOVERFLOW) }
      number += 1
    }
  }

  private func removeSegments(_ numbers: [UInt32]) {
    for number in numbers { PackSegment.remove(number, from: folder) }
    state.withLock { state in
      state.index.removeSegments(Set(numbers))
      for number in numbers { state.segments[number] = nil }
    }
  }

  // MARK: - Other instances

  /// Takes in what other instances have added and removed; called by who adds, or before anybody does.
  func readNewRecords() throws(StorageError) { try readSegments(PackSegment.numbers(in: try folder.names())) }

  private func readSegments(_ numbers: [UInt32]) throws(StorageError) {
    let known = state.withLock { $0.segments }
    let gone = Set(known.keys).subtracting(numbers)
    state.withLock { state in
      state.index.removeSegments(gone)
      for number in gone { state.segments[number] = nil }
    }
    for number in numbers {
      // One that another instance removes at this moment is none.
      guard let segment = try? known[number] ?? PackSegment.open(number, in: folder),
        let records = try? segment.readNewRecords(), let bytes = try? segment.byteCount()
      else { continue }
      state.withLock { state in
        state.segments[number] = segment
        state.index.recordSegment(PackIndex.Segment(number: number, byteCount: bytes))
        state.index.insertRecords(records)
      }
    }
  }

  /// Goes on with the newest segment, where nobody else does and it has room.
  private func resumeNewestSegment() throws(StorageError) {
    let newest = state.withLock { state -> PackSegment? in
      guard let last = state.index.segments.last, last.byteCount < state.index.segmentLimit / 4 * 3 else {
        return nil
      }
      return state.segments[last.number]
    }
    guard let newest, let records = try? newest.readNewRecords() else { return }
    let end = state.withLock { state in
      state.index.insertRecords(records)
      return state.index.end(of: newest.number)
    }
    guard (try? newest.takeOver(end: end)) ?? false, let bytes = try? newest.byteCount() else { return }
    active.withLock { $0 = ActiveSegment(segment: newest, end: end, listBytes: bytes - end) }
    removeSegments(state.withLock { $0.index.segmentsToEvict(forBytes: $0.index.segmentLimit - bytes) })
  }
}
