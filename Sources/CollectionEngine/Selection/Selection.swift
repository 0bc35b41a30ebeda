public import VitrineDiffableData

/// The selected items, the anchor of range selections and the item with keyboard focus.
///
/// Items are stored as runs of flat indices: a million adjacent items use as much memory as one. The indices are
/// updated with every update of the items.
public struct Selection: Hashable, Sendable {
  /// The selected items.
  public private(set) var items = IndexRuns()
  /// The item where range selections start: the last one that was chosen or toggled.
  public private(set) var anchor: Int?
  /// The item with keyboard focus.
  public private(set) var lead: Int?

  /// Creates an empty selection.
  public init() {}

  /// Returns whether an item is selected.
  ///
  /// - Complexity: O(log r) for r runs.
  public func contains(_ item: Int) -> Bool { items.contains(item) }

  /// Returns the changes that a gesture makes.
  ///
  /// Items that do not exist are ignored.
  ///
  /// - Parameters:
  ///   - gesture: The gesture.
  ///   - count: The number of all items.
  ///   - mode: How many items can be selected.
  /// - Complexity: O(r) for the runs before and after. For an exchange, the runs between its first and its last item.
  public func change(by gesture: SelectionGesture, of count: Int, mode: SelectionMode) -> SelectionChange {
    var change = SelectionChange()
    change.anchor = anchor
    change.lead = lead
    let all = 0..<max(0, count)
    if case .exchange(let adding, let removing) = gesture {
      guard mode == .multiple else { return change }
      let more = adding.part(in: all)
      change.selected = more.subtracting(items.part(in: more.hull))
      change.deselected = removing.intersection(items.part(in: removing.hull))
      return change
    }
    guard let target = target(of: gesture, in: all, mode, &change) else { return change }
    change.selected = target.subtracting(items)
    change.deselected = items.subtracting(target)
    return change
  }

  /// Applies a change, or the part of it that was allowed.
  public mutating func apply(_ change: SelectionChange) {
    items.subtract(change.deselected)
    items.formUnion(change.selected)
    anchor = change.anchor
    lead = change.lead
  }

  /// Moves the keyboard focus to another item, or removes it.
  ///
  /// The selection does not change.
  public mutating func setLead(_ item: Int?) { lead = item }

  /// Moves the anchor of range selections and the keyboard focus to an item.
  public mutating func moveAnchor(to item: Int) {
    anchor = item
    lead = item
  }

  /// Updates the indices after an update of the items.
  ///
  /// If the anchor or the lead was deleted, the next item replaces it, or the one before.
  ///
  /// - Complexity: That of ``IndexMap/newIndices(of:)`` for the selected items.
  public mutating func apply(_ map: IndexMap) {
    apply(map, selecting: map.newIndices(of: items))
  }

  /// Updates the indices after an update of the items, with a selection that was mapped in advance.
  ///
  /// - Parameters:
  ///   - map: The map of the update.
  ///   - selected: The selected items, in new indices.
  /// - Complexity: Two questions to the map.
  public mutating func apply(_ map: IndexMap, selecting selected: IndexRuns) {
    items = selected
    anchor = anchor.flatMap(map.newIndex(atOrAround:))
    lead = lead.flatMap(map.newIndex(atOrAround:))
  }

