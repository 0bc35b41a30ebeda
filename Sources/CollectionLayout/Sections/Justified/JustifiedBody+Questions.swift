internal import DataStructures
internal import Geometry

extension JustifiedBody {
  /// The frame of an item.
  ///
  /// - Complexity: O(log n + i) for n items, of which i are in the item's row.
  func frame(ofItem item: Int) -> PixelFrame {
    let position = segments.position(ofElement: item)
    let segment = segments[position]
    let place = item - position.firstElement
    let row = segment.row(ofItem: place)
    let along = segment.edges(ofRow: row, rules)
    let across = segment.edges(ofItem: place, inRow: row, rules)
    return rules.frame(
      start: position.start + along.start, end: position.start + along.end, from: across.low, to: across.high)
  }

  /// The smallest place of an item that shares a pixel with a rectangle.
  ///
  /// - Complexity: O(log n + i) for n items, of which i are in the rows that the rectangle meets before it meets an item.
  func firstItem(in rect: PixelFrame) -> Int? {
    guard let wanted = stretch(of: rect) else { return nil }
    var position = segments.position(atOffset: wanted.lowerBound)
    var segment = segments[position]
    var row = segment.row(atOffset: wanted.lowerBound - position.start, rules)
    while true {
      let edges = segment.edges(ofRow: row, rules)
      guard position.start + edges.start < wanted.upperBound else { return nil }
      if position.start + edges.end > wanted.lowerBound, let items = items(in: rect, ofRow: row, of: segment) {
        return position.firstElement + items.lowerBound
      }
      row += 1
      if row == segment.rowCount {
        guard position.leaf + 1 < segments.leafCount else { return nil }
        position = segments.position(ofLeaf: position.leaf + 1)
        segment = segments[position]
        row = 0
      }
    }
  }

  /// The largest place of an item that shares a pixel with a rectangle.
  ///
  /// - Complexity: That of ``firstItem(in:)``, counted from the other end.
  func lastItem(in rect: PixelFrame) -> Int? {
    guard let wanted = stretch(of: rect) else { return nil }
    var position = segments.position(atOffset: wanted.upperBound - 1)
    var segment = segments[position]
    var row = segment.row(atOffset: wanted.upperBound - 1 - position.start, rules)
    while true {
      guard position.start + segment.edges(ofRow: row, rules).end > wanted.lowerBound else { return nil }
      if let items = items(in: rect, ofRow: row, of: segment) { return position.firstElement + items.upperBound }
      if row == 0 {
        guard position.leaf > 0 else { return nil }
        position = segments.position(ofLeaf: position.leaf - 1)
        segment = segments[position]
        row = segment.rowCount
      }
      row -= 1
    }
  }

  /// The part of a rectangle along the flow that is within the rows, if any is.
  @inline(__always)
  private func stretch(of rect: PixelFrame) -> Range<Int>? {
    let start = max(0, rect.start(rules.flow))
    let end = min(rect.end(rules.flow), length)
    // Beside all rows there is nothing in any of them.
    let isBeside = rect.start(rules.flow.cross) >= breadth || rect.end(rules.flow.cross) <= 0
    return !rect.isEmpty && !isBeside && start < end ? start..<end : nil
  }

  @inline(__always)
  private func items(in rect: PixelFrame, ofRow row: Int, of segment: JustifiedSegment) -> ClosedRange<Int>? {
    segment.items(ofRow: row, from: rect.start(rules.flow.cross), to: rect.end(rules.flow.cross), rules)
  }

  func groupStarts(around line: Int) -> (atOrBefore: Int, behind: Int?)? {
    guard itemCount > 0 else { return nil }
    let line = max(0, line)
    let position = segments.position(atOffset: line)
    let segment = segments[position]
    let row = segment.row(atOffset: line - position.start, rules)
    let start = position.start + segment.edges(ofRow: row, rules).start
    if row + 1 < segment.rowCount { return (start, position.start + segment.edges(ofRow: row + 1, rules).start) }
    return (start, position.leaf + 1 < segments.leafCount ? position.start + segment.length : nil)
  }
}
