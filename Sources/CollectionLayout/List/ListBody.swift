internal import Geometry

/// Rows with lines between them.
struct ListBody<Rows: SectionBody>: SectionBody {
  private(set) var rows: Rows
  private var content: ListContent
  private let room: SectionRoom

  init(_ rows: Rows, _ content: ListContent, in room: SectionRoom) {
    self.rows = rows
    self.content = content
    self.room = room
  }

  var itemCount: Int { rows.itemCount }
  var length: Int { rows.length }
  var breadth: Int { rows.breadth }
  func frame(ofItem item: Int) -> PixelFrame { rows.frame(ofItem: item) }
  func firstItem(in rect: PixelFrame) -> Int? { rows.firstItem(in: rect) }
  func lastItem(in rect: PixelFrame) -> Int? { rows.lastItem(in: rect) }
  func groupStarts(around line: Int) -> (atOrBefore: Int, behind: Int?)? { rows.groupStarts(around: line) }

  /// Two lines at most for each row.
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
    if room.flow == .vertical {
      frame.minX += room.pixels(line.insets.leading)
      frame.maxX -= room.pixels(line.insets.trailing)
      if atEnd { frame.minY = frame.maxY - 1 } else { frame.maxY = frame.minY + 1 }
    } else {
      frame.minY += room.pixels(line.insets.leading)
      frame.maxY -= room.pixels(line.insets.trailing)
      if atEnd { frame.minX = frame.maxX - 1 } else { frame.maxX = frame.minX + 1 }
    }
    guard !frame.isEmpty else { return }
    let kind =
      atEnd ? CollectionLayoutListConfiguration.separatorKind : CollectionLayoutListConfiguration.topSeparatorKind
    list.append(BodySupplementary(kind: kind, item: item, frame: frame, zIndex: 1, isDecoration: true))
  }

  var isSettled: Bool { rows.isSettled }
  mutating func settle(_ stretch: Range<Int>) -> Bool { rows.settle(stretch) }
  mutating func refine(atMost items: Int) -> Bool { rows.refine(atMost: items) }
  func asksForSize(ofItem item: Int) -> Bool { rows.asksForSize(ofItem: item) }

  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int) -> SizeVerdict {
    rows.setPreferredSize(width: width, height: height, ofItem: item)
  }

  /// Lines move nothing: they are asked of the new rules without more being solved anew.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool {
    guard room == self.room, let content = content as? ListContent, rows.update(edits, content: content, room: room)
    else { return false }
    self.content = content
    return true
  }

  func cost(of edits: SectionEdits) -> Int { rows.cost(of: edits) }
}
