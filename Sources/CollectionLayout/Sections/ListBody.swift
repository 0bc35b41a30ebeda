internal import VitrineGeometry

/// The rules of a list section.
struct ListContent: MeasurableContent {
  let configuration: CollectionLayoutListConfiguration

  private var metrics: ListMetrics { ListMetrics(configuration.appearance) }

  private var rowHeight: CollectionLayoutDimension { configuration.rowHeight ?? .estimated(metrics.rowHeight) }

  func dependsOnVisibleLength(along flow: Axis) -> Bool { rowHeight.isShare(of: flow) }

  /// - Complexity: O(1).
  func body(of itemCount: Int, in container: SectionContainer) -> any SectionBody {
    if let rows = fixedRows(of: itemCount, in: container) { return ListBody(rows, self, in: container) }
    let rows = MeasuredBody(of: max(0, itemCount), group: measurableGroup(in: container), in: container)
    return rows.group.sharesLength
      ? ListBody(SharedLengthBody(rows), self, in: container) : ListBody(rows, self, in: container)
  }

  func measurableGroup(in container: SectionContainer) -> any MeasurableGroup {
    RowGroup(
      flow: container.flow, breadth: max(1, container.pixelLength(container.flow.cross)),
      estimate: max(1, container.pixels(rowHeight.value)),
      sharesLength: rowHeight.rule == .uniformAcrossSiblings)
  }

  /// Returns the rows if their height is fixed; nil if they are self-sizing.
  func fixedRows(of itemCount: Int, in container: SectionContainer) -> FixedRowsBody? {
    guard !rowHeight.isEstimated else { return nil }
    let row = container.pixels(rowHeight.length(in: container.size))
    let header = configuration.headerMode == .firstItemInSection
    return FixedRowsBody(
      of: itemCount, row: row, first: header ? container.pixels(metrics.headerHeight) : row, in: container)
  }

  // MARK: - Separators

  /// The separator at an edge of a row.
  struct Line: Hashable {
    var isVisible: Bool
    var insets: DirectionalEdgeInsets
  }

  /// Returns the separators at the top and bottom of a row.
  ///
  /// - Complexity: O(1), plus two calls of the client's handler: for the row and the one before it.
  func lines(ofItem item: Int, of count: Int) -> (top: Line, bottom: Line) {
    var lines = ownLines(ofItem: item, of: count)
    if lines.top.isVisible, item > 0, ownLines(ofItem: item - 1, of: count).bottom.isVisible {
      lines.top.isVisible = false
    }
    return lines
  }

  private func ownLines(ofItem item: Int, of count: Int) -> (top: Line, bottom: Line) {
    let defaults = configuration.separatorConfiguration
    let own = configuration.itemSeparatorHandler?(item, defaults) ?? defaults
    let first = configuration.headerMode == .firstItemInSection ? 1 : 0
    // The separators around a group span the full width, unless their visibility is set explicitly.
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
    _ visibility: ListSeparatorConfiguration.Visibility, _ insets: DirectionalEdgeInsets, automatic: Bool, isEdge: Bool
  ) -> Line {
    guard configuration.showsSeparators else { return Line(isVisible: false, insets: insets) }
    switch visibility {
    case .automatic: return Line(isVisible: automatic, insets: isEdge ? .zero : insets)
    case .visible: return Line(isVisible: true, insets: insets)
    case .hidden: return Line(isVisible: false, insets: insets)
    }
  }
}

// MARK: - Body

/// Rows with separators.
struct ListBody<Rows: SectionBody>: SectionBody {
  private(set) var rows: Rows
  private var content: ListContent
  private let container: SectionContainer

  init(_ rows: Rows, _ content: ListContent, in container: SectionContainer) {
    self.rows = rows
    self.content = content
    self.container = container
  }

  var itemCount: Int { rows.itemCount }
  var length: Int { rows.length }
  var breadth: Int { rows.breadth }
  func frame(ofItem item: Int) -> PixelFrame { rows.frame(ofItem: item) }
  func firstItem(in rect: PixelFrame) -> Int? { rows.firstItem(in: rect) }
  func lastItem(in rect: PixelFrame) -> Int? { rows.lastItem(in: rect) }
  func groupStarts(around line: Int) -> (atOrBefore: Int, after: Int?)? { rows.groupStarts(around: line) }

  /// The rows without the header.
  var backgroundItems: Range<Int> {
    (content.configuration.headerMode == .firstItemInSection ? min(1, itemCount) : 0)..<itemCount
  }

