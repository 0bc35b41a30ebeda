/// Which sections came, went and changed their order.
struct SectionDifference: Sendable {
  /// The old index of each new section, or -1.
  let origins: [Int]
  /// Old indexes of sections that are gone.
  let deletes: IndexRuns
  /// New indexes of sections that were not there.
  let inserts: IndexRuns
  /// Sections that changed their order, by destination.
  let moves: [SectionMove]
  /// Whether the tables are the same memory, items included.
  let isUntouched: Bool

  /// Makes the difference of sections that are known to have come, gone and moved.
  init(origins: [Int], deletes: IndexRuns, inserts: IndexRuns, moves: [SectionMove]) {
    self.origins = origins
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    isUntouched = false
  }

  /// - Complexity: O(s log s); O(1) for tables that are the same memory.
  init<ID>(from old: SectionTable<ID>, to new: SectionTable<ID>) {
    isUntouched = old.isSame(as: new)
    let isSame = isUntouched || new.records.elementsEqual(old.records) { $0.identifier == $1.identifier }
    guard !isSame else {
      (deletes, inserts, moves) = (IndexRuns(), IndexRuns(), [])
      origins = isUntouched ? [] : Array(old.records.indices)
      return
    }
    let origins = new.records.map { old.rank(of: $0.identifier) ?? -1 }
    var isFound = [Bool](repeating: false, count: old.records.count)
    for origin in origins where origin >= 0 { isFound[origin] = true }
    self.origins = origins
    deletes = IndexRuns(isFound.indices.filter { !isFound[$0] })
    inserts = IndexRuns(origins.indices.filter { origins[$0] < 0 })
    let survivors = origins.indices.filter { origins[$0] >= 0 }
    let stays = LongestIncreasingRun.members(of: survivors.map { origins[$0] })
    moves = zip(survivors, stays).filter { !$0.1 }.map { SectionMove(from: origins[$0.0], to: $0.0) }
  }
}
