public import DiffableData

/// Which items are selected, from where ranges go, and where the keyboard is: a pure machine.
///
/// Items are named by flat index, in runs: a million selected items that lie together cost one run. An item is itself
/// through updates, as the machine is told of each how it numbered the items anew.
public struct Selection: Hashable, Sendable {
  /// What is selected.
  public private(set) var items = IndexRuns()
  /// The item from which ranges go: the one that was chosen or toggled last.
  public private(set) var anchor: Int?
  /// The item where the keyboard is.
  public private(set) var lead: Int?

  /// Nothing is selected.
  public init() {}

  /// Whether an item is selected.
  ///
  /// - Complexity: O(log r) for r runs.
  public func contains(_ item: Int) -> Bool { items.contains(item) }

  /// What a gesture would change.
  ///
  /// Items that are not there are ignored.
  ///
  /// - Parameters:
  ///   - gesture: what was done.
  ///   - count: all items.
  ///   - mode: how many items can be selected.
  /// - Complexity: O(r) for the runs before and after; of an exchange, for those between the first and the last that it names.
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

  /// Takes a change over, whole or in part.
  public mutating func apply(_ change: SelectionChange) {
    items.subtract(change.deselected)
    items.formUnion(change.selected)
    anchor = change.anchor
    lead = change.lead
  }

  /// The keyboard is at another item, or nowhere; nothing is selected by that.
  public mutating func setLead(_ item: Int?) { lead = item }

  /// Ranges go from another item, and the keyboard is there.
  public mutating func moveAnchor(to item: Int) {
    anchor = item
    lead = item
  }

  /// The items are numbered anew: what is selected stays so, and what is gone hands anchor and lead on to the next item,
  /// or to the one before.
  ///
  /// - Complexity: O(r log r) for the runs of the selection and of the renumbering.
  public mutating func apply(_ numbers: ItemIndexMap) {
    apply(numbers, selecting: numbers.mapped(items))
  }

  /// The items are numbered anew, and what is selected by the new numbers was found before.
  ///
  /// - Parameters:
  ///   - numbers: the new numbers of anchor and lead at least, and of items around them.
  ///   - selected: what is selected, by the new numbers.
  /// - Complexity: O(log s) for s stretches of the renumbering.
  public mutating func apply(_ numbers: ItemIndexMap, selecting selected: IndexRuns) {
    items = selected
    anchor = anchor.flatMap { numbers.newIndex(atOrAround: $0) }
    lead = lead.flatMap { numbers.newIndex(atOrAround: $0) }
  }

  /// What would be selected; nothing where a gesture does nothing.
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
    _ kept: IndexRuns, _ more: IndexRuns, _ mode: SelectionMode, _ change: inout SelectionChange
  ) -> IndexRuns? {
    guard let last = more.last else { return kept }
    change.anchor = change.anchor ?? last
    change.lead = change.lead ?? last
    return mode == .multiple ? kept.union(more) : IndexRuns(last..<(last + 1))
  }
}
