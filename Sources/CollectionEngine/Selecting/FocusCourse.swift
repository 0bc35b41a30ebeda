public import CollectionLayout

/// Where keys take the keyboard from item to item: by geometry, in one column while only rows change.
///
/// A pure machine: it knows a layout only while it is asked.
public struct FocusNavigator: Hashable, Sendable {
  /// The column that is kept, and where the keyboard was when it was.
  private struct Column: Hashable {
    /// The item that rows led to last.
    var item: Int
    /// Where its own middle was across: elsewhere, the layout is another one and so are its columns.
    var center: Double
    /// The column's coordinate across, in points.
    var crossPosition: Double
  }

  private var column: Column?

  /// Keeps no column.
  public init() {}

  /// The item to which a move leads; nothing where there is none that way.
  ///
  /// Moves by rows keep the column in which they began, also through rows that are too short for it; any other begins anew,
  /// as does the keyboard being elsewhere than a move had put it.
  ///
  /// - Parameters:
  ///   - move: where to.
  ///   - lead: where the keyboard is.
  ///   - layout: where items are.
  /// - Precondition: there is an item where the keyboard is.
  /// - Complexity: that of ``CollectionLayout/SolvedLayout/item(from:_:across:)``.
  public mutating func target(of move: FocusMove, from lead: Int, in layout: any SolvedLayout) -> Int? {
    guard move.changesRows else {
      column = nil
      return layout.item(from: lead, move)
    }
    let middle = layout.middle(of: layout.frame(ofItem: lead))
    let kept = column.flatMap { $0.item == lead && $0.center == middle ? $0.crossPosition : nil }
    let across = kept ?? middle
    let target = layout.item(from: lead, move, across: across)
    let item = target ?? lead
    column = Column(item: item, center: layout.middle(of: layout.frame(ofItem: item)), crossPosition: across)
    return target
  }
}

extension FocusMove {
  /// Whether it goes from row to row.
  fileprivate var changesRows: Bool {
    switch self {
    case .up, .down, .pageUp, .pageDown: true
    case .previous, .next, .first, .last: false
    }
  }
}
