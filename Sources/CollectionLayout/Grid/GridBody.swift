internal import Geometry

/// The items of a grid: every answer is computed from a few whole numbers of pixels.
///
/// Lanes are columns where the flow is down, and rows where it is to the side.
struct GridBody: SectionBody, Hashable {
  private let rules: GridRules
  /// The lanes, across the flow.
  let lanes: GridColumns
  /// How long an item is along the flow.
  let itemLength: Int
  /// From one row to the next along the flow.
  let pitch: Int
  let itemCount: Int
  let breadth: Int
  private let flow: Axis

  /// Places items.
  init(_ rules: GridRules, itemCount: Int, in room: SectionRoom) {
    self.rules = rules
    self.itemCount = itemCount
    flow = room.flow
    breadth = room.pixelLength(room.flow.cross)
    var minimum = 1
    if case .minimumWidth(let points) = rules.columns { minimum = room.pixels(points) }
    lanes = GridColumns(
      rules.columns, left: 0, room: breadth, gap: room.pixels(rules.columnSpacing), remainder: rules.remainder,
      minimum: minimum)
    let nominal = lanes.nominalWidth
    let caption = room.pixels(rules.captionHeight)
    let ratio = rules.boundedRatio
    let length =
      room.flow == .vertical
      ? Int((Double(nominal) * ratio).rounded()) + caption
        // A lane's breadth is the height here; a ratio of 0 leaves the width open, and it is as broad as high.
      : Int((Double(max(1, nominal - caption)) / (ratio > 0.001 ? ratio : 1)).rounded())
    itemLength = max(1, min(length, SectionRoom.longest))
    // A section's space between groups counts where the grid itself asks for none.
    pitch = itemLength + max(room.pixels(rules.rowSpacing), room.pixels(room.interGroupSpacing))
  }

  /// How many rows there are.
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
    guard let rows = rows(in: rect), let wanted = lanes(in: rect) else { return nil }
    let item = rows.lowerBound * lanes.count + wanted.lowerBound
    return item < itemCount ? item : nil
  }

  func lastItem(in rect: PixelFrame) -> Int? {
    guard let rows = rows(in: rect), let wanted = lanes(in: rect) else { return nil }
    var row = rows.upperBound
    // Only the last row may end before the first lane that is wanted.
    if row * lanes.count + wanted.lowerBound >= itemCount { row -= 1 }
    guard row >= rows.lowerBound else { return nil }
    return min(row * lanes.count + wanted.upperBound, itemCount - 1)
  }

  func groupStarts(around line: Int) -> (atOrBefore: Int, behind: Int?)? {
    guard itemCount > 0 else { return nil }
    let row = max(0, min(line / pitch, rowCount - 1))
    return (row * pitch, row + 1 < rowCount ? (row + 1) * pitch : nil)
  }

  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool {
    guard let rules = content as? GridRules, rules == self.rules else { return false }
    self = GridBody(rules, itemCount: itemCount + edits.growth, in: room)
    return true
  }

  func cost(of edits: SectionEdits) -> Int { 0 }

  /// The lanes that share a pixel with a rectangle.
  private func lanes(in rect: PixelFrame) -> ClosedRange<Int>? {
    let low = rect.start(flow.cross)
    let high = rect.end(flow.cross)
    if low <= 0, high >= breadth, high > 0 { return 0...(lanes.count - 1) }
    let first = lanes.first { lanes.edges(of: $0).right > low }
    let end = lanes.first { lanes.edges(of: $0).left >= high }
    return first < end ? first...(end - 1) : nil
  }

  /// The rows that share a pixel with a rectangle.
  private func rows(in rect: PixelFrame) -> ClosedRange<Int>? {
    let low = rect.start(flow)
    let high = rect.end(flow)
    guard itemCount > 0, high > 0, high > low, low < length else { return nil }
    let first = low < itemLength ? 0 : (low - itemLength) / pitch + 1
    let last = min((high - 1) / pitch, rowCount - 1)
    return first <= last ? first...last : nil
  }
}
