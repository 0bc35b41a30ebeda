public import DiffableData

/// What a gesture changes about a selection; part of it may be refused before it is taken.
public struct SelectionChange: Hashable, Sendable {
  /// Items that come to be selected.
  public internal(set) var selected = IndexRuns()
  /// Items that are selected no more.
  public internal(set) var deselected = IndexRuns()
  /// From where ranges go afterwards.
  public internal(set) var anchor: Int?
  /// Where the keyboard is afterwards.
  public internal(set) var lead: Int?

  /// Whether the same items are selected afterwards.
  public var isEmpty: Bool { selected.isEmpty && deselected.isEmpty }

  /// The change without some items.
  ///
  /// - Parameters:
  ///   - unselectable: items that may not be selected.
  ///   - kept: items that may not be deselected.
  public func without(selecting unselectable: IndexRuns, deselecting kept: IndexRuns) -> SelectionChange {
    var change = self
    change.selected = selected.subtracting(unselectable)
    change.deselected = deselected.subtracting(kept)
    return change
  }
}
