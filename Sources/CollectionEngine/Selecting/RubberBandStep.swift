public import DiffableData

/// What a step of a rubber band changes about what is selected.
public struct RubberBandStep: Hashable, Sendable {
  /// Items that are to be selected.
  public internal(set) var selected = IndexRuns()
  /// Items that are to be selected no more.
  public internal(set) var deselected = IndexRuns()

  /// Whether nothing changes.
  public var isEmpty: Bool { selected.isEmpty && deselected.isEmpty }

  /// The same as a gesture.
  public var gesture: SelectionGesture { .exchange(adding: selected, removing: deselected) }
}