  /// Appends at most two separators for each row.
  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary]) {
    guard content.configuration.showsSeparators else { return }
    for item in items.clamped(to: 0..<itemCount) {
      let lines = content.lines(ofItem: item, of: itemCount)
      append(lines.top, atEnd: false, of: item, to: &list)
      append(lines.bottom, atEnd: true, of: item, to: &list)
    }
  }

  private func append(_ line: ListContent.Line, atEnd: Bool, of item: Int, to list: inout [BodySupplementary]) {
    guard line.isVisible else { return }
    var frame = rows.frame(ofItem: item)
    if container.flow == .vertical {
      frame.minX += container.pixels(line.insets.leading)
      frame.maxX -= container.pixels(line.insets.trailing)
      if atEnd { frame.minY = frame.maxY - 1 } else { frame.maxY = frame.minY + 1 }
    } else {
      frame.minY += container.pixels(line.insets.leading)
      frame.maxY -= container.pixels(line.insets.trailing)
      if atEnd { frame.minX = frame.maxX - 1 } else { frame.maxX = frame.minX + 1 }
    }
    guard !frame.isEmpty else { return }
    let kind =
      atEnd ? CollectionLayoutListConfiguration.separatorKind : CollectionLayoutListConfiguration.topSeparatorKind
    list.append(BodySupplementary(kind: kind, item: item, frame: frame, zIndex: 1, isDecoration: true))
  }

  var areFramesFinal: Bool { rows.areFramesFinal }
  mutating func finalizeFrames(in span: Range<Int>) -> Bool { rows.finalizeFrames(in: span) }
  mutating func finalizeFrames(itemBudget items: Int) -> Bool { rows.finalizeFrames(itemBudget: items) }
  func usesPreferredSize(ofItem item: Int) -> Bool { rows.usesPreferredSize(ofItem: item) }

  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int, burst: UInt32) -> PreferredSizeResult {
    rows.setPreferredSize(width: width, height: height, ofItem: item, burst: burst)
  }

  mutating func unfreezeSize(ofItem item: Int) { rows.unfreezeSize(ofItem: item) }

  /// Updates the rows; separators do not affect frames and are computed with the new rules.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool {
    guard container == self.container, let content = content as? ListContent,
      rows.update(edits, content: content, container: container)
    else { return false }
    self.content = content
    return true
  }

  func cost(of edits: SectionEdits) -> Int { rows.cost(of: edits) }
}

// MARK: - Rows of a fixed height

/// Rows of a fixed length, of which the first may have another length.
///
/// No row is stored.
struct FixedRowsBody: GroupedBody, Hashable {
  private(set) var itemCount: Int
  let flow: Axis
  let breadth: Int
  /// The length of the first row, in pixels.
  private let firstLength: Int
  private let rowLength: Int
  private let spacing: Int

  /// Creates rows.
  ///
  /// - Parameters:
  ///   - itemCount: The number of rows.
  ///   - row: The length of a row in pixels; at least 1 is used.
  ///   - first: The length of the first row in pixels; at least 1 is used.
  ///   - container: The container.
  init(of itemCount: Int, row: Int, first: Int, in container: SectionContainer) {
    self.itemCount = max(0, itemCount)
    flow = container.flow
    breadth = max(1, container.pixelLength(container.flow.cross))
    rowLength = max(1, row)
    firstLength = max(1, first)
    spacing = container.pixels(container.interGroupSpacing)
  }

  var slotCount: Int { 1 }
  var groupCount: Int { itemCount }

  var length: Int { itemCount > 0 ? firstLength + (itemCount - 1) * (rowLength + spacing) : 0 }

  func frame(ofItem item: Int) -> PixelFrame {
    let start = start(ofGroup: item)
    let end = start + (item == 0 ? firstLength : rowLength)
    return flow == .vertical
      ? PixelFrame(minX: 0, minY: start, maxX: breadth, maxY: end)
      : PixelFrame(minX: start, minY: 0, maxX: end, maxY: breadth)
  }

  func group(atOffset line: Int) -> Int {
    let beyond = line - firstLength - spacing
    return beyond < 0 ? 0 : min(1 + beyond / (rowLength + spacing), itemCount - 1)
  }

  func start(ofGroup group: Int) -> Int {
    group == 0 ? 0 : firstLength + spacing + (group - 1) * (rowLength + spacing)
  }

  /// Returns all rows, which span the same range along the cross axis.
  func identicalGroups(around group: Int) -> Range<Int> { 0..<itemCount }

  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool {
    guard let content = content as? ListContent, content.fixedRows(of: itemCount, in: container) == self else {
      return false
    }
    itemCount = max(0, itemCount + edits.countDelta)
    return true
  }

  func cost(of edits: SectionEdits) -> Int { 0 }
}
