internal import VitrineDataStructures

/// The tree of a section snapshot: the nodes and identifiers by handle, and the handle of each identifier.
///
/// It is stored in chunks that copies share, so that a change copies only what it touches. Neither traversal nor
/// changes use recursion along the depth of the tree, so the depth is limited only by memory.
struct Outline<ItemID: Hashable & Sendable>: Sendable {
  typealias Handle = OutlineNode.Handle

  private(set) var nodes = ChunkedArray<OutlineNode>()
  private var identifiers = ChunkedArray<ItemID?>()
  private var index = ShardedIndex<ItemID>()
  /// The root of the tree of the items without a parent.
  private var roots = OutlineNode.none
  private var firstFree = OutlineNode.none

  /// The number of items.
  var count: Int { Int(total(roots)) }

  /// Returns the handle of an item, or nil if the item does not exist.
  func handle(of item: ItemID) -> Handle? { index[item] }

  /// Returns the item of a valid handle.
  func item(_ handle: Handle) -> ItemID {
    guard let item = identifiers[Int(handle)] else { failPrecondition("A handle was used after its item was deleted.") }
    return item
  }

  subscript(handle: Handle) -> OutlineNode {
    get { nodes[Int(handle)] }
    set { nodes[Int(handle)] = newValue }
  }

  /// Returns the root of the tree of a node's children, or of the root items for `none`.
  func children(of parent: Handle) -> Handle { parent == OutlineNode.none ? roots : self[parent].children }

  /// Returns the number of items in a tree of siblings, including all descendants.
  func total(_ top: Handle) -> Int32 { top == OutlineNode.none ? 0 : self[top].total }

  // MARK: - Changes

  /// Inserts new items without children.
  ///
  /// - Complexity: O(k + d log w) expected for k items at depth d among w siblings.
  mutating func insert(_ items: [ItemID], at position: OutlinePosition) {
    let (parent, level) = parent(of: position)
    index.reserve(items.count)
    let handles = items.map { item in
      add(item, parent: parent, level: level) {
        items.count { $0 == item } > 1
          ? "The item \(item) is named twice in one call." : "The item \(item) is in the section snapshot already."
      }
    }
    attach(joined(handles), at: position)
  }

  /// Inserts the items of a walk through another outline, with their structure and expansion.
  ///
  /// The first item of the walk must be at its lowest level.
  ///
  /// - Complexity: O(k + d log w) expected for k items at depth d among w siblings.
  mutating func insert(_ walk: OutlineWalk<ItemID>, at position: OutlinePosition) {
    let (parent, level) = parent(of: position)
    // The siblings visited so far whose tree has not been built, by depth.
    var pending: [[Handle]] = [[]]
    var first: Int32?
    for source in walk {
      let node = walk.outline[source]
      let depth = Int(node.level - (first ?? node.level))
      first = first ?? node.level
      while pending.count > depth + 1 { attachDeepestSiblings(&pending) }
      if pending.count == depth { pending.append([]) }
      let owner = depth == 0 ? parent : pending[depth - 1].last ?? parent
      let item = walk.outline.item(source)
      let handle = add(item, parent: owner, level: level + Int32(depth)) {
        "The item \(item) is in the section snapshot already."
      }
      self[handle].isExpanded = node.isExpanded
      pending[depth].append(handle)
    }
    while pending.count > 1 { attachDeepestSiblings(&pending) }
    attach(joined(pending[0]), at: position)
  }

  /// Removes a node and its subtree.
  ///
  /// - Complexity: O(k + d log w) expected for k items at depth d among w siblings.
  mutating func remove(_ handle: Handle) {
    let removed = Array(OutlineWalk(of: handle, in: self))
    let node = self[handle]
    let rest = merged(node.left, node.right)
    if rest != OutlineNode.none { self[rest].up = node.up }
    if node.up == OutlineNode.none {
      setChildren(of: node.parent, to: rest)
    } else if self[node.up].left == handle {
      self[node.up].left = rest
    } else {
      self[node.up].right = rest
    }
    adjustTotals(from: node.up == OutlineNode.none ? node.parent : node.up, by: -Int32(removed.count))
    release(removed)
  }

  /// Removes all descendants of a node.
  ///
  /// - Complexity: O(k + d log w) for k descendants of a node at depth d among w siblings.
  mutating func removeChildren(of handle: Handle) {
    let removed = Array(OutlineWalk(below: handle, in: self))
    setChildren(of: handle, to: OutlineNode.none)
    adjustTotals(from: handle, by: -Int32(removed.count))
    release(removed)
  }

  // MARK: - Parts of changes

