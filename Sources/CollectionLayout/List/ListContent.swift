internal import Geometry

/// Rules that place items in rows.
struct ListContent: MeasurableContent {
  let configuration: CollectionLayoutListConfiguration

  private var metrics: ListMetrics { ListMetrics(configuration.appearance) }

  private var rowHeight: CollectionLayoutDimension { configuration.rowHeight ?? .estimated(metrics.rowHeight) }

  func usesSeenLength(_ flow: Axis) -> Bool { rowHeight.isShare(of: flow) }

  /// - Complexity: O(1).
  func body(of itemCount: Int, in room: SectionRoom) -> any SectionBody {
    if let rows = fixedRows(of: itemCount, in: room) { return ListBody(rows, self, in: room) }
    let rows = MeasuredBody(of: max(0, itemCount), group: measurableGroup(in: room), in: room)
    return rows.group.sharesLength
      ? ListBody(SharedLengthBody(rows), self, in: room) : ListBody(rows, self, in: room)
  }

  func measurableGroup(in room: SectionRoom) -> any MeasurableGroup {
    RowGroup(
      flow: room.flow, breadth: max(1, room.pixelLength(room.flow.cross)),
      estimate: max(1, room.pixels(rowHeight.value)),
      sharesLength: rowHeight.rule == .uniformAcrossSiblings)
  }

  /// The rows where cells are not asked how high they are.
  func fixedRows(of itemCount: Int, in room: SectionRoom) -> FixedRowsBody? {
    guard !rowHeight.isEstimated else { return nil }
    let row = room.pixels(rowHeight.length(in: room.size))
    let header = configuration.headerMode == .firstItemInSection
    return FixedRowsBody(of: itemCount, row: row, first: header ? room.pixels(metrics.headerHeight) : row, in: room)
  }

  // MARK: Lines

  /// A line of a row: whether it is there, and how far it stays away from the row's sides.
  struct Line: Hashable {
    var isVisible: Bool
    var insets: DirectionalInsets
  }

  /// The lines at the top and at the bottom of a row.
  ///
  /// - Complexity: O(1), and that of the client's handler for the row and the one before it.
  func lines(ofItem item: Int, of count: Int) -> (top: Line, bottom: Line) {
    var lines = ownLines(ofItem: item, of: count)
    if lines.top.isVisible, item > 0, ownLines(ofItem: item - 1, of: count).bottom.isVisible {
      lines.top.isVisible = false
    }
    return lines
  }

  private func ownLines(ofItem item: Int, of count: Int) -> (top: Line, bottom: Line) {
    let general = configuration.separatorConfiguration
    let own = configuration.itemSeparatorHandler?(item, general) ?? general
    let first = configuration.headerMode == .firstItemInSection ? 1 : 0
    // The lines around a group reach from side to side, where nobody asks for them in particular.
    let isGrouped = configuration.appearance == .grouped
    let isFirst = item == first && isGrouped
    let isLast = item == count - 1
    let isRow = item >= first
    let endsWithLine = configuration.appearance == .plain || isGrouped
    return (
      line(own.topSeparatorVisibility, own.topSeparatorInsets, automatic: isRow && isFirst, isEdge: isFirst),
      line(
        own.bottomSeparatorVisibility, own.bottomSeparatorInsets, automatic: isRow && (!isLast || endsWithLine),
        isEdge: isLast && isGrouped)
    )
  }

  private func line(
    _ visibility: ListSeparatorConfiguration.Visibility, _ insets: DirectionalInsets, automatic: Bool, isEdge: Bool
  ) -> Line {
    guard configuration.showsSeparators else { return Line(isVisible: false, insets: insets) }
    switch visibility {
    case .automatic: return Line(isVisible: automatic, insets: isEdge ? .zero : insets)
    case .visible: return Line(isVisible: true, insets: insets)
    case .hidden: return Line(isVisible: false, insets: insets)
    }
  }
}
