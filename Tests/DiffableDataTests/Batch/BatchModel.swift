import DiffableData
import TestSupport

/// Sections of named items before and after edits, and these edits, as somebody would make who changes arrays at random.
struct BatchModel {
  struct Section: Equatable {
    let name: Int
    var items: [Int]
  }

  private(set) var before: [Section] = []
  private(set) var after: [Section] = []
  private(set) var edits = BatchEdits()
  /// The items that are to get a new cell, and those whose cells are configured again, by name.
  private(set) var reloaded: Set<Int> = []
  private(set) var reconfigured: Set<Int> = []

  var counts: (before: [Int], after: [Int]) { (before.map(\.items.count), after.map(\.items.count)) }

  init(seed: UInt64, hasSectionEdits: Bool) {
    var random = SeededGenerator(seed: seed)
    var name = 0
    func named(_ count: Int) -> [Int] {
      defer { name += count }
      return Array(name..<(name + count))
    }
    before = (0..<Int.random(in: 1...5, using: &random)).map {
      Section(name: $0, items: named(Int.random(in: 0...12, using: &random)))
    }
    var names = 100

    // Sections: who goes, who stays in order, who is put elsewhere, who is new.
    var staying: [Int] = []
    var movers: [Int] = []
    for index in before.indices {
      switch hasSectionEdits ? Int.random(in: 0...5, using: &random) : 9 {
      case 0: edits.sectionDeletes.append(index)
      case 1: movers.append(index)
      default: staying.append(index)
      }
    }
    var order: [Int?] = staying
    let fresh = hasSectionEdits ? Int.random(in: 0...2, using: &random) : 0
    for arrival in movers.map(Optional.some) + [Int?](repeating: nil, count: fresh) {
      order.insert(arrival, at: Int.random(in: 0...order.count, using: &random))
    }
    for (new, old) in order.enumerated() {
      if let old, movers.contains(old) { edits.sectionMoves.append(SectionMove(from: old, to: new)) }
      if old == nil { edits.sectionInserts.append(new) }
    }
    let reloadedSections = hasSectionEdits ? staying.filter { _ in Int.random(in: 0...5, using: &random) == 0 } : []
    edits.sectionReloads = reloadedSections

    // Items: those that stay where they are, in order; then what moves and comes, anywhere.
    var origins: [Int: ItemPosition] = [:]
    var homeless: [Int] = []
    after = order.map { old in
      guard let old else {
        defer { names += 1 }
        return Section(name: names, items: named(Int.random(in: 0...4, using: &random)))
      }
      let isReloaded = reloadedSections.contains(old)
      return Section(
        name: before[old].name, items: isReloaded ? named(Int.random(in: 0...9, using: &random)) : [])
    }
    for (section, old) in before.enumerated() {
      let new = order.firstIndex(of: section)
      for (index, item) in old.items.enumerated() {
        let place = ItemPosition(section: section, item: index)
        origins[item] = place
        let roll = Int.random(in: 0...9, using: &random)
        if roll == 1 {
          homeless.append(item)
        } else if new == nil || reloadedSections.contains(section) {
          // Gone with its section: to name it is allowed, and not needed.
          if roll == 2 { edits.deletes.append(place) }
        } else if roll == 0 {
          edits.deletes.append(place)
        } else if let new {
          after[new].items.append(item)
          if roll == 3 {
            edits.reloads.append(place)
            reloaded.insert(item)
          }
          if roll >= 3, roll <= 4 {
            edits.reconfigures.append(place)
            if roll == 4 { reconfigured.insert(item) }
          }
        }
      }
    }
    guard !after.isEmpty else {
      homeless.forEach { if let place = origins[$0] { edits.deletes.append(place) } }
      return
    }
    let newcomers = named(Int.random(in: 0...6, using: &random))
    for item in (homeless + newcomers).shuffled(using: &random) {
      let section = Int.random(in: after.indices, using: &random)
      after[section].items.insert(item, at: Int.random(in: 0...after[section].items.count, using: &random))
    }
    for (section, new) in after.enumerated() {
      for (index, item) in new.items.enumerated() {
        let place = ItemPosition(section: section, item: index)
        if homeless.contains(item), let from = origins[item] { edits.moves.append(.init(from: from, to: place)) }
        if newcomers.contains(item) { edits.inserts.append(place) }
      }
    }
    shuffle(&random)
  }

  /// The order in which edits are named means nothing.
  private mutating func shuffle(_ random: inout SeededGenerator) {
    edits.deletes.shuffle(using: &random)
    edits.inserts.shuffle(using: &random)
    edits.moves.shuffle(using: &random)
    edits.reloads.shuffle(using: &random)
    edits.sectionMoves.shuffle(using: &random)
  }

  /// Where an item is, by name.
  static func position(of item: Int, in sections: [Section]) -> ItemPosition? {
    for (section, content) in sections.enumerated() {
      if let index = content.items.firstIndex(of: item) { return ItemPosition(section: section, item: index) }
    }
    return nil
  }
}
