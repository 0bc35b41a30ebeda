extension Outline {
  /// How many items stand before a node when all are listed.
  ///
  /// - Complexity: O(d log w) expected for a node at depth d among w siblings.
  func position(of handle: Handle) -> Int {
    var node = self[handle]
    var below = handle
    var before = total(node.left)
    while true {
      if node.up != OutlineNode.none {
        let above = self[node.up]
        if above.right == below { before += 1 + total(above.children) + total(above.left) }
        (below, node) = (node.up, above)
      } else if node.parent != OutlineNode.none {
        (below, node) = (node.parent, self[node.parent])
        before += 1 + total(node.left)
      } else {
        return Int(before)
      }
    }
  }

  /// Whether every node above one is expanded.
  ///
  /// - Complexity: O(d) for a node at depth d.
  func isVisible(_ handle: Handle) -> Bool {
    var parent = self[handle].parent
    while parent != OutlineNode.none {
      let node = self[parent]
      guard node.isExpanded else { return false }
      parent = node.parent
    }
    return true
  }
}
