public import Geometry

extension SolvedLayout {
  /// The item to which a key takes the focus from another, or nothing when there is none that way.
  ///
  /// Rows are found by geometry: the row above is that of the last item that begins before this one, the row below that
  /// of the first item that ends behind this one's end. In it, the item is taken whose middle is nearest to a coordinate across, by default the middle of the item where the focus is. Who
  /// keeps that coordinate while only rows change comes back to the same column after a short row.
  ///
  /// - Precondition: There is such an item.
  /// - Complexity: That of two questions to the layout, and O(c) for a row of c items.
  public func item(from index: Int, _ move: FocusMove, across: Double? = nil) -> Int? {
    let frame = frame(ofItem: index)
    let across = across ?? middle(of: frame)
    let start = start(of: frame)
    let target: Int? =
      switch move {
      case .previous: index > 0 ? index - 1 : nil
      case .next: index < itemCounts.total - 1 ? index + 1 : nil
      case .first: index > 0 ? 0 : nil
      case .last: index < itemCounts.total - 1 ? itemCounts.total - 1 : nil
      case .up: rowBefore(start, nearest: across)
      case .down: rowBehind(end(of: frame), nearest: across)
      case .pageUp(let points): pageBefore(frame, points, across)
      case .pageDown(let points): pageBehind(frame, points, across)
      }
    return target == index ? nil : target
  }

  /// The middle of an item across the scroll axis: what to keep while only rows change.
  public func middle(of frame: Rect) -> Double { frame.origin[scrollAxis.cross] + frame.size[scrollAxis.cross] / 2 }

  // MARK: Along the scroll axis, as one reads

  /// The line at which an item begins: its far edge where content begins at the end of the axis.
  private func start(of frame: Rect) -> Double {
    frame.origin[scrollAxis] + (beginsAtEnd ? frame.size[scrollAxis] : 0)
  }

  private func end(of frame: Rect) -> Double {
    frame.origin[scrollAxis] + (beginsAtEnd ? 0 : frame.size[scrollAxis])
  }

  /// The middle along the scroll axis: unlike edges, it is never shared with the next row by a rounding error.
  private func center(of frame: Rect) -> Double { frame.origin[scrollAxis] + frame.size[scrollAxis] / 2 }

  /// Whether a line lies behind another.
  private func isBehind(_ line: Double, _ other: Double) -> Bool { beginsAtEnd ? line < other : line > other }

  /// A line moved by a distance.
  private func moved(_ line: Double, by points: Double) -> Double { beginsAtEnd ? line - points : line + points }

  private func region(before line: Double) -> Rect {
    beginsAtEnd ? region(from: line, to: .infinity) : region(from: -.infinity, to: line)
  }

  private func region(behind line: Double) -> Rect {
    beginsAtEnd ? region(from: -.infinity, to: line) : region(from: line, to: .infinity)
  }

  // MARK: Rows

  /// The stretch of the content from a frame's beginning to its end, out to the sides.
  ///
  /// All of a row shares a point with it; but for what a section that scrolls across does not show, which may be a million
  /// items.
  private func band(of frame: Rect) -> Rect {
    region(from: frame.origin[scrollAxis], to: frame.origin[scrollAxis] + frame.size[scrollAxis])
  }

  /// The nearest item of the last row that begins before a line.
  private func rowBefore(_ line: Double, nearest across: Double) -> Int? {
    guard let last = lastItem(in: region(before: line)) else { return nil }
    let edge = frame(ofItem: last)
    let start = start(of: edge)
    let least = firstItem(in: band(of: edge)) ?? last
    var first = last
    while first > least, isBehind(center(of: frame(ofItem: first - 1)), start) { first -= 1 }
    return nearest(to: across, in: first...last)
  }

  /// The nearest item of the first row that ends behind a line.
  private func rowBehind(_ line: Double, nearest across: Double) -> Int? {
    guard let first = firstItem(in: region(behind: line)) else { return nil }
    let edge = frame(ofItem: first)
    let end = end(of: edge)
    let most = lastItem(in: band(of: edge)) ?? first
    var last = first
    while last < most, isBehind(end, center(of: frame(ofItem: last + 1))) { last += 1 }
    return nearest(to: across, in: first...last)
  }

  /// The highest row that begins no further up than a page.
  private func pageBefore(_ frame: Rect, _ points: Double, _ across: Double) -> Int? {
    let start = start(of: frame)
    let line = moved(start, by: -points)
    guard let above = rowBefore(start, nearest: across) else { return nil }
    guard points > 0, let far = rowBehind(line, nearest: across) else { return above }
    let farFrame = self.frame(ofItem: far)
    guard isBehind(line, self.start(of: farFrame)) else { return min(above, far) }
    return min(above, rowBehind(end(of: farFrame), nearest: across) ?? above)
  }

  /// The lowest row that begins no further down than a page.
  private func pageBehind(_ frame: Rect, _ points: Double, _ across: Double) -> Int? {
    guard let below = rowBehind(end(of: frame), nearest: across) else { return nil }
    guard points > 0 else { return below }
    let line = moved(start(of: frame), by: points)
    // A row that begins there counts: more than a rounding error behind.
    guard let far = rowBefore(moved(line, by: line.isFinite ? 16 * line.ulp : 0), nearest: across) else { return below }
    return max(below, far)
  }

  private func nearest(to across: Double, in row: ClosedRange<Int>) -> Int {
    var best = row.lowerBound
    var distance = Double.infinity
    for item in row {
      let away = (middle(of: frame(ofItem: item)) - across).magnitude
      if away < distance { (best, distance) = (item, away) }
    }
    return best
  }
}
