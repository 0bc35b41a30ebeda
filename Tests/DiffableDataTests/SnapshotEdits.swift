import DiffableData
import TestSupport

/// A snapshot and its model under the same random edits.
struct SnapshotEdits {
  var snapshot = DiffableDataSourceSnapshot<Int, Int>()
  var model = ModelSnapshot()
  var random: SeededGenerator
  private var nextItem = 0
  private var nextSection = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func freshItems(upTo count: Int) -> [Int] {
    let first = nextItem
    nextItem += Int.random(in: 1...count, using: &random)
    return Array(first..<nextItem).shuffled(using: &random)
  }

  private mutating func someItems(upTo count: Int) -> [Int] {
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

  /// Edits both once, with up to a number of items.
  mutating func edit(upTo count: Int) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: insertSection()
    case 1: removeOrMoveSection()
    case 2...4: append(freshItems(upTo: count))
    case 5: append(someItems(upTo: count) + freshItems(upTo: 3))
    case 6, 7: insert(freshItems(upTo: count))
    case 8: insert(someItems(upTo: count))
    case 9, 10: delete(someItems(upTo: count))
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
