public import DiffableData

/// What a person or a program does to a selection.
public enum SelectionGesture: Hashable, Sendable {
  /// An item is to be the only one that is selected: a click, or an arrow key.
  case choose(Int)
  /// An item is to be selected if it is not, and not if it is, beside the others: a click with Control.
  case toggle(Int)
  /// What lies between the anchor and an item, in display order, is to be what is selected, or to be added: a click with
  /// Shift, or with Control and Shift.
  case extend(to: Int, adds: Bool)
  /// Everything is to be selected.
  case all
  /// Nothing is to be selected.
  case clear
  /// These are to be selected beside the others.
  case add(IndexRuns)
  /// These are not to be selected.
  case remove(IndexRuns)
  /// These are to be what is selected, as by a rubber band.
  case replace(IndexRuns)
  /// Some are to be selected and others no more, where any number can be, and anchor and lead stay where they are: what a
  /// step of a rubber band finds.
  case exchange(adding: IndexRuns, removing: IndexRuns)

  /// Whether what it does not name stays selected.
  public var keepsOthers: Bool {
    switch self {
    case .toggle, .add, .remove, .exchange: true
    case .extend(_, let adds): adds
    case .choose, .all, .clear, .replace: false
    }
  }
}
