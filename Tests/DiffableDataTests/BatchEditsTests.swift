import Testing
import VitrineDiffableData
import VitrineTestSupport

@Suite("Batch edits act like edits of arrays: deletions at old indices, then insertions at new ones")
struct BatchEditsTests {
  private func position(_ section: Int, _ item: Int) -> ItemPosition { ItemPosition(section: section, item: item) }

  private func edits(_ change: (inout BatchEdits) -> Void) -> BatchEdits {
    var edits = BatchEdits()
    change(&edits)
    return edits
  }

  @Test("Every item and section maps to its new position and back, for any edits", arguments: 0..<200)
  func mapping(seed: UInt64) throws {
    let model = BatchEditsModel(seed: seed, hasSectionEdits: seed % 3 != 0)
    let (before, after) = model.counts
    let changes = try Changeset(model.edits, from: before, to: after)
    for (section, content) in model.before.enumerated() {
      for (index, item) in content.items.enumerated() {
        #expect(
          changes.position(afterUpdateOf: position(section, index))
            == BatchEditsModel.position(of: item, in: model.after))
      }
      let new = model.after.firstIndex { $0.name == content.name }
      #expect(changes.section(afterUpdateOf: section) == new)
    }
    for (section, content) in model.after.enumerated() {
      for (index, item) in content.items.enumerated() {
        #expect(
          changes.position(beforeUpdateOf: position(section, index))
            == BatchEditsModel.position(of: item, in: model.before))
      }
      let old = model.before.firstIndex { $0.name == content.name }
      #expect(changes.section(beforeUpdateOf: section) == old)
    }
    func named(_ positions: [ItemPosition]) -> Set<Int> {
      Set(positions.map { model.after[$0.section].items[$0.item] })
    }
    #expect(named(changes.reloads) == model.reloaded)
    #expect(named(changes.reconfigures) == model.reconfigured)
    #expect(changes.reloads == changes.reloads.sorted() && changes.reconfigures == changes.reconfigures.sorted())
    #expect(changes.itemMoves.count == model.edits.moves.count)
    #expect(changes.isEmpty == model.edits.isEmpty)
  }

  @Test("An item count that is off by one throws an error with the counts", arguments: 0..<100)
  func counts(seed: UInt64) {
    let model = BatchEditsModel(seed: 1_000 + seed, hasSectionEdits: seed % 2 == 0)
    var (before, after) = model.counts
    let reloaded = model.edits.sectionReloads.compactMap { old in
      model.after.firstIndex { $0.name == model.before[old].name }
    }
    let checked = model.after.indices.filter { new in
      !reloaded.contains(new) && model.before.contains { $0.name == model.after[new].name }
    }
    guard let section = checked.first else { return }
    after[section] += 1
    #expect {
      try model.edits.check(from: before, to: after)
    } throws: { error in
      guard case .itemCount(section, _, let count, _, _, _, _)? = error as? BatchUpdateError else { return false }
      return count == after[section]
    }
    before.append(0)
    #expect {
      try model.edits.check(from: before, to: after)
    } throws: { error in
      guard case .sectionCount(let old, let new, _, _)? = error as? BatchUpdateError else { return false }
      return old == before.count && new == after.count
    }
  }

  @Test("Only items that are inserted at the very end are an append")
  func append() throws {
    let last = edits { $0.inserts = [position(1, 3), position(1, 2)] }
    #expect(try Changeset(last, from: [4, 2], to: [4, 4]).isAppendOnly)
    let first = edits { $0.inserts = [position(0, 4)] }
    #expect(try !Changeset(first, from: [4, 2], to: [5, 2]).isAppendOnly)
    let section = edits { $0.sectionInserts = [1] }
    #expect(try Changeset(section, from: [4], to: [4, 9]).isAppendOnly)
    let middle = edits { $0.sectionInserts = [0] }
    #expect(try !Changeset(middle, from: [4], to: [9, 4]).isAppendOnly)
    #expect(try Changeset(BatchEdits(), from: [4], to: [4]).isEmpty)
  }

  @Test("Reconfigurations alone are no structural change, and a reload overrides a reconfiguration")
  func marks() throws {
    let twice = edits { $0.reconfigures = [position(0, 1), position(0, 1)] }
    let changes = try Changeset(twice, from: [3], to: [3])
    #expect(changes.isReconfigureOnly && changes.reconfigures == [position(0, 1)])
    let both = edits {
      $0.reconfigures = [position(0, 1), position(0, 2)]
      $0.reloads = [position(0, 1)]
      $0.deletes = [position(0, 0)]
    }
    let mixed = try Changeset(both, from: [3], to: [2])
    #expect(mixed.reloads == [position(0, 0)] && mixed.reconfigures == [position(0, 1)])
  }

  @Test("Every invalid edit throws its own error")
  func errors() {
    func validationError(
      from before: [Int] = [3, 2], to after: [Int] = [3, 2], _ change: (inout BatchEdits) -> Void
    ) -> BatchUpdateError? {
      do {
        try edits(change).check(from: before, to: after)
        return nil
      } catch { return error }
    }
    #expect(validationError { $0.sectionDeletes = [2] } == .noSection(2, of: 2, isBefore: true))
    #expect(validationError { $0.sectionReloads = [-1] } == .noSection(-1, of: 2, isBefore: true))
    #expect(validationError(to: [3, 2, 1]) { $0.sectionInserts = [3] } == .noSection(3, of: 3, isBefore: false))
    #expect(
      validationError { $0.sectionMoves = [SectionMove(from: 0, to: 5)] } == .noSection(5, of: 2, isBefore: false))
    #expect(validationError { $0.deletes = [position(2, 0)] } == .noSection(2, of: 2, isBefore: true))
    #expect(validationError { $0.reloads = [position(0, 3)] } == .noItem(position(0, 3), of: 3, isBefore: true))
    #expect(validationError { $0.reconfigures = [position(1, -1)] } == .noItem(position(1, -1), of: 2, isBefore: true))
    #expect(
      validationError(to: [4, 2]) { $0.inserts = [position(0, 4)] } == .noItem(position(0, 4), of: 4, isBefore: false))
    #expect(
      validationError { $0.moves = [.init(from: position(0, 0), to: position(2, 0))] }
        == .noSection(2, of: 2, isBefore: false))
    #expect(
      validationError {
        $0.sectionDeletes = [1]
        $0.sectionReloads = [1]
      } == .sectionConflict(1, .delete, .reload))
    #expect(validationError { $0.sectionDeletes = [1, 1] } == .sectionConflict(1, .delete, .delete))
    #expect(
      validationError {
        $0.sectionInserts = [0]
        $0.sectionMoves = [SectionMove(from: 1, to: 0)]
      } == .sectionConflict(0, .insert, .moveTo))
    #expect(
      validationError {
        $0.deletes = [position(0, 1)]
        $0.reloads = [position(0, 1)]
      } == .itemConflict(position(0, 1), .delete, .reload))
    #expect(
      validationError {
        $0.inserts = [position(0, 1)]
        $0.moves = [.init(from: position(0, 2), to: position(0, 1))]
      } == .itemConflict(position(0, 1), .insert, .moveTo))
    #expect(
      validationError {
        $0.reloads = [position(0, 1)]
        $0.moves = [.init(from: position(0, 1), to: position(0, 2))]
      } == .itemConflict(position(0, 1), .reload, .moveAway))
    #expect(
      validationError(to: [2, 2]) {
        $0.deletes = [position(0, 1)]
        $0.reconfigures = [position(0, 1)]
      } == .itemConflict(position(0, 1), .delete, .reconfigure))
    #expect(
      validationError(to: [3, 2, 1]) { _ in } == .sectionCount(before: 2, after: 3, inserted: 0, deleted: 0))
    #expect(
      validationError(to: [3, 3]) {
        $0.deletes = [position(1, 0)]
        $0.moves = [.init(from: position(0, 0), to: position(1, 0))]
        $0.inserts = [position(0, 0)]
      }
        == .itemCount(section: 1, before: 2, after: 3, inserted: 0, deleted: 1, movedIn: 1, movedOut: 0))
  }

  @Test("The error descriptions name the edit and the counts")
  func descriptions() {
    let table: [(BatchUpdateError, String)] = [
      (
        .noSection(2, of: 1, isBefore: true),
        "An update names section 2, and there was 1 section before it, where deletions, reloads and origins of moves count."
      ),
      (
        .noItem(position(1, 4), of: 4, isBefore: false),
        """
        An update names section 1, item 4, and in that section there are 4 items after it, where insertions count.
        """
      ),
      (.sectionConflict(3, .delete, .delete), "An update is to delete section 3 twice. Name it once."),
      (
        .itemConflict(position(0, 1), .insert, .moveTo),
        "An update is to insert and to move something to section 0, item 1. One of them excludes the other."
      ),
      (
        .sectionCount(before: 2, after: 4, inserted: 1, deleted: 0),
        """
        The number of sections contradicts the update: the data source has 4, and there were 2, of which 0 were deleted, \
        and 1 were inserted. Change the data within the update, and name every change.
        """
      ),
      (
        .itemCount(section: 5, before: 10, after: 9, inserted: 1, deleted: 3, movedIn: 2, movedOut: 4),
        """
        The number of items in section 5 contradicts the update: the data source has 9, and there were 10, of which 3 were \
        deleted and 4 moved out, and 1 were inserted and 2 moved in. Change the data within the update, and name every \
        change.
        """
      ),
    ]
    for (error, description) in table { #expect(error.description == description) }
  }
}

