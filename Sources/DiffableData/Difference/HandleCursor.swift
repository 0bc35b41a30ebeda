/// A position in a list from which runs of items are read forwards or backwards.
///
/// A run does not extend beyond a leaf.
struct HandleCursor: Sendable {
  private var block: Int
  private var leaf: Int
  /// The number of items of the current leaf that were passed.
  private var passed = 0
  private let isForward: Bool

  /// Creates a cursor at the start of a list, or at the end to read backwards.
  init(_ list: HandleList, isForward: Bool) {
    self.isForward = isForward
    block = isForward ? 0 : list.blocks.count - 1
    leaf = 0
    if !isForward, block >= 0 { leaf = list.blocks[block].leaves.count - 1 }
  }

  /// Returns whether no items are left.
  func isAtEnd(of list: HandleList) -> Bool { block < 0 || block >= list.blocks.count }

  /// Returns the current block, or nil if the cursor has already passed a part of it.
  func wholeBlock(of list: HandleList) -> HandleBlock? {
    let border = isForward ? 0 : list.blocks[block].leaves.count - 1
    return passed == 0 && leaf == border ? list.blocks[block] : nil
  }

  /// Returns the current leaf, or nil if the cursor has already passed a part of it.
  func wholeLeaf(of list: HandleList) -> HandleLeaf? { passed == 0 ? list.blocks[block].leaves[leaf] : nil }

  /// Returns the number of items left in the current leaf.
  func runLength(in list: HandleList) -> Int { list.blocks[block].leaves[leaf].count - passed }

  /// Returns the run of the items left in the current leaf.
  func run(of list: HandleList) -> HandleRun {
    let handles = list.blocks[block].leaves[leaf].handles
    return isForward
      ? HandleRun(handles: handles, first: passed, step: 1)
      : HandleRun(handles: handles, first: handles.count - 1 - passed, step: -1)
  }

  /// Passes a number of items of the current leaf.
  mutating func pass(_ count: Int, of list: HandleList) {
    passed += count
    guard passed == list.blocks[block].leaves[leaf].count else { return }
    passed = 0
    leaf += isForward ? 1 : -1
    if isForward, leaf == list.blocks[block].leaves.count { passBlock(of: list) }
    if !isForward, leaf < 0 { passBlock(of: list) }
  }

  /// Passes the current block.
  mutating func passBlock(of list: HandleList) {
    passed = 0
    block += isForward ? 1 : -1
    leaf = 0
    if !isForward, block >= 0 { leaf = list.blocks[block].leaves.count - 1 }
  }
}

/// A run of handles from a position in a leaf, in either direction.
struct HandleRun {
  /// The number of handles that are compared at a time.
  private static let blockLength = 64

  /// The handles of the leaf.
  let handles: ContiguousArray<Handle>
  /// The position of the first handle.
  let first: Int
  /// 1, or -1 to read backwards.
  let step: Int

  /// Returns the number of equivalent handles at the start of two runs in the same direction.
  ///
  /// - Parameters:
  ///   - other: The other run.
  ///   - count: The number of handles to compare. Both runs have at least as many.
  ///   - isSame: Returns whether two handles are equivalent.
  @inline(__always)
  func commonLength(with other: HandleRun, count: Int, _ isSame: (Handle, Handle) -> Bool) -> Int {
    withPointers(other) { mine, theirs in
      var offset = 0
      if step == 1 {
        // Four at a time, because the loop would cost as much as the comparison.
        while offset &+ 4 <= count,
          isSame(mine[offset], theirs[offset]), isSame(mine[offset &+ 1], theirs[offset &+ 1]),
          isSame(mine[offset &+ 2], theirs[offset &+ 2]), isSame(mine[offset &+ 3], theirs[offset &+ 3])
        {
          offset &+= 4
        }
      }
      while offset < count, isSame(mine[offset &* step], theirs[offset &* step]) { offset &+= 1 }
      return offset
    }
  }

  /// Returns the number of equal handles at the start of two runs in the same direction.
  ///
  /// - Parameters:
  ///   - other: The other run.
  ///   - count: The number of handles to compare. Both runs have at least as many.
  func commonLength(with other: HandleRun, count: Int) -> Int {
    let equal = withPointers(other) { mine, theirs in
      // The compiler vectorizes the loop, because it has no early exit.
      var blocks = 0
      while (blocks &+ 1) &* HandleRun.blockLength <= count {
        let start = step < 0 ? -(blocks &+ 1) &* HandleRun.blockLength &+ 1 : blocks &* HandleRun.blockLength
        var difference: Handle = 0
        for index in start..<(start &+ HandleRun.blockLength) { difference |= mine[index] ^ theirs[index] }
        guard difference == 0 else { break }
        blocks &+= 1
      }
      return blocks &* HandleRun.blockLength
    }
    guard equal < count else { return count }
    let rest = HandleRun(handles: handles, first: first + equal * step, step: step)
    let otherRest = HandleRun(handles: other.handles, first: other.first + equal * step, step: step)
    return equal + rest.commonLength(with: otherRest, count: count - equal) { $0 == $1 }
  }

  /// Calls a closure with pointers to the first handles of two runs that are not empty.
  @inline(__always)
  private func withPointers(_ other: HandleRun, _ body: (UnsafePointer<Handle>, UnsafePointer<Handle>) -> Int) -> Int {
    handles.withUnsafeBufferPointer { mine in
      other.handles.withUnsafeBufferPointer { theirs in
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return 0 }
        return body(mine + first, theirs + other.first)
      }
    }
  }
}