  private func parent(of position: OutlinePosition) -> (handle: Handle, level: Int32) {
    switch position {
    case .last(let parent): (parent, parent == OutlineNode.none ? 0 : self[parent].level + 1)
    case .before(let sibling), .after(let sibling): (self[sibling].parent, self[sibling].level)
    }
  }

  private mutating func setChildren(of parent: Handle, to top: Handle) {
    if parent == OutlineNode.none { roots = top } else { self[parent].children = top }
  }

  /// Inserts a tree of new siblings.
  private mutating func attach(_ tree: Handle, at position: OutlinePosition) {
    guard tree != OutlineNode.none else { return }
    let added = self[tree].total
    let (parent, _) = parent(of: position)
    let top: Handle
    switch position {
    case .last(let parent):
      top = merged(children(of: parent), tree)
    case .before(let sibling):
      let (before, after) = split(before: sibling)
      top = merged(merged(before, tree), after)
    case .after(let sibling):
      let (before, after) = split(after: sibling)
      top = merged(merged(before, tree), after)
    }
    self[top].up = OutlineNode.none
    setChildren(of: parent, to: top)
    adjustTotals(from: parent, by: added)
  }

  /// Builds the tree of the deepest pending siblings and attaches it to the last node above them.
  private mutating func attachDeepestSiblings(_ pending: inout [[Handle]]) {
    let top = joined(pending.removeLast())
    guard let owner = pending.last?.last else { return }
    self[owner].children = top
  }

  /// Adds to the totals of a node and of all nodes that include it.
  private mutating func adjustTotals(from handle: Handle, by count: Int32) {
    var handle = handle
    while handle != OutlineNode.none {
      self[handle].total += count
      let node = self[handle]
      handle = node.up == OutlineNode.none ? node.parent : node.up
    }
  }

  private mutating func add(_ item: ItemID, parent: Handle, level: Int32, failureMessage: () -> String) -> Handle {
    let handle = firstFree == OutlineNode.none ? Handle(nodes.count) : firstFree
    checkPrecondition(index.insert(item, handle), failureMessage())
    let node = OutlineNode(parent: parent, level: level)
    if firstFree == OutlineNode.none {
      nodes.append(node)
      identifiers.append(item)
    } else {
      firstFree = self[handle].up
      self[handle] = node
      identifiers[Int(handle)] = item
    }
    return handle
  }

  private mutating func release(_ handles: [Handle]) {
    for handle in handles {
      index.remove(item(handle))
      identifiers[Int(handle)] = nil
      self[handle].up = firstFree
      firstFree = handle
    }
  }
}

// MARK: - Queries

extension Outline {
  /// Returns the index of a node in the list of all items.
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

  /// Returns whether all ancestors of a node are expanded.
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

// MARK: - Nodes and positions

/// The links of one item of an outline, as handles.
///
/// The children of a node are stored in a balanced tree, a treap in their order that is linked by `left`, `right` and
/// `up`. An item among a million siblings is found, inserted and removed in a logarithmic number of steps.
struct OutlineNode: Sendable {
  /// A number that identifies an item of an outline while the item exists.
  typealias Handle = Int32

  /// The handle that represents no node.
  static var none: Handle { -1 }

  /// The parent, or `none` for a root item.
  var parent: Handle
  /// The number of ancestors.
  var level: Int32
  /// The root of the tree of the children.
  var children: Handle = none
  /// The root of the left subtree, which contains siblings before this one.
  var left: Handle = none
  /// The root of the right subtree, which contains siblings after this one.
  var right: Handle = none
  /// The node above in the tree of siblings.
  ///
  /// For a free node, the next free node.
  var up: Handle = none
  /// The number of items in this node's part of the tree of siblings, including all descendants.
  var total: Int32 = 1
  /// Whether the children are visible if the item is visible.
  var isExpanded = false

  /// The priority of a node in the tree of siblings: a bijective hash of its handle.
  static func priority(of handle: Handle) -> UInt32 {
    var bits = UInt32(bitPattern: handle)
    bits = (bits ^ (bits >> 16)) &* 0x85eb_ca6b
    bits = (bits ^ (bits >> 13)) &* 0xc2b2_ae35
    return bits ^ (bits >> 16)
  }
}

/// The position of new items in an outline.
enum OutlinePosition {
  /// After all children of a node, or after all root items for `none`.
  case last(in: OutlineNode.Handle)
  /// Immediately before a node, as its siblings.
  case before(OutlineNode.Handle)
  /// Immediately after a node and its subtree, as its siblings.
  case after(OutlineNode.Handle)
}
