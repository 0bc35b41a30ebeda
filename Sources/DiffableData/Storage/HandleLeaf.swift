/// Up to 512 neighbouring items of a section.
///
/// Copies share the memory of their handles until one of them is written to, so the same memory means the same items.
struct HandleLeaf: Sendable {
  /// The most items in a leaf.
  static let capacity = 512
  /// How many items pieces get when a leaf must be cut: room for edits to come.
  static let pieceSize = 384

  /// The leaf's name in its snapshot; a copy keeps it.
  let key: Int32
  var handles: ContiguousArray<Handle>

  var count: Int { handles.count }

  /// Whether two leaves are the same memory, and so the same items.
  func isSame(as other: HandleLeaf) -> Bool {
    handles.withUnsafeBufferPointer { mine in
      other.handles.withUnsafeBufferPointer { theirs in
        mine.count == theirs.count && mine.baseAddress == theirs.baseAddress
      }
    }
  }
}
