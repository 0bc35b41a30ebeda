/// The trees of siblings: treaps by ``OutlineNode/priority(of:)``, whose totals are kept.
extension Outline {
  /// The tree of siblings in a given order, whose own children are in place.
  ///
  /// - Complexity: O(k) for k siblings.
  mutating func joined(_ handles: [Handle]) -> Handle {
    // The way from the top to the last sibling: what comes next goes below its end, or between two nodes of it.
    var spine: [Handle] = []
    for handle in handles {
      var below = OutlineNode.none
      while let last = spine.last, OutlineNode.priority(of: last) < OutlineNode.priority(of: handle) {
        below = last
        count(last)
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
    while let last = spine.popLast() { count(last) }
    if top != OutlineNode.none { self[top].up = OutlineNode.none }
    return top
  }

  /// One tree of two, the second's siblings after the first's; its top's `up` is left as it was.
  ///
  /// - Complexity: O(log w) expected.
  mutating func merged(_ left: Handle, _ right: Handle) -> Handle {
    guard left != OutlineNode.none else { return right }
    guard right != OutlineNode.none else { return left }
    if OutlineNode.priority(of: left) > OutlineNode.priority(of: right) {
      let below = merged(self[left].right, right)
      self[left].right = below
      self[below].up = left
      count(left)
      return left
    }
    let below = merged(left, self[right].left)
    self[right].left = below
    self[below].up = right
    count(right)
    return right
  }

  /// The tree of a node's siblings in two: what is before the node, and the rest.
  ///
  /// - Complexity: O(log w) expected.
  mutating func split(before handle: Handle) -> (Handle, Handle) {
    let before = self[handle].left
    self[handle].left = OutlineNode.none
    count(handle)
    return split(above: handle, before, handle)
  }

  /// The tree of a node's siblings in two: up to the node, and the rest.
  ///
  /// - Complexity: O(log w) expected.
  mutating func split(after handle: Handle) -> (Handle, Handle) {
    let after = self[handle].right
    self[handle].right = OutlineNode.none
    count(handle)
    return split(above: handle, handle, after)
  }

  /// Goes on with a split from a node upwards: what is above belongs to one side or the other.
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
      count(node)
      below = node
      node = above
    }
    if left != OutlineNode.none { self[left].up = OutlineNode.none }
    if right != OutlineNode.none { self[right].up = OutlineNode.none }
    return (left, right)
  }

  /// Counts anew what a node and the siblings below it hold.
  private mutating func count(_ handle: Handle) {
    let node = self[handle]
    self[handle].total = 1 + total(node.children) + total(node.left) + total(node.right)
  }
}
