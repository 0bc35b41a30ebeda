/// A walk through the nodes of an outline in the order they are listed in: each parent before its children.
///
/// It finds its way by the links, with no stack: O(1) memory, and O(1) amortised for each node, whatever the depth.
struct OutlineWalk<ItemID: Hashable & Sendable>: Sequence, IteratorProtocol {
  typealias Handle = OutlineNode.Handle

  let outline: Outline<ItemID>
  /// The node whose subtree is walked through, or none for all.
  private let root: Handle
  private let skipsCollapsed: Bool
  private var upcoming: Handle

  /// A walk through all nodes; those that are not visible may be left out.
  init(through outline: Outline<ItemID>, skippingCollapsed: Bool = false) {
    self.outline = outline
    root = OutlineNode.none
    skipsCollapsed = skippingCollapsed
    upcoming = OutlineNode.none
    upcoming = first(of: outline.children(of: OutlineNode.none))
  }

  /// A walk through a node and what is below it; what is hidden by a collapsed node of them may be left out.
  init(of root: Handle, in outline: Outline<ItemID>, skippingCollapsed: Bool = false) {
    self.outline = outline
    self.root = root
    skipsCollapsed = skippingCollapsed
    upcoming = root
  }

  /// A walk through what is below a node, whether the node itself is expanded or not.
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

  /// The first of a tree of siblings.
  private func first(of top: Handle) -> Handle {
    var handle = top
    while handle != OutlineNode.none, outline[handle].left != OutlineNode.none { handle = outline[handle].left }
    return handle
  }

  /// The node after a node and its whole subtree.
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
