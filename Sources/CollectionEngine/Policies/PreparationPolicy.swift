package import FramePacing

/// How it is decided which cells are prepared ahead, in what pieces and when: a value that a view is given.
///
/// A view has ``stepwise`` unless told. The other one is for measuring against.
package struct PreparationPolicy: Sendable {
  /// What is done at once.
  package enum WorkUnit: Hashable, Sendable {
    /// A step of a cell, what it costs guessed by quantiles.
    case step
    /// Everything that a cell lacks, what it costs guessed by running means.
    case cell
  }

  /// Which items are prepared.
  package var order: PreparationOrder
  /// What is done at once.
  package var workUnit: WorkUnit
  /// When it may run.
  package var rule: SlackPolicy
  /// How far cells may wait: what is farther is let go.
  package var extent: KeepExtent

  /// Ours: step by step, all that will be seen and that may be, into the next frame where that can bear it; a turn lets go
  /// of what lay ahead.
  package static let stepwise = PreparationPolicy(
    order: PreparationOrder(), workUnit: .step, rule: .untilNextCommit, extent: .standard)

  /// As Android's RecyclerView does it: a whole cell at a time, of the next row alone, within the frame unless the next one
  /// needs it; a turn lets go of nothing.
  package static let wholeCells: PreparationPolicy = {
    var order = PreparationOrder()
    order.scope = .nextRow
    return PreparationPolicy(
      order: order, workUnit: .cell, rule: .withinFrame, extent: KeepExtent(ahead: 1, behind: 1, farthestAhead: 1))
  }()
}
