internal import Geometry

/// Rows of one length, of which the first may have another: closed form, nothing is stored for any.
struct FixedRowsBody: GroupedBody, Hashable {
  private(set) var itemCount: Int
  let flow: Axis
  let breadth: Int
  /// How long the first row is, in pixels.
  private let firstLength: Int
  private let rowLength: Int
  private let spacing: Int

  /// - Parameters:
  ///   - row: how long a row is, in pixels; at least one is taken.
  ///   - first: how long the first one is.
  init(of itemCount: Int, row: Int, first: Int, in room: SectionRoom) {
    self.itemCount = max(0, itemCount)
    flow = room.flow
    breadth = max(1, room.pixelLength(room.flow.cross))
    rowLength = max(1, row)
    firstLength = max(1, first)
    spacing = room.pixels(room.interGroupSpacing)
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

  /// All rows are as far across.
  func alike(_ group: Int) -> Range<Int> { 0..<itemCount }

  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool {
    guard let content = content as? ListContent, content.fixedRows(of: itemCount, in: room) == self else {
      return false
    }
    itemCount = max(0, itemCount + edits.growth)
    return true
  }

  func cost(of edits: SectionEdits) -> Int { 0 }
}
