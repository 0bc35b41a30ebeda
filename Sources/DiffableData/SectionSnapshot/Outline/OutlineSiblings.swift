/// The children of a node in order, or the roots.
///
/// - Complexity: O(1) amortised for each, whatever is below them.
struct OutlineSiblings<ItemID: Hashable & Sendable>: Sequence, IteratorProtocol {
  private let outline: Outline<ItemID>
  /// Those whose turn comes, the next one last; each stands for itself and the siblings to its right as well.
  private var spine: [OutlineNode.Handle] = []

  init(below parent: OutlineNode.Handle, in outline: Outline<ItemID>) {
    self.outline = outline
    descend(from: outline.children(of: parent))
  }

  mutating func next() -> OutlineNode.Handle? {
    guard let handle = spine.popLast() else { return nil }
    descend(from: outline[handle].right)
    return handle
  }

  private mutating func descend(from top: OutlineNode.Handle) {
    var handle = top
    while handle != OutlineNode.none {
      spine.append(handle)
      handle = outline[handle].left
    }
  }
}
