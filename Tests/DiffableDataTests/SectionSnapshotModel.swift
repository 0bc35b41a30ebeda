import Testing
import VitrineDiffableData
import VitrineTestSupport

/// A model of a section snapshot: a list of items, each with a list of items.
struct SectionSnapshotModel: Equatable {
  struct Node: Equatable {
    var id: Int
    var isExpanded = false
    var children: [Node] = []
  }

  struct Line: Equatable {
    var id: Int
    var level: Int
    var parent: Int?
    var isExpanded: Bool
    var isVisible: Bool
  }

  var roots: [Node] = []

  /// All items in order, with their properties.
  var lines: [Line] {
    func lines(of nodes: [Node], level: Int, parent: Int?, isVisible: Bool) -> [Line] {
      nodes.flatMap { node in
        [Line(id: node.id, level: level, parent: parent, isExpanded: node.isExpanded, isVisible: isVisible)]
          + lines(of: node.children, level: level + 1, parent: node.id, isVisible: isVisible && node.isExpanded)
      }
    }
    return lines(of: roots, level: 0, parent: nil, isVisible: true)
  }

  var items: [Int] { lines.map(\.id) }

  /// Changes the siblings of an item.
  ///
  /// The closure receives the siblings and the index of the item.
  private mutating func edit(at id: Int, _ change: (inout [Node], Int) -> Void) {
    func edit(_ nodes: inout [Node]) -> Bool {
      if let index = nodes.firstIndex(where: { $0.id == id }) {
        change(&nodes, index)
        return true
      }
      for index in nodes.indices where edit(&nodes[index].children) { return true }
      return false
    }
    _ = edit(&roots)
  }

  func node(_ id: Int) -> Node? {
    func find(_ nodes: [Node]) -> Node? {
      for node in nodes {
        if node.id == id { return node }
        if let found = find(node.children) { return found }
      }
      return nil
    }
    return find(roots)
  }

  mutating func append(_ nodes: [Node], to parent: Int?) {
    guard let parent else { return roots += nodes }
    edit(at: parent) { $0[$1].children += nodes }
  }

  mutating func insert(_ nodes: [Node], at anchor: Int, after: Bool) {
    edit(at: anchor) { $0.insert(contentsOf: nodes, at: $1 + (after ? 1 : 0)) }
  }

  mutating func delete(_ id: Int) { edit(at: id) { $0.remove(at: $1) } }

  mutating func replaceChildren(of id: Int, with nodes: [Node]) { edit(at: id) { $0[$1].children = nodes } }

  mutating func setExpanded(_ isExpanded: Bool, _ id: Int) { edit(at: id) { $0[$1].isExpanded = isExpanded } }
}

// MARK: - Random edits

/// A section snapshot and its model, which receive the same random edits.
struct SectionSnapshotEdits {
  typealias Snapshot = DiffableDataSourceSectionSnapshot<Int>

  var snapshot = Snapshot()
  var model = SectionSnapshotModel()
  var random: SeededGenerator
  private var nextItem = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func newItems(upTo count: Int) -> [Int] {
    let first = nextItem
    nextItem += Int.random(in: 1...count, using: &random)
    return Array(first..<nextItem).shuffled(using: &random)
  }

  private mutating func existingItem() -> Int? { model.items.randomElement(using: &random) }

  /// Returns an item that was deleted or never added.
  private mutating func unknownItem() -> Int { random.chance(oneIn: 2) ? -7 : nextItem + 5 }

  /// Performs a random edit with up to a number of items.
  mutating func edit(upTo count: Int) {
    switch Int.random(in: 0..<14, using: &random) {
    case 0...2: append(newItems(upTo: count))
    case 3, 4: insert(newItems(upTo: count))
    case 5: delete(Int.random(in: 1...3, using: &random))
    case 6: deleteAndAppend()
    case 7...9: expand()
    case 10: replace(upTo: count)
    case 11, 12: insertTree(upTo: count)
    default: move()
    }
  }

  /// Returns a small tree of new items, as nodes and as a snapshot.
  private mutating func tree(upTo count: Int) -> ([SectionSnapshotModel.Node], Snapshot) {
    var tree = SectionSnapshotModel()
    var part = Snapshot()
    for item in newItems(upTo: count) {
      let parent = random.chance(oneIn: 3) ? nil : tree.items.randomElement(using: &random)
      tree.append([SectionSnapshotModel.Node(id: item)], to: parent)
      part.append([item], to: parent)
      if random.chance(oneIn: 2) {
        tree.setExpanded(true, item)
        part.expand([item])
      }
    }
    return (tree.roots, part)
  }

  private mutating func append(_ items: [Int]) {
    let parent = random.chance(oneIn: 4) ? nil : existingItem()
    snapshot.append(items, to: parent)
    model.append(items.map { SectionSnapshotModel.Node(id: $0) }, to: parent)
  }

  private mutating func insert(_ items: [Int]) {
    guard let anchor = existingItem() else { return append(items) }
    let after = random.chance(oneIn: 2)
    if after { snapshot.insert(items, after: anchor) } else { snapshot.insert(items, before: anchor) }
    model.insert(items.map { SectionSnapshotModel.Node(id: $0) }, at: anchor, after: after)
  }

  private mutating func delete(_ count: Int) {
    var deleted: [Int] = []
    for _ in 0..<count { if let item = existingItem() { deleted.append(item) } }
    snapshot.delete(deleted + [unknownItem()] + deleted.prefix(1))
    deleted.forEach { model.delete($0) }
  }

  /// Deletes an item and adds it again, without its descendants.
  private mutating func deleteAndAppend() {
    guard let item = existingItem() else { return }
    snapshot.delete([item])
    model.delete(item)
    let parent = random.chance(oneIn: 2) ? nil : existingItem()
    snapshot.append([item], to: parent)
    model.append([SectionSnapshotModel.Node(id: item)], to: parent)
  }

  private mutating func expand() {
    guard let item = existingItem() else { return }
    let unknown = unknownItem()
    let expands = !random.chance(oneIn: 3)
    let ignored = expands ? snapshot.expand([item, unknown]) : snapshot.collapse([unknown, item])
    #expect(ignored == [unknown])
    model.setExpanded(expands, item)
  }

  private mutating func replace(upTo count: Int) {
    guard let parent = existingItem() else { return }
    let (nodes, part) = tree(upTo: count)
    snapshot.replace(childrenOf: parent, using: part)
    model.replaceChildren(of: parent, with: nodes)
  }

  private mutating func insertTree(upTo count: Int) {
    let (nodes, part) = tree(upTo: count)
    guard let anchor = existingItem(), !random.chance(oneIn: 4) else {
      let parent = random.chance(oneIn: 2) ? nil : existingItem()
      snapshot.append(part, to: parent)
      model.append(nodes, to: parent)
      return
    }
    let after = random.chance(oneIn: 2)
    if after { snapshot.insert(part, after: anchor) } else { snapshot.insert(part, before: anchor) }
    model.insert(nodes, at: anchor, after: after)
  }

  /// Moves a subtree by deleting it and inserting its snapshot.
  private mutating func move() {
    guard let item = existingItem(), let node = model.node(item) else { return }
    let part = snapshot.snapshot(of: item, includingParent: true)
    snapshot.delete([item])
    model.delete(item)
    guard let anchor = existingItem() else {
      snapshot.append(part)
      return model.append([node], to: nil)
    }
    snapshot.insert(part, after: anchor)
    model.insert([node], at: anchor, after: true)
  }
}
