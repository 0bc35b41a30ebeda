internal import VitrineGeometry

/// The items of a grid, whose frames are computed from a few whole numbers of pixels.
///
/// Lanes are columns if the flow axis is vertical, otherwise rows.
struct GridBody: SectionBody, Hashable {
  private let rules: GridRules
  /// The lanes along the cross axis.
  let lanes: GridColumns
  /// The length of an item along the flow axis.
  let itemLength: Int
  /// The distance between the starts of two rows along the flow axis.
  let pitch: Int
  let itemCount: Int
  let breadth: Int
  private let flow: Axis

  init(_ rules: GridRules, itemCount: Int, in container: SectionContainer) {
    self.rules = rules
    self.itemCount = itemCount
    flow = container.flow
    breadth = container.pixelLength(container.flow.cross)
    var minimum = 1
    if case .minimumWidth(let points) = rules.columns { minimum = container.pixels(points) }
    lanes = GridColumns(
      rules.columns, left: 0, width: breadth, gap: container.pixels(rules.columnSpacing), remainder: rules.remainder,
      minimum: minimum)
    let nominal = lanes.nominalWidth
    let caption = container.pixels(rules.captionHeight)
    let ratio = rules.boundedRatio
    let length =
      container.flow == .vertical
      ? Int((Double(nominal) * ratio).rounded()) + caption
        // The breadth of a lane is the height here. A ratio of 0 does not determine the width; the item is a square.
      : Int((Double(max(1, nominal - caption)) / (ratio > 0.001 ? ratio : 1)).rounded())
    itemLength = max(1, min(length, SectionContainer.maximumLength))
    // The section's space between groups is the minimum space between rows.
    pitch = itemLength + max(container.pixels(rules.rowSpacing), container.pixels(container.interGroupSpacing))
  }

  /// The number of rows.
  var rowCount: Int { (itemCount + lanes.count - 1) / lanes.count }

  var length: Int { itemCount == 0 ? 0 : (rowCount - 1) * pitch + itemLength }

  var hasSupplementaries: Bool { false }

  func frame(ofItem item: Int) -> PixelFrame {
    let (row, lane) = item.quotientAndRemainder(dividingBy: lanes.count)
    let edges = lanes.edges(of: lane)
    let start = row * pitch
    return flow == .vertical
      ? PixelFrame(minX: edges.left, minY: start, maxX: edges.right, maxY: start + itemLength)
      : PixelFrame(minX: start, minY: edges.left, maxX: start + itemLength, maxY: edges.right)
  }

  func firstItem(in rect: PixelFrame) -> Int? {
    guard let visibleRows = rows(in: rect), let visibleLanes = lanes(in: rect) else { return nil }
    let item = visibleRows.lowerBound * lanes.count + visibleLanes.lowerBound
    return item < itemCount ? item : nil
  }

  func lastItem(in rect: PixelFrame) -> Int? {
    guard let visibleRows = rows(in: rect), let visibleLanes = lanes(in: rect) else { return nil }
    var row = visibleRows.upperBound
    // Only the last row may end before the first visible lane.
    if row * lanes.count + visibleLanes.lowerBound >= itemCount { row -= 1 }
    guard row >= visibleRows.lowerBound else { return nil }
    return min(row * lanes.count + visibleLanes.upperBound, itemCount - 1)
  }

  func groupStarts(around line: Int) -> (atOrBefore: Int, after: Int?)? {
    guard itemCount > 0 else { return nil }
    let row = max(0, min(line / pitch, rowCount - 1))
    return (row * pitch, row + 1 < rowCount ? (row + 1) * pitch : nil)
  }

  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool {
    guard let rules = content as? GridRules, rules == self.rules else { return false }
    self = GridBody(rules, itemCount: itemCount + edits.countDelta, in: container)
    return true
  }

  func cost(of edits: SectionEdits) -> Int { 0 }

