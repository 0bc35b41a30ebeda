/// The identifiers of one section in order, in chunks of up to 512.
///
/// Chunks are copied when they are written to, each for itself: an edit of a copy dirties one or two of them and the
/// list of chunks, and two copies can be compared chunk by chunk. Every chunk has a key that is unique in its snapshot.
struct ChunkedItems<ID: Hashable & Sendable>: Sendable {
  typealias Chunk = ContiguousArray<ID>

  /// The most items in a chunk.
  static var capacity: Int { 512 }
  /// How many items pieces get when a chunk must be cut: room for edits to come.
  static var pieceSize: Int { 384 }

  private(set) var chunks: ContiguousArray<Chunk> = []
  private(set) var keys: ContiguousArray<Int32> = []
  private(set) var starts: ContiguousArray<Int> = []
  private(set) var count = 0

  /// The item at an index.
  ///
  /// - Complexity: O(log n).
  subscript(index: Int) -> ID {
    let chunk = chunk(at: index)
    return chunks[chunk][index - starts[chunk]]
  }

  /// The position of the chunk that holds an index.
  func chunk(at index: Int) -> Int {
    var low = 0
    var high = chunks.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= index { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The index of an item whose place is known.
  ///
  /// - Complexity: O(n / 512): the chunk's key is looked for among the keys.
  func index(of id: ID, at place: ItemPlace) -> Int? {
    guard let chunk = keys.firstIndex(of: place.chunk) else { return nil }
    return slot(of: id, inChunk: chunk, near: Int(place.slot)).map { starts[chunk] + $0 }
  }

  /// The slot of an item in a chunk, looked for outwards from a hint.
  func slot(of id: ID, inChunk position: Int, near hint: Int) -> Int? {
    let chunk = chunks[position]
    let middle = min(max(0, hint), chunk.count - 1)
    for distance in 0..<chunk.count {
      if middle - distance >= 0, chunk[middle - distance] == id { return middle - distance }
      if middle + distance < chunk.count, chunk[middle + distance] == id { return middle + distance }
    }
    return nil
  }

  /// Calls a body with each item of a range in order.
  ///
  /// - Complexity: O(k + log n) for k items.
  func forEach(in range: Range<Int>, _ body: (Int, ID) -> Void) {
    guard !range.isEmpty else { return }
    var position = chunk(at: range.lowerBound)
    var index = range.lowerBound
    while index < range.upperBound {
      let chunk = chunks[position]
      let end = min(range.upperBound - starts[position], chunk.count)
      for slot in (index - starts[position])..<end { body(starts[position] + slot, chunk[slot]) }
      index = starts[position] + end
      position += 1
    }
  }

  /// Adds items at the end and returns where they came to stand.
  ///
  /// - Complexity: O(k) amortised, but for one copy of the last chunk and of the list of chunks after a copy.
  mutating func append(_ ids: [ID], owner: Int32, in ledger: inout ChunkLedger) -> [PlacedRun] {
    var runs: [PlacedRun] = []
    var next = 0
    while next < ids.count {
      if chunks.last.map({ $0.count >= ChunkedItems.capacity }) ?? true {
        insertChunk([], at: chunks.count, owner: owner, in: &ledger)
      }
      let last = chunks.count - 1
      let slot = chunks[last].count
      let end = min(ids.count, next + ChunkedItems.capacity - slot)
      chunks[last].append(contentsOf: ids[next..<end])
      runs.append(PlacedRun(chunk: last, slots: slot..<chunks[last].count))
      count += end - next
      next = end
    }
    return runs
  }

  /// Adds items before an index and returns which items came to stand elsewhere.
  ///
  /// - Complexity: O(k + n / 512).
  mutating func insert(
    _ ids: [ID], at index: Int, owner: Int32, in ledger: inout ChunkLedger
  ) -> [PlacedRun] {
    guard !ids.isEmpty, index < count else { return append(ids, owner: owner, in: &ledger) }
    let position = chunk(at: index)
    let slot = index - starts[position]
    var runs = [PlacedRun(chunk: position, slots: slot..<(slot + ids.count))]
    chunks[position].insert(contentsOf: ids, at: slot)
    let total = chunks[position].count
    if total > ChunkedItems.capacity {
      let whole = chunks[position]
      let pieces = (total + ChunkedItems.pieceSize - 1) / ChunkedItems.pieceSize
      chunks[position] = Chunk(whole[..<(total / pieces)])
      runs = [PlacedRun(chunk: position, slots: 0..<chunks[position].count)]
      for piece in 1..<pieces {
        let items = Chunk(whole[(total * piece / pieces)..<(total * (piece + 1) / pieces)])
        insertChunk(items, at: position + piece, owner: owner, in: &ledger)
        runs.append(PlacedRun(chunk: position + piece, slots: 0..<items.count))
      }
    }
    recount(from: position)
    return runs
  }

  /// Removes items that are known by their chunks' keys and returns which items came to stand in another chunk.
  ///
  /// - Complexity: O(k + n / 512), and up to 512 moves for each chunk that loses items.
  mutating func remove(_ doomed: [Int32: [(id: ID, hint: Int)]], in ledger: inout ChunkLedger) -> [PlacedRun] {
    var kept = ChunkedItems()
    var runs: [PlacedRun] = []
    for position in chunks.indices {
      let key = keys[position]
      guard let losses = doomed[key] else {
        kept.chunks.append(chunks[position])
        kept.keys.append(key)
        continue
      }
      let chunk = without(losses, position)
      let last = kept.chunks.count - 1
      if chunk.isEmpty {
        ledger.release(key)
      } else if last >= 0, kept.chunks[last].count + chunk.count <= ChunkedItems.pieceSize / 2 {
        let slot = kept.chunks[last].count
        kept.chunks[last].append(contentsOf: chunk)
        runs.append(PlacedRun(chunk: last, slots: slot..<kept.chunks[last].count))
        ledger.release(key)
      } else {
        kept.chunks.append(chunk)
        kept.keys.append(key)
      }
    }
    self = kept
    recount(from: 0)
    return runs
  }

  /// Gives every chunk's key back.
  func release(in ledger: inout ChunkLedger) {
    for key in keys { ledger.release(key) }
  }

  private func without(_ losses: [(id: ID, hint: Int)], _ position: Int) -> Chunk {
    var isLost = [Bool](repeating: false, count: chunks[position].count)
    for loss in losses {
      if let slot = slot(of: loss.id, inChunk: position, near: loss.hint) { isLost[slot] = true }
    }
    var rest = Chunk()
    for slot in isLost.indices where !isLost[slot] { rest.append(chunks[position][slot]) }
    return rest
  }

  private mutating func insertChunk(_ items: Chunk, at position: Int, owner: Int32, in ledger: inout ChunkLedger) {
    chunks.insert(items, at: position)
    keys.insert(ledger.makeKey(ownedBy: owner), at: position)
    starts.insert(position == chunks.count - 1 ? count : 0, at: position)
  }

  /// Counts anew from a chunk on.
  private mutating func recount(from position: Int) {
    starts.removeSubrange(min(position, starts.count)...)
    var start = position == 0 ? 0 : starts[position - 1] + chunks[position - 1].count
    for chunk in position..<chunks.count {
      starts.append(start)
      start += chunks[chunk].count
    }
    count = start
  }
}
