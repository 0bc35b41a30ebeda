/// The trees of siblings: treaps ordered by ``OutlineNode/priority(of:)`` that maintain the totals of their nodes.
extension Outline {
  /// Builds the tree of siblings from their sorted handles.
  ///
  /// The children of each sibling must be complete.
  ///
  /// - Complexity: O(k) for k siblings.
  mutating func joined(_ handles: [Handle]) -> Handle {
    // The right spine of the tree: a new node is added at its end, or between two of its nodes.
    var spine: [Handle] = []
    for handle in handles {
      var below = OutlineNode.none
      while let last = spine.last, OutlineNode.priority(of: last) < OutlineNode.priority(of: handle) {
        below = last
        updateTotal(last)
        spine.removeLast()
      }
      self[handle].left = below
      if below != OutlineNode.none { self[below].up = handle }
      if let above = spine.last {
        self[above].right = handle
        self[handle].up = above
      }
      spine.append(handle)
    }
    let top = spine.first ?? OutlineNode.none
    while let last = spine.popLast() { updateTotal(last) }
    if top != OutlineNode.none { self[top].up = OutlineNode.none }
    return top
  }

  /// Concatenates two trees of siblings.
  ///
  /// The link `up` of the result's root is not updated.
  ///
  /// - Complexity: O(log w) expected.
  mutating func merged(_ left: Handle, _ right: Handle) -> Handle {
    guard left != OutlineNode.none else { return right }
    guard right != OutlineNode.none else { return left }
    if OutlineNode.priority(of: left) > OutlineNode.priority(of: right) {
      let below = merged(self[left].right, right)
      self[left].right = below
      self[below].up = left
      updateTotal(left)
      return left
    }
    let below = merged(left, self[right].left)
    self[right].left = below
    self[below].up = right
    updateTotal(right)
    return right
  }

  /// Splits the tree of a node's siblings into those before the node and the rest.
  ///
  /// - Complexity: O(log w) expected.
  mutating func split(before handle: Handle) -> (Handle, Handle) {
    let before = self[handle].left
    self[handle].left = OutlineNode.none
    updateTotal(handle)
    return split(above: handle, before, handle)
  }

  /// Splits the tree of a node's siblings into those up to the node and the rest.
  ///
  /// - Complexity: O(log w) expected.
  mutating func split(after handle: Handle) -> (Handle, Handle) {
    let after = self[handle].right
    self[handle].right = OutlineNode.none
    updateTotal(handle)
    return split(above: handle, handle, after)
  }

  /// Continues a split upwards: each node above belongs to one of the two trees.
  private mutating func split(above handle: Handle, _ left: Handle, _ right: Handle) -> (Handle, Handle) {
    var (left, right) = (left, right)
    var below = handle
    var node = self[handle].up
    while node != OutlineNode.none {
      let above = self[node].up
      if self[node].left == below {
        self[node].left = right
        if right != OutlineNode.none { self[right].up = node }
        right = node
      } else {
        self[node].right = left
        if left != OutlineNode.none { self[left].up = node }
        left = node
      }
      updateTotal(node)
      below = node
      node = above
    }
    if left != OutlineNode.none { self[left].up = OutlineNode.none }
    if right != OutlineNode.none { self[right].up = OutlineNode.none }
    return (left, right)
  }

  /// Recomputes the total of a node from those of its children and subtrees.
  private mutating func updateTotal(_ handle: Handle) {
    let node = self[handle]
    self[handle].total = 1 + total(node.children) + total(node.left) + total(node.right)
  }
}
