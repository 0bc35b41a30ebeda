import Testing
import VitrineTestSupport

@testable import VitrineDiffableData

/// A model of a snapshot: arrays that are searched from the start.
struct SnapshotModel {
  var sections: [(id: Int, items: [Int])] = []

  var items: [Int] { sections.flatMap(\.items) }

  func position(of item: Int) -> ItemPosition? {
    for (index, section) in sections.enumerated() {
      if let itemIndex = section.items.firstIndex(of: item) {
        return ItemPosition(section: index, item: itemIndex)
      }
    }
    return nil
  }

  mutating func delete(_ items: [Int]) {
    let deleted = Set(items)
    for index in sections.indices { sections[index].items.removeAll { deleted.contains($0) } }
  }

  mutating func append(_ items: [Int], to section: Int) {
    delete(items)
    sections[section].items += items
  }

  mutating func insert(_ items: [Int], at anchor: Int, after: Bool) {
    delete(items)
    guard let anchorPosition = position(of: anchor) else { return }
    sections[anchorPosition.section].items.insert(contentsOf: items, at: anchorPosition.item + (after ? 1 : 0))
  }

  /// A snapshot with the same content, built from scratch.
  var snapshot: DiffableDataSourceSnapshot<Int, Int> {
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    for section in sections {
      snapshot.appendSections([section.id])
      snapshot.appendItems(section.items, toSection: section.id)
    }
    return snapshot
  }
}

// MARK: - Random edits

/// A snapshot and its model, which receive the same random edits.
struct SnapshotEdits {
  var snapshot = DiffableDataSourceSnapshot<Int, Int>()
  var model = SnapshotModel()
  var random: SeededGenerator
  private var nextItem = 0
  private var nextSection = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Creates a snapshot that was filled with items in one call, between two empty sections.
  init(seed: UInt64, appending items: [Int]) {
    self.init(seed: seed)
    snapshot.appendSections([0, 1, 2])
    snapshot.appendItems(items, toSection: 1)
    model.sections = [(0, []), (1, items), (2, [])]
    nextItem = items.count
    nextSection = 3
  }

  private mutating func newItems(upTo count: Int) -> [Int] {
    let first = nextItem
    nextItem += Int.random(in: 1...count, using: &random)
    return Array(first..<nextItem).shuffled(using: &random)
  }

  private mutating func existingItems(upTo count: Int) -> [Int] {
    let items = model.items
    guard !items.isEmpty else { return [] }
    var chosen: [Int] = []
    if random.chance(oneIn: 2) {
      let first = Int.random(in: 0..<items.count, using: &random)
      chosen = Array(items[first..<min(items.count, first + Int.random(in: 1...count, using: &random))])
    } else {
      var seen: Set<Int> = []
      for _ in 0..<Int.random(in: 1...count, using: &random) {
        if let item = items.randomElement(using: &random), seen.insert(item).inserted { chosen.append(item) }
      }
    }
    return chosen
  }

