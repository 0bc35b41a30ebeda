import DiffableData
import TestSupport
import Testing

@Suite("Edits by index mean what they do to arrays: deletions first in old places, then insertions in new ones")
struct BatchEditsTests {
  private func place(_ section: Int, _ item: Int) -> ItemPosition { ItemPosition(section: section, item: item) }

  private func edits(_ change: (inout BatchEdits) -> Void) -> BatchEdits {
    var edits = BatchEdits()
    change(&edits)
    return edits
  }

  @Test("Every item and section is where its name is, both ways, whatever the edits", arguments: 0..<200)
  func law(seed: UInt64) throws {
    let model = BatchModel(seed: seed, hasSectionEdits: seed % 3 != 0)
    let (before, after) = model.counts
    let changes = try Changeset(model.edits, from: before, to: after)
    for (section, content) in model.before.enumerated() {
      for (index, item) in content.items.enumerated() {
        #expect(
          changes.position(afterUpdateOf: place(section, index)) == BatchModel.position(of: item, in: model.after))
      }
      let new = model.after.firstIndex { $0.name == content.name }
      #expect(changes.section(afterUpdateOf: section) == new)
    }
    for (section, content) in model.after.enumerated() {
      for (index, item) in content.items.enumerated() {
        #expect(
          changes.position(beforeUpdateOf: place(section, index)) == BatchModel.position(of: item, in: model.before))
      }
      let old = model.before.firstIndex { $0.name == content.name }
      #expect(changes.section(beforeUpdateOf: section) == old)
    }
    func named(_ places: [ItemPosition]) -> Set<Int> { Set(places.map { model.after[$0.section].items[$0.item] }) }
    #expect(named(changes.reloads) == model.reloaded)
    #expect(named(changes.reconfigures) == model.reconfigured)
    #expect(changes.reloads == changes.reloads.sorted() && changes.reconfigures == changes.reconfigures.sorted())
    #expect(changes.itemMoves.count == model.edits.moves.count)
    #expect(changes.isEmpty == model.edits.isEmpty)
  }

  @Test("A count of a section that stays and is one off is told with its numbers", arguments: 0..<100)
  func counts(seed: UInt64) {
    let model = BatchModel(seed: 1_000 + seed, hasSectionEdits: seed % 2 == 0)
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
      guard case .itemCount(section, _, let count, _, _, _, _)? = error as? BatchMistake else { return false }
      return count == after[section]
    }
    before.append(0)
    #expect {
      try model.edits.check(from: before, to: after)
    } throws: { error in
      guard case .sectionCount(let old, let new, _, _)? = error as? BatchMistake else { return false }
      return old == before.count && new == after.count
    }
  }

  @Test("Items appended at the very end are an append, and nothing else is")
  func append() throws {
    let last = edits { $0.inserts = [place(1, 3), place(1, 2)] }
    #expect(try Changeset(last, from: [4, 2], to: [4, 4]).isAppendOnly)
    let first = edits { $0.inserts = [place(0, 4)] }
    #expect(try !Changeset(first, from: [4, 2], to: [5, 2]).isAppendOnly)
    let section = edits { $0.sectionInserts = [1] }
    #expect(try Changeset(section, from: [4], to: [4, 9]).isAppendOnly)
    let middle = edits { $0.sectionInserts = [0] }
    #expect(try !Changeset(middle, from: [4], to: [9, 4]).isAppendOnly)
    #expect(try Changeset(BatchEdits(), from: [4], to: [4]).isEmpty)
  }

  @Test("A reconfigure alone is no structural change; with a reload of the same item the reload counts")
  func marks() throws {
    let twice = edits { $0.reconfigures = [place(0, 1), place(0, 1)] }
    let changes = try Changeset(twice, from: [3], to: [3])
    #expect(changes.isReconfigureOnly && changes.reconfigures == [place(0, 1)])
    let both = edits {
      $0.reconfigures = [place(0, 1), place(0, 2)]
      $0.reloads = [place(0, 1)]
      $0.deletes = [place(0, 0)]
    }
    let mixed = try Changeset(both, from: [3], to: [2])
    #expect(mixed.reloads == [place(0, 0)] && mixed.reconfigures == [place(0, 1)])
  }

  @Test("Each mistake is told by name")
  func mistakes() {
    func mistake(
      from before: [Int] = [3, 2], to after: [Int] = [3, 2], _ change: (inout BatchEdits) -> Void
    ) -> BatchMistake? {
      do {
        try edits(change).check(from: before, to: after)
        return nil
      } catch { return error }
    }
    #expect(mistake { $0.sectionDeletes = [2] } == .noSection(2, of: 2, isBefore: true))
    #expect(mistake { $0.sectionReloads = [-1] } == .noSection(-1, of: 2, isBefore: true))
    #expect(mistake(to: [3, 2, 1]) { $0.sectionInserts = [3] } == .noSection(3, of: 3, isBefore: false))
    #expect(
      mistake { $0.sectionMoves = [SectionMove(from: 0, to: 5)] } == .noSection(5, of: 2, isBefore: false))
    #expect(mistake { $0.deletes = [place(2, 0)] } == .noSection(2, of: 2, isBefore: true))
    #expect(mistake { $0.reloads = [place(0, 3)] } == .noItem(place(0, 3), of: 3, isBefore: true))
    #expect(mistake { $0.reconfigures = [place(1, -1)] } == .noItem(place(1, -1), of: 2, isBefore: true))
    #expect(
      mistake(to: [4, 2]) { $0.inserts = [place(0, 4)] } == .noItem(place(0, 4), of: 4, isBefore: false))
    #expect(
      mistake { $0.moves = [.init(from: place(0, 0), to: place(2, 0))] } == .noSection(2, of: 2, isBefore: false))
    #expect(
      mistake {
        $0.sectionDeletes = [1]
        $0.sectionReloads = [1]
      } == .sectionConflict(1, .delete, .reload))
    #expect(mistake { $0.sectionDeletes = [1, 1] } == .sectionConflict(1, .delete, .delete))
    #expect(
      mistake {
        $0.sectionInserts = [0]
        $0.sectionMoves = [SectionMove(from: 1, to: 0)]
      } == .sectionConflict(0, .insert, .moveTo))
    #expect(
      mistake {
        $0.deletes = [place(0, 1)]
        $0.reloads = [place(0, 1)]
      } == .itemConflict(place(0, 1), .delete, .reload))
    #expect(
      mistake {
        $0.inserts = [place(0, 1)]
        $0.moves = [.init(from: place(0, 2), to: place(0, 1))]
      } == .itemConflict(place(0, 1), .insert, .moveTo))
    #expect(
      mistake {
        $0.reloads = [place(0, 1)]
        $0.moves = [.init(from: place(0, 1), to: place(0, 2))]
      } == .itemConflict(place(0, 1), .reload, .moveAway))
    #expect(
      mistake(to: [2, 2]) {
        $0.deletes = [place(0, 1)]
        $0.reconfigures = [place(0, 1)]
      } == .itemConflict(place(0, 1), .delete, .reconfigure))
    #expect(
      mistake(to: [3, 2, 1]) { _ in } == .sectionCount(before: 2, after: 3, inserted: 0, deleted: 0))
    #expect(
      mistake(to: [3, 3]) {
        $0.deletes = [place(1, 0)]
        $0.moves = [.init(from: place(0, 0), to: place(1, 0))]
        $0.inserts = [place(0, 0)]
      }
        == .itemCount(section: 1, before: 2, after: 3, inserted: 0, deleted: 1, movedIn: 1, movedOut: 0))
  }

  @Test("The sentences of mistakes name what was named, and what there is")
  func sentences() {
    let table: [(BatchMistake, String)] = [
      (
        .noSection(2, of: 1, isBefore: true),
        "An update names section 2, and there was 1 section before it, where deletions, reloads and origins of moves count."
      ),
      (
        .noItem(place(1, 4), of: 4, isBefore: false),
        """
        An update names section 1, item 4, and in that section there are 4 items after it, where insertions count.
        """
      ),
      (.sectionConflict(3, .delete, .delete), "An update is to delete section 3 twice. Name it once."),
      (
        .itemConflict(place(0, 1), .insert, .moveTo),
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
    for (mistake, sentence) in table { #expect(mistake.description == sentence) }
  }
}