// MARK: - Model

/// Random sections of named items before and after edits, and the edits that lead from one to the other.
private struct BatchEditsModel {
  struct Section: Equatable {
    let name: Int
    var items: [Int]
  }

  private(set) var before: [Section] = []
  private(set) var after: [Section] = []
  private(set) var edits = BatchEdits()
  /// The names of the reloaded items.
  private(set) var reloaded: Set<Int> = []
  /// The names of the reconfigured items.
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

    // Sections: deleted ones, ones that keep their order, moved ones, and new ones.
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

    // Items: those that keep their order first, then the moved and inserted ones anywhere.
    var origins: [Int: ItemPosition] = [:]
    var movedItems: [Int] = []
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
        let position = ItemPosition(section: section, item: index)
        origins[item] = position
        let roll = Int.random(in: 0...9, using: &random)
        if roll == 1 {
          movedItems.append(item)
        } else if new == nil || reloadedSections.contains(section) {
          // Deleted with its section: naming it is allowed, but not necessary.
          if roll == 2 { edits.deletes.append(position) }
        } else if roll == 0 {
          edits.deletes.append(position)
        } else if let new {
          after[new].items.append(item)
          if roll == 3 {
            edits.reloads.append(position)
            reloaded.insert(item)
          }
          if roll >= 3, roll <= 4 {
            edits.reconfigures.append(position)
            if roll == 4 { reconfigured.insert(item) }
          }
        }
      }
    }
    guard !after.isEmpty else {
      movedItems.forEach { if let position = origins[$0] { edits.deletes.append(position) } }
      return
    }
    let insertedItems = named(Int.random(in: 0...6, using: &random))
    for item in (movedItems + insertedItems).shuffled(using: &random) {
      let section = Int.random(in: after.indices, using: &random)
      after[section].items.insert(item, at: Int.random(in: 0...after[section].items.count, using: &random))
    }
    for (section, new) in after.enumerated() {
      for (index, item) in new.items.enumerated() {
        let position = ItemPosition(section: section, item: index)
        if movedItems.contains(item), let from = origins[item] { edits.moves.append(.init(from: from, to: position)) }
        if insertedItems.contains(item) { edits.inserts.append(position) }
      }
    }
    shuffle(&random)
  }

  /// Shuffles the edits, because their order is irrelevant.
  private mutating func shuffle(_ random: inout SeededGenerator) {
    edits.deletes.shuffle(using: &random)
    edits.inserts.shuffle(using: &random)
    edits.moves.shuffle(using: &random)
    edits.reloads.shuffle(using: &random)
    edits.sectionMoves.shuffle(using: &random)
  }

  /// Returns the position of an item.
  static func position(of item: Int, in sections: [Section]) -> ItemPosition? {
    for (section, content) in sections.enumerated() {
      if let index = content.items.firstIndex(of: item) { return ItemPosition(section: section, item: index) }
    }
    return nil
  }
}
