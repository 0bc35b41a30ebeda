/// Up to 128 neighbouring leaves of a section.
struct HandleBlock: Sendable {
  /// The most leaves in a block.
  static let capacity = 128
  /// How many leaves pieces get when a block must be cut.
  static let pieceSize = 96

  /// The block's name in its snapshot; a copy keeps it.
  let key: Int32
  var leaves: ContiguousArray<HandleLeaf>
  /// The number of items in all leaves.
  var count: Int

  /// Whether two blocks are the same memory, and so the same items.
  func isSame(as other: HandleBlock) -> Bool {
    leaves.withUnsafeBufferPointer { mine in
      other.leaves.withUnsafeBufferPointer { theirs in
        mine.count == theirs.count && mine.baseAddress == theirs.baseAddress
      }
    }
  }
}
