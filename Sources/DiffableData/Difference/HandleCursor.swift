/// A place in a list from which runs of neighbours are read, forwards or backwards, never across the end of a leaf.
struct HandleCursor: Sendable {
  private var block: Int
  private var leaf: Int
  /// How many items of the leaf are behind the cursor, as it goes.
  private var passed = 0
  private let isForward: Bool

  /// Makes a cursor at the beginning, or at the end to go backwards.
  init(_ list: HandleList, isForward: Bool) {
    self.isForward = isForward
    block = isForward ? 0 : list.blocks.count - 1
    leaf = 0
    if !isForward, block >= 0 { leaf = list.blocks[block].leaves.count - 1 }
  }

  /// Whether nothing is left.
  func isAtEnd(of list: HandleList) -> Bool { block < 0 || block >= list.blocks.count }

  /// The block that lies ahead as a whole, if the cursor stands at its border.
  func wholeBlock(of list: HandleList) -> HandleBlock? {
    let border = isForward ? 0 : list.blocks[block].leaves.count - 1
    return passed == 0 && leaf == border ? list.blocks[block] : nil
  }

  /// The leaf that lies ahead as a whole, if the cursor stands at its border.
  func wholeLeaf(of list: HandleList) -> HandleLeaf? { passed == 0 ? list.blocks[block].leaves[leaf] : nil }

  /// How many items of the present leaf are ahead.
  func runLength(in list: HandleList) -> Int { list.blocks[block].leaves[leaf].count - passed }

  /// The run ahead: the leaf's handles, the slot of the first, and the step to the next.
  func run(of list: HandleList) -> HandleRun {
    let handles = list.blocks[block].leaves[leaf].handles
    return isForward
      ? HandleRun(handles: handles, first: passed, step: 1)
      : HandleRun(handles: handles, first: handles.count - 1 - passed, step: -1)
  }

  /// Passes over items of the present leaf.
  mutating func pass(_ count: Int, of list: HandleList) {
    passed += count
    guard passed == list.blocks[block].leaves[leaf].count else { return }
    passed = 0
    leaf += isForward ? 1 : -1
    if isForward, leaf == list.blocks[block].leaves.count { passBlock(of: list) }
    if !isForward, leaf < 0 { passBlock(of: list) }
  }

  /// Passes over the present block.
  mutating func passBlock(of list: HandleList) {
    passed = 0
    block += isForward ? 1 : -1
    leaf = 0
    if !isForward, block >= 0 { leaf = list.blocks[block].leaves.count - 1 }
  }
}