  /// Returns the selection that a gesture leads to, or nil if the gesture has no effect.
  private func target(
    of gesture: SelectionGesture, in all: Range<Int>, _ mode: SelectionMode, _ change: inout SelectionChange
  ) -> IndexRuns? {
    guard mode != .none || isDeselecting(gesture) else { return nil }
    switch gesture {
    case .choose(let item):
      guard all.contains(item) else { return nil }
      change.anchor = item
      change.lead = item
      return IndexRuns(item..<(item + 1))
    case .toggle(let item):
      guard all.contains(item) else { return nil }
      change.anchor = item
      change.lead = item
      let one = IndexRuns(item..<(item + 1))
      if items.contains(item) { return items.subtracting(one) }
      return mode == .multiple ? items.union(one) : one
    case .extend(let item, let adds):
      guard mode == .multiple else { return target(of: .choose(item), in: all, mode, &change) }
      guard all.contains(item) else { return nil }
      let start = anchor.flatMap { all.contains($0) ? $0 : nil } ?? item
      change.anchor = start
      change.lead = item
      let range = IndexRuns(min(start, item)..<(max(start, item) + 1))
      return adds ? items.union(range) : range
    case .all: return mode == .multiple ? IndexRuns(all) : nil
    case .clear: return IndexRuns()
    case .remove(let gone): return items.subtracting(gone)
    case .add(let more): return limitedToMode(items, more.intersection(IndexRuns(all)), mode, &change)
    case .replace(let more): return limitedToMode(IndexRuns(), more.intersection(IndexRuns(all)), mode, &change)
    case .exchange: return nil
    }
  }

  private func isDeselecting(_ gesture: SelectionGesture) -> Bool {
    switch gesture {
    case .clear, .remove: true
    default: false
    }
  }

  private func limitedToMode(
    _ items: IndexRuns, _ more: IndexRuns, _ mode: SelectionMode, _ change: inout SelectionChange
  ) -> IndexRuns? {
    guard let last = more.last else { return items }
    change.anchor = change.anchor ?? last
    change.lead = change.lead ?? last
    return mode == .multiple ? items.union(more) : IndexRuns(last..<(last + 1))
  }
}

// MARK: - Changes, gestures and modes

/// The changes of a selection by a gesture.
///
/// The delegate may refuse parts of it before it is applied.
public struct SelectionChange: Hashable, Sendable {
  /// Items to select.
  public internal(set) var selected = IndexRuns()
  /// Items to deselect.
  public internal(set) var deselected = IndexRuns()
  /// The new anchor of range selections.
  public internal(set) var anchor: Int?
  /// The new item with keyboard focus.
  public internal(set) var lead: Int?

  /// Whether the change selects and deselects no items.
  public var isEmpty: Bool { selected.isEmpty && deselected.isEmpty }

  /// Returns the change without some items.
  ///
  /// - Parameters:
  ///   - unselectable: Items that may not be selected.
  ///   - undeselectable: Items that may not be deselected.
  public func without(selecting unselectable: IndexRuns, deselecting undeselectable: IndexRuns) -> SelectionChange {
    var change = self
    change.selected = selected.subtracting(unselectable)
    change.deselected = deselected.subtracting(undeselectable)
    return change
  }
}

/// A change of a selection by the user or by the program.
public enum SelectionGesture: Hashable, Sendable {
  /// Selects only one item: a click or an arrow key.
  case choose(Int)
  /// Toggles an item and keeps the others: a click with Control.
  case toggle(Int)
  /// Selects the items between the anchor and an item in display order, or adds them: a click with Shift, or with
  /// Control and Shift.
  case extend(to: Int, adds: Bool)
  /// Selects all items.
  case all
  /// Deselects all items.
  case clear
  /// Selects items and keeps the others.
  case add(IndexRuns)
  /// Deselects items.
  case remove(IndexRuns)
  /// Selects only the given items, as with a rubber band.
  case replace(IndexRuns)
  /// Selects some items and deselects others, without changing the anchor and the lead: a step of a rubber band.
  /// Requires multiple selection.
  case exchange(adding: IndexRuns, removing: IndexRuns)

  /// Whether items that the gesture does not name stay selected.
  public var keepsOthers: Bool {
    switch self {
    case .toggle, .add, .remove, .exchange: true
    case .extend(_, let adds): adds
    case .choose, .all, .clear, .replace: false
    }
  }
}

/// How many items can be selected.
public enum SelectionMode: UInt8, Hashable, Sendable {
  /// No items.
  case none
  /// At most one item.
  case single
  /// Any number of items.
  case multiple
}
