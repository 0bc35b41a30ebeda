internal import DataStructures

/// The tree behind a section snapshot: nodes by handle, their names, and the handle of each name.
///
/// A value in pieces that copies share, so that a change copies what it touches. No walk and no change recurses into the
/// outline, so it may be as deep as memory reaches.
struct Outline<ItemID: Hashable & Sendable>: Sendable {
  typealias Handle = OutlineNode.Handle

  private(set) var nodes = PiecedList<OutlineNode>()
  private var names = PiecedList<ItemID?>()
  private var index = ShardedIndex<ItemID>()
  /// The top of the tree of the items without a parent.
  private var roots = OutlineNode.none
  private var firstFree = OutlineNode.none

  /// The number of items.
  var count: Int { Int(total(roots)) }

  /// The handle of an item, or nothing when it is not there.
  func handle(of item: ItemID) -> Handle? { index[item] }

  /// The item of a handle that is in use.
  func item(_ handle: Handle) -> ItemID {
    guard let item = names[Int(handle)] else { failPrecondition("A handle was used after its item was deleted.") }
    return item
  }

  subscript(handle: Handle) -> OutlineNode {
    get { nodes[Int(handle)] }
    set { nodes[Int(handle)] = newValue }
  }

  /// The top of the tree of a node's children, or of the roots for none.
  func children(of parent: Handle) -> Handle { parent == OutlineNode.none ? roots : self[parent].children }

  /// How many items a tree of siblings holds, with all their descendants.
  func total(_ top: Handle) -> Int32 { top == OutlineNode.none ? 0 : self[top].total }

  // MARK: Changes

  /// Puts new items without children at a place.
  ///
  /// - Complexity: O(k + d log w) expected for k items at depth d among w siblings.
  mutating func insert(_ items: [ItemID], at place: OutlinePlace) {
    let (parent, level) = parent(of: place)
    index.reserve(items.count)
    let handles = items.map { item in
      add(item, parent: parent, level: level) {
        items.count { $0 == item } > 1
          ? "The item \(item) is named twice in one call." : "The item \(item) is in the section snapshot already."
      }
    }
    attach(joined(handles), at: place)
  }

  /// Puts what a walk through another outline meets at a place, with its structure and what is expanded.
  ///
  /// The walk's first item must be of its lowest level.
  /// - Complexity: O(k + d log w) expected for k items at depth d among w siblings.
  mutating func insert(_ walk: OutlineWalk<ItemID>, at place: OutlinePlace) {
    let (parent, level) = parent(of: place)
    // The siblings met so far whose tree is not made yet, by depth.
    var pending: [[Handle]] = [[]]
    var first: Int32?
    for source in walk {
      let node = walk.outline[source]
      let depth = Int(node.level - (first ?? node.level))
      first = first ?? node.level
      while pending.count > depth + 1 { close(&pending) }
      if pending.count == depth { pending.append([]) }
      let owner = depth == 0 ? parent : pending[depth - 1].last ?? parent
      let item = walk.outline.item(source)
      let handle = add(item, parent: owner, level: level + Int32(depth)) {
        "The item \(item) is in the section snapshot already."
      }
      self[handle].isExpanded = node.isExpanded
      pending[depth].append(handle)
    }
    while pending.count > 1 { close(&pending) }
    attach(joined(pending[0]), at: place)
  }

  /// Takes a node out, with its subtree.
  ///
  /// - Complexity: O(k + d log w) expected for k items at depth d among w siblings.
  mutating func remove(_ handle: Handle) {
    let doomed = Array(OutlineWalk(of: handle, in: self))
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
    grow(from: node.up == OutlineNode.none ? node.parent : node.up, by: -Int32(doomed.count))
    free(doomed)
  }

  /// Takes everything below a node out.
  ///
  /// - Complexity: O(k + d log w) for k items below a node at depth d among w siblings.
  mutating func removeChildren(of handle: Handle) {
    let doomed = Array(OutlineWalk(below: handle, in: self))
    setChildren(of: handle, to: OutlineNode.none)
    grow(from: handle, by: -Int32(doomed.count))
    free(doomed)
  }

  // MARK: Parts of changes

  private func parent(of place: OutlinePlace) -> (handle: Handle, level: Int32) {
    switch place {
    case .last(let parent): (parent, parent == OutlineNode.none ? 0 : self[parent].level + 1)
    case .before(let sibling), .after(let sibling): (self[sibling].parent, self[sibling].level)
    }
  }

  private mutating func setChildren(of parent: Handle, to top: Handle) {
    if parent == OutlineNode.none { roots = top } else { self[parent].children = top }
  }

  /// Puts a tree of new siblings at a place.
  private mutating func attach(_ tree: Handle, at place: OutlinePlace) {
    guard tree != OutlineNode.none else { return }
    let added = self[tree].total
    let (parent, _) = parent(of: place)
    let top: Handle
    switch place {
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
    grow(from: parent, by: added)
  }

  /// Makes the tree of the deepest pending siblings, and gives it to the last of those above them.
  private mutating func close(_ pending: inout [[Handle]]) {
    let top = joined(pending.removeLast())
    guard let owner = pending.last?.last else { return }
    self[owner].children = top
  }

  /// Tells a node, and every node that counts it, that there are more items below it, or fewer.
  private mutating func grow(from handle: Handle, by count: Int32) {
    var handle = handle
    while handle != OutlineNode.none {
      self[handle].total += count
      let node = self[handle]
      handle = node.up == OutlineNode.none ? node.parent : node.up
    }
  }

  private mutating func add(_ item: ItemID, parent: Handle, level: Int32, mistake: () -> String) -> Handle {
    let handle = firstFree == OutlineNode.none ? Handle(nodes.count) : firstFree
    checkPrecondition(index.insert(item, handle), mistake())
    let node = OutlineNode(parent: parent, level: level)
    if firstFree == OutlineNode.none {
      nodes.append(node)
      names.append(item)
    } else {
      firstFree = self[handle].up
      self[handle] = node
      names[Int(handle)] = item
    }
    return handle
  }

  private mutating func free(_ handles: [Handle]) {
    for handle in handles {
      index.remove(item(handle))
      names[Int(handle)] = nil
      self[handle].up = firstFree
      firstFree = handle
    }
  }
}