  /// Returns the lanes that share a pixel with a rectangle.
  private func lanes(in rect: PixelFrame) -> ClosedRange<Int>? {
    let low = rect.start(flow.cross)
    let high = rect.end(flow.cross)
    if low <= 0, high >= breadth, high > 0 { return 0...(lanes.count - 1) }
    let first = lanes.first { lanes.edges(of: $0).right > low }
    let end = lanes.first { lanes.edges(of: $0).left >= high }
    return first < end ? first...(end - 1) : nil
  }

  /// Returns the rows that share a pixel with a rectangle.
  private func rows(in rect: PixelFrame) -> ClosedRange<Int>? {
    let low = rect.start(flow)
    let high = rect.end(flow)
    guard itemCount > 0, high > 0, high > low, low < length else { return nil }
    let first = low < itemLength ? 0 : (low - itemLength) / pitch + 1
    let last = min((high - 1) / pitch, rowCount - 1)
    return first <= last ? first...last : nil
  }
}

/// The rules of a grid section: lanes of equal breadth along the cross axis and rows of equal length along the flow
/// axis.
struct GridRules: SectionContent, Hashable {
  var columns: GridLayout.Columns
  var columnSpacing: Double
  var rowSpacing: Double
  var heightRatio: Double
  var captionHeight: Double
  var remainder: GridLayout.Remainder

  func dependsOnVisibleLength(along flow: Axis) -> Bool { false }

  /// - Complexity: O(1).
  func body(of itemCount: Int, in container: SectionContainer) -> any SectionBody {
    GridBody(self, itemCount: itemCount, in: container)
  }

  /// The height of an item without caption as a multiple of its width, limited to displayable values.
  var boundedRatio: Double { heightRatio > 0 ? min(heightRatio, 1_000) : heightRatio.isNaN ? 1 : 0 }
}

/// The columns of a grid in whole pixels.
///
/// Edges are computed directly and not accumulated: the last column ends exactly at the end of the container, and the
/// gaps between columns are exact.
struct GridColumns: Hashable, Sendable {
  /// The number of columns, at least 1.
  let count: Int
  private let left: Int
  private let totalWidth: Int
  private let gap: Int
  private let remainder: GridLayout.Remainder

  /// Creates columns that fill a width, which is at least one pixel.
  init(_ columns: GridLayout.Columns, left: Int, width: Int, gap: Int, remainder: GridLayout.Remainder, minimum: Int) {
    let width = max(1, width)
    let fitting =
      switch columns {
      case .count(let count): min(count, (width + gap) / (1 + gap))
      case .minimumWidth: (width + gap) / (max(1, minimum) + gap)
      }
    count = max(1, fitting)
    self.left = left
    totalWidth = width
    self.gap = gap
    self.remainder = remainder
  }

  /// The width from which heights are derived: the rounded mean, or the exact width if the remainder is in the gaps.
  var nominalWidth: Int {
    let widths = totalWidth - gap * (count - 1)
    return max(1, remainder == .gaps ? widths / count : (2 * widths + count) / (2 * count))
  }

  /// Returns the left edge and the exclusive right edge of a column, in pixels.
  func edges(of column: Int) -> (left: Int, right: Int) {
    switch remainder {
    case .items:
      return (start(of: column), start(of: column + 1) - gap)
    case .gaps:
      let width = (totalWidth - gap * (count - 1)) / count
      let slack = totalWidth - gap * (count - 1) - width * count
      let start = left + column * (width + gap) + (count > 1 ? column * slack / (count - 1) : 0)
      return (start, start + width)
    }
  }

  private func start(of column: Int) -> Int { left + (2 * column * (totalWidth + gap) + count) / (2 * count) }

  /// Returns the first column that satisfies a predicate, or ``count`` if none does.
  ///
  /// - Precondition: All columns after one that satisfies the predicate satisfy it too.
  func first(where isBehind: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
