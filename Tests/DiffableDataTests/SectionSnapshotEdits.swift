import DiffableData
import TestSupport
import Testing

/// A section snapshot and its model under the same random edits.
struct SectionSnapshotEdits {
  typealias Snapshot = DiffableDataSourceSectionSnapshot<Int>

  var snapshot = Snapshot()
  var model = SectionSnapshotModel()
  var random: SeededGenerator
  private var nextItem = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func fresh(upTo count: Int) -> [Int] {
    let first = nextItem
    nextItem += Int.random(in: 1...count, using: &random)
    return Array(first..<nextItem).shuffled(using: &random)
  }

  private mutating func someItem() -> Int? { model.items.randomElement(using: &random) }

  /// Items that were deleted, or never there.
  private mutating func unknownItem() -> Int { random.chance(oneIn: 2) ? -7 : nextItem + 5 }

  /// Edits both once, with up to a number of items.
  mutating func edit(upTo count: Int) {
    switch Int.random(in: 0..<14, using: &random) {
    case 0...2: append(fresh(upTo: count))
    case 3, 4: insert(fresh(upTo: count))
    case 5: delete(Int.random(in: 1...3, using: &random))
    case 6: comeAgain()
    case 7...9: expand()
    case 10: replace(upTo: count)
    case 11, 12: insertTree(upTo: count)
    default: move()
    }
  }

  /// A small tree of new items, and the same as a snapshot.
  private mutating func tree(upTo count: Int) -> ([SectionSnapshotModel.Node], Snapshot) {
    var tree = SectionSnapshotModel()
    var part = Snapshot()
    for item in fresh(upTo: count) {
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
    let parent = random.chance(oneIn: 4) ? nil : someItem()
    snapshot.append(items, to: parent)
    model.append(items.map { SectionSnapshotModel.Node(id: $0) }, to: parent)
  }

  private mutating func insert(_ items: [Int]) {
    guard let anchor = someItem() else { return append(items) }
    let after = random.chance(oneIn: 2)
    if after { snapshot.insert(items, after: anchor) } else { snapshot.insert(items, before: anchor) }
    model.insert(items.map { SectionSnapshotModel.Node(id: $0) }, at: anchor, after: after)
  }

  private mutating func delete(_ count: Int) {
    var doomed: [Int] = []
    for _ in 0..<count { if let item = someItem() { doomed.append(item) } }
    snapshot.delete(doomed + [unknownItem()] + doomed.prefix(1))
    doomed.forEach { model.delete($0) }
  }

  /// An item is deleted and comes back, without what was below it.
  private mutating func comeAgain() {
    guard let item = someItem() else { return }
    snapshot.delete([item])
    model.delete(item)
    let parent = random.chance(oneIn: 2) ? nil : someItem()
    snapshot.append([item], to: parent)
    model.append([SectionSnapshotModel.Node(id: item)], to: parent)
  }

  private mutating func expand() {
    guard let item = someItem() else { return }
    let unknown = unknownItem()
    let expands = !random.chance(oneIn: 3)
    let told = expands ? snapshot.expand([item, unknown]) : snapshot.collapse([unknown, item])
    #expect(told == [unknown])
    model.setExpanded(expands, item)
  }

  private mutating func replace(upTo count: Int) {
    guard let parent = someItem() else { return }
    let (nodes, part) = tree(upTo: count)
    snapshot.replace(childrenOf: parent, using: part)
    model.replaceChildren(of: parent, with: nodes)
  }

  private mutating func insertTree(upTo count: Int) {
    let (nodes, part) = tree(upTo: count)
    guard let anchor = someItem(), !random.chance(oneIn: 4) else {
      let parent = random.chance(oneIn: 2) ? nil : someItem()
      snapshot.append(part, to: parent)
      model.append(nodes, to: parent)
      return
    }
    let after = random.chance(oneIn: 2)
    if after { snapshot.insert(part, after: anchor) } else { snapshot.insert(part, before: anchor) }
    model.insert(nodes, at: anchor, after: after)
  }

  /// A subtree goes elsewhere by being taken out and put in.
  private mutating func move() {
    guard let item = someItem(), let node = model.node(item) else { return }
    let part = snapshot.snapshot(of: item, includingParent: true)
    snapshot.delete([item])
    model.delete(item)
    guard let anchor = someItem() else {
      snapshot.append(part)
      return model.append([node], to: nil)
    }
    snapshot.insert(part, after: anchor)
    model.insert([node], at: anchor, after: true)
  }
}
