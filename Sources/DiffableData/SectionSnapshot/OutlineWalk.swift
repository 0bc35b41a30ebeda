/// A depth-first traversal of an outline that visits each parent before its children.
///
/// The traversal follows the links without a stack: O(1) memory, and O(1) amortised per node, whatever the depth.
struct OutlineWalk<ItemID: Hashable & Sendable>: Sequence, IteratorProtocol {
  typealias Handle = OutlineNode.Handle

  let outline: Outline<ItemID>
  /// The root of the traversed subtree, or `none` for all nodes.
  private let root: Handle
  private let skipsCollapsed: Bool
  private var upcoming: Handle

  /// Creates a walk through all nodes, optionally without those that are not visible.
  init(through outline: Outline<ItemID>, skippingCollapsed: Bool = false) {
    self.outline = outline
    root = OutlineNode.none
    skipsCollapsed = skippingCollapsed
    upcoming = OutlineNode.none
    upcoming = first(of: outline.children(of: OutlineNode.none))
  }

  /// Creates a walk through a node and its descendants, optionally without those that a collapsed node of the subtree
  /// hides.
  init(of root: Handle, in outline: Outline<ItemID>, skippingCollapsed: Bool = false) {
    self.outline = outline
    self.root = root
    skipsCollapsed = skippingCollapsed
    upcoming = root
  }

  /// Creates a walk through the descendants of a node, whether the node is expanded or not.
  init(below root: Handle, in outline: Outline<ItemID>, skippingCollapsed: Bool = false) {
    self.init(of: root, in: outline, skippingCollapsed: skippingCollapsed)
    upcoming = first(of: outline.children(of: root))
  }

  mutating func next() -> Handle? {
    let handle = upcoming
    guard handle != OutlineNode.none else { return nil }
    let node = outline[handle]
    let isEntered = node.children != OutlineNode.none && (node.isExpanded || !skipsCollapsed)
    upcoming = isEntered ? first(of: node.children) : following(handle)
    return handle
  }

  /// Returns the first node of a tree of siblings.
  private func first(of top: Handle) -> Handle {
    var handle = top
    while handle != OutlineNode.none, outline[handle].left != OutlineNode.none { handle = outline[handle].left }
    return handle
  }

  /// Returns the node after a node and its subtree.
  private func following(_ handle: Handle) -> Handle {
    var handle = handle
    while handle != root {
      var node = outline[handle]
      if node.right != OutlineNode.none { return first(of: node.right) }
      while node.up != OutlineNode.none {
        let above = outline[node.up]
        if above.left == handle { return node.up }
        (handle, node) = (node.up, above)
      }
      handle = node.parent
    }
    return OutlineNode.none
  }
}

/// The children of a node, or the root items, in order.
///
/// - Complexity: O(1) amortised per node, whatever the number of descendants.
struct OutlineSiblings<ItemID: Hashable & Sendable>: Sequence, IteratorProtocol {
  private let outline: Outline<ItemID>
  /// The nodes to visit, next one last.
  ///
  /// Each represents itself and the siblings in its right subtree.
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