  /// Performs a random edit with up to a number of items.
  mutating func edit(upTo count: Int) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: insertSection()
    case 1: removeOrMoveSection()
    case 2...4: append(newItems(upTo: count))
    case 5: append(existingItems(upTo: count) + newItems(upTo: 3))
    case 6, 7: insert(newItems(upTo: count))
    case 8: insert(existingItems(upTo: count))
    case 9, 10: delete(existingItems(upTo: count))
    default: move()
    }
  }

  private mutating func insertSection() {
    let id = nextSection
    nextSection += 1
    guard let anchor = model.sections.indices.randomElement(using: &random), random.chance(oneIn: 2) else {
      snapshot.appendSections([id])
      model.sections.append((id, []))
      return
    }
    let before = random.chance(oneIn: 2)
    let anchorID = model.sections[anchor].id
    if before {
      snapshot.insertSections([id], beforeSection: anchorID)
    } else {
      snapshot.insertSections([id], afterSection: anchorID)
    }
    model.sections.insert((id, []), at: anchor + (before ? 0 : 1))
  }

  private mutating func removeOrMoveSection() {
    guard model.sections.count > 2, let index = model.sections.indices.randomElement(using: &random) else { return }
    let section = model.sections.remove(at: index)
    guard !random.chance(oneIn: 3) else { return snapshot.deleteSections([section.id, -1]) }
    let anchor = Int.random(in: 0..<model.sections.count, using: &random)
    let before = random.chance(oneIn: 2)
    let anchorID = model.sections[anchor].id
    if before {
      snapshot.moveSection(section.id, beforeSection: anchorID)
    } else {
      snapshot.moveSection(section.id, afterSection: anchorID)
    }
    model.sections.insert(section, at: anchor + (before ? 0 : 1))
  }

  private mutating func append(_ items: [Int]) {
    guard let section = model.sections.indices.randomElement(using: &random) else { return }
    let isLast = section == model.sections.count - 1
    snapshot.appendItems(items, toSection: isLast && random.chance(oneIn: 2) ? nil : model.sections[section].id)
    model.append(items, to: section)
  }

  private mutating func insert(_ items: [Int]) {
    let inserted = Set(items)
    let anchors = model.items.filter { !inserted.contains($0) }
    guard let anchor = anchors.randomElement(using: &random) else { return }
    let after = random.chance(oneIn: 2)
    if after {
      snapshot.insertItems(items, afterItem: anchor)
    } else {
      snapshot.insertItems(items, beforeItem: anchor)
    }
    model.insert(items, at: anchor, after: after)
  }

  private mutating func delete(_ items: [Int]) {
    snapshot.deleteItems(items + [-5] + items.prefix(1))
    model.delete(items)
  }

  private mutating func move() {
    guard let item = model.items.randomElement(using: &random) else { return }
    guard let anchor = model.items.randomElement(using: &random), anchor != item else { return }
    let after = random.chance(oneIn: 2)
    if after {
      snapshot.moveItem(item, afterItem: anchor)
    } else {
      snapshot.moveItem(item, beforeItem: anchor)
    }
    model.insert([item], at: anchor, after: after)
  }
}

// MARK: - Invariants of the storage

extension DiffableDataSourceSnapshot {
  /// A description of the first broken invariant of the storage, or nil.
  var brokenInvariant: String? {
    var total = 0
    var isStored = [Bool](repeating: false, count: interner.count)
    for record in table.records {
      var sectionCount = 0
      for block in record.items.blocks {
        if block.leaves.isEmpty { return "an empty block" }
        if block.leaves.count > HandleBlock.capacity { return "a block of \(block.leaves.count) leaves" }
        if registry.blocks[block.key] != record.key { return "a block of another section" }
        for leaf in block.leaves {
          if leaf.handles.isEmpty || leaf.count > HandleLeaf.capacity { return "a leaf of \(leaf.count)" }
          if registry.leaves[leaf.key] != block.key { return "a leaf of another block" }
          for handle in leaf.handles {
            if registry.leafKeys[handle] != leaf.key { return "an item whose leaf is wrong" }
            if isStored[Int(handle)] { return "an item that is stored twice" }
            isStored[Int(handle)] = true
          }
        }
        if block.count != block.leaves.reduce(0, { $0 + $1.count }) { return "a wrong count of a block" }
        sectionCount += block.count
      }
      if record.items.count != sectionCount { return "a wrong count of a section" }
      total += sectionCount
    }
    for handle in isStored.indices where !isStored[handle] && registry.leafKeys[Handle(handle)] != LeafKeyMap.none {
      return "an item that has a leaf and is not stored"
    }
    for handle in 0..<interner.count where interner.handle(of: interner[Handle(handle)]) != Handle(handle) {
      return "an identifier with two handles"
    }
    if interner.count > 2 * numberOfItems + 1_024 + 2 { return "too many identifiers" }
    return total == numberOfItems ? nil : "a wrong count of items"
  }
}
