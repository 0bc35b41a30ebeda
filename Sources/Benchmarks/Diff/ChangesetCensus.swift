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
    moves = changeset.movedItemCount
    runs = changeset.itemMoves.count
  }

  var description: String {
    "\(FigureText.count(deletes)) deleted, \(FigureText.count(inserts)) inserted, \(FigureText.count(moves)) moved in "
      + "\(FigureText.count(runs)) runs"
  }
}
