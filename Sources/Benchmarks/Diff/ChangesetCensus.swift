import BenchmarkSupport
import DiffableData

/// How much a changeset lists.
struct ChangesetCensus: CustomStringConvertible {
  private let deletes: Int
  private let inserts: Int
  private let moves: Int
  private let runs: Int

  init(_ changeset: Changeset) {
    deletes = changeset.sections.reduce(0) { $0 + $1.deletes.count }
    inserts = changeset.sections.reduce(0) { $0 + $1.inserts.count }
    moves = changeset.itemMoves.count
    var runs = 0
    var last: ItemMove?
    for move in changeset.itemMoves {
      let goesOn = last.map { last in
        last.from.section == move.from.section && last.to.section == move.to.section
          && last.from.item + 1 == move.from.item && last.to.item + 1 == move.to.item
      }
      if goesOn != true { runs += 1 }
      last = move
    }
    self.runs = runs
  }

  var description: String {
    "\(FigureText.count(deletes)) deleted, \(FigureText.count(inserts)) inserted, \(FigureText.count(moves)) moved in "
      + "\(FigureText.count(runs)) runs"
  }
}
