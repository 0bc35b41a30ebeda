/// The items of one section, in order: leaves of up to 512 handles in blocks of up to 128 leaves.
///
/// Each of the three levels is copied on write separately. An edit after a copy copies one leaf, the leaf list of its
/// block and the block list.
struct HandleList: Sendable {
  /// The location of an item: the index of the block, of the leaf in the block and of the slot in the leaf.
  struct Path {
    var block: Int
    var leaf: Int
    var slot: Int
  }

  var blocks: ContiguousArray<HandleBlock> = []
  var count = 0

  /// Returns whether two lists share their storage, and therefore have the same items.
  func isSame(as other: HandleList) -> Bool {
    blocks.withUnsafeBufferPointer { mine in
      other.blocks.withUnsafeBufferPointer { theirs in
        mine.count == theirs.count && mine.baseAddress == theirs.baseAddress
      }
    }
  }

  /// The handle at an index.
  ///
  /// - Complexity: O(n / 2^16 + 128).
  subscript(index: Int) -> Handle {
    let path = path(to: index)
    return blocks[path.block].leaves[path.leaf][path.slot]
  }

  /// Returns the path to a valid index.
  ///
  /// - Complexity: O(n / 2^16 + 128).
  func path(to index: Int) -> Path {
    var rest = index
    var block = 0
    while rest >= blocks[block].count {
      rest -= blocks[block].count
      block += 1
    }
    var leaf = 0
    while rest >= blocks[block].leaves[leaf].count {
      rest -= blocks[block].leaves[leaf].count
      leaf += 1
    }
    return Path(block: block, leaf: leaf, slot: rest)
  }

  /// Returns the path and the index of an item whose leaf is known, or nil if it is not found.
  ///
  /// - Complexity: O(n / 2^16 + 128 + 512), for searching the keys of blocks and leaves and the handle.
  func path(to handle: Handle, inLeaf leaf: Int32, ofBlock block: Int32) -> (path: Path, index: Int)? {
    var index = 0
    for (position, candidate) in blocks.enumerated() {
      guard candidate.key == block else {
        index += candidate.count
        continue
      }
      for (number, candidate) in candidate.leaves.enumerated() {
        guard candidate.key == leaf else {
          index += candidate.count
          continue
        }
        return candidate.slot(of: handle).map {
          (Path(block: position, leaf: number, slot: $0), index + $0)
        }
      }
    }
    return nil
  }

  /// Calls a closure with the handles of a valid range, in order, one leaf at a time.
  ///
  /// - Complexity: O(k + n / 2^16 + 128) for k items.
  @inline(__always)
  func forEachRun(in range: Range<Int>, _ body: (UnsafeBufferPointer<Handle>.SubSequence) -> Void) {
    guard !range.isEmpty else { return }
    var path = path(to: range.lowerBound)
    var rest = range.count
    while rest > 0 {
      let leaf = blocks[path.block].leaves[path.leaf]
      let end = Swift.min(leaf.count, path.slot + rest)
      leaf.withHandles(in: path.slot..<end, body)
      rest -= end - path.slot
      path.slot = 0
      path.leaf += 1
      if path.leaf == blocks[path.block].leaves.count { path = Path(block: path.block + 1, leaf: 0, slot: 0) }
    }
  }

  /// All handles, in order.
  ///
  /// - Complexity: O(n).
  var handles: ContiguousArray<Handle> {
    var all = ContiguousArray<Handle>()
    all.reserveCapacity(count)
    for block in blocks { for leaf in block.leaves { all.append(contentsOf: leaf.handles) } }
    return all
  }
}

/// A block of up to 128 consecutive leaves of a section.
struct HandleBlock: Sendable {
  /// The maximum number of leaves in a block.
  static let capacity = 128
  /// The maximum number of leaves in each part of a block that is split.
  static let pieceSize = 96

  /// The key of the block in its snapshot, which copies keep.
  let key: Int32
  var leaves: ContiguousArray<HandleLeaf>
  /// The number of items in all leaves.
  var count: Int

  /// Returns whether two blocks share their storage, and therefore have the same items.
  func isSame(as other: HandleBlock) -> Bool {
    leaves.withUnsafeBufferPointer { mine in
      other.leaves.withUnsafeBufferPointer { theirs in
        mine.count == theirs.count && mine.baseAddress == theirs.baseAddress
      }
    }
  }
}

/// A leaf of up to 512 consecutive items of a section.
///
/// Copies share the storage of their handles until one of them is changed, so shared storage implies the same items. A
/// leaf of a snapshot that was filled in one call has consecutive handles, which follow from its key, and needs no storage
/// until it is changed.
struct HandleLeaf: Sendable {
  /// The maximum number of items in a leaf.
  static let capacity = 1 << LeafKeyMap.pageBits
  /// The maximum number of items in each part of a leaf that is split, which leaves room for insertions.
  static let pieceSize = 384

  /// The key of the leaf in its snapshot, which copies keep.
  let key: Int32
  /// The number of consecutive handles that stand for the items, or 0 if the items are stored.
  private var consecutiveCount: Int32 = 0
  private var stored: ContiguousArray<Handle>

  /// Creates a leaf of stored handles.
  init(key: Int32, handles: ContiguousArray<Handle>) {
    self.key = key
    stored = handles
  }

  /// Creates a leaf of as many consecutive handles, from the key's multiple of ``capacity`` on.
  init(key: Int32, consecutiveCount: Int) {
    self.key = key
    self.consecutiveCount = Int32(truncatingIfNeeded: consecutiveCount)
    stored = []
  }

  /// The number of items.
  var count: Int { consecutiveCount > 0 ? Int(consecutiveCount) : stored.count }

  /// The handles of the items, in order.
  ///
  /// - Complexity: O(1) if they are stored, otherwise O(n). They are stored by the first change.
  var handles: ContiguousArray<Handle> {
    @inline(__always) get { consecutiveCount > 0 ? handles(in: 0..<count) : stored }
    @inline(__always) _modify {
      if consecutiveCount > 0 { store() }
      yield &stored
    }
  }

  /// The handle of an item.
  ///
  /// - Complexity: O(1).
  subscript(slot: Int) -> Handle { consecutiveCount > 0 ? firstConsecutive + Handle(slot) : stored[slot] }

  /// Returns the position of an item, or nil if it is in another leaf.
  ///
  /// - Complexity: O(1) for consecutive handles, otherwise O(n).
  func slot(of handle: Handle) -> Int? {
    guard consecutiveCount > 0 else { return stored.firstIndex(of: handle) }
    return handle >= firstConsecutive && handle < firstConsecutive + consecutiveCount
      ? Int(handle - firstConsecutive) : nil
  }

  /// Calls a closure with the handles of a valid range, in order.
  @inline(__always)
  func withHandles(in range: Range<Int>, _ body: (UnsafeBufferPointer<Handle>.SubSequence) -> Void) {
    guard consecutiveCount > 0 else { return stored.withUnsafeBufferPointer { body($0[range]) } }
    handles(in: range).withUnsafeBufferPointer { body($0[...]) }
  }

  /// Returns whether two leaves have the same items because of how they are stored.
  ///
  /// - Parameter commonHandleCount: The number of handles, starting at 0, that have the same meaning in both snapshots.
  func isSame(as other: HandleLeaf, commonHandleCount: Int) -> Bool {
    if consecutiveCount > 0 {
      return consecutiveCount == other.consecutiveCount && key == other.key
        && Int(firstConsecutive + consecutiveCount) <= commonHandleCount
    }
    return other.consecutiveCount == 0
      && stored.withUnsafeBufferPointer { mine in
        other.stored.withUnsafeBufferPointer { theirs in
          mine.count == theirs.count && mine.baseAddress == theirs.baseAddress
        }
      }
  }

  private var firstConsecutive: Handle { key << Int32(LeafKeyMap.pageBits) }

  @inline(never)
  private func handles(in range: Range<Int>) -> ContiguousArray<Handle> {
    let first = firstConsecutive + Handle(range.lowerBound)
    return ContiguousArray(unsafeUninitializedCapacity: range.count) { handles, initialized in
      for offset in 0..<range.count { handles.initializeElement(at: offset, to: first + Handle(offset)) }
      initialized = range.count
    }
  }

  @inline(never)
  private mutating func store() {
    stored = handles(in: 0..<count)
    consecutiveCount = 0
  }
}

/// The number of an identifier in the interner of a snapshot, in the order of first appearance, starting at 0.
///
/// All code except the interner uses these numbers. They are small, their comparison calls no client code, and they
/// index arrays.
typealias Handle = Int32

/// A slice of an array of handles.
typealias HandleSlice = ContiguousArray<Handle>.SubSequence
