public import Geometry

/// A grid that was solved: every answer is computed from a few whole numbers of pixels.
public struct SolvedGrid: SolvedLayout, Hashable {
  /// The longest side of an item and the largest gap, in pixels.
  static let longest = 1_000_000

  /// What it was solved in.
  public let environment: LayoutEnvironment
  /// The items that it was solved for.
  public let itemCounts: ItemCounts
  /// The extent of the content in points; as wide as the container.
  public let contentSize: Size

  private let rules: GridLayout
  private let columns: GridColumns
  private let rowHeight: Int
  private let rowPitch: Int
  private let bands: [GridBand]

  init(_ layout: GridLayout, in environment: LayoutEnvironment, for counts: ItemCounts) {
    let scale = environment.scale.pixelsPerPoint
    func pixels(_ points: Double) -> Int {
      let pixels = (points * scale).rounded()
      return pixels > 0 ? Int(min(pixels, Double(SolvedGrid.longest))) : 0
    }
    let insets = layout.sectionInsets
    let around = environment.contentInsets
    let left = pixels(around.left) + pixels(insets.left)
    let right = pixels(around.right) + pixels(insets.right)
    // A pixel that the container shows only in part is no room.
    let width = Int(min((environment.containerSize.width * scale).rounded(.down), Double(SolvedGrid.longest)))
    var minimum = 1
    if case .minimumWidth(let points) = layout.columns { minimum = pixels(points) }
    let columns = GridColumns(
      layout.columns, left: left, room: width - left - right, gap: pixels(layout.columnSpacing),
      remainder: layout.remainder, minimum: minimum)
    let ratio = layout.heightRatio > 0 ? min(layout.heightRatio, 1_000) : layout.heightRatio.isNaN ? 1 : 0
    let picture = Int((Double(columns.nominalWidth) * ratio).rounded())
    rowHeight = max(1, min(picture + pixels(layout.captionHeight), SolvedGrid.longest))
    rowPitch = rowHeight + pixels(layout.rowSpacing)

    var bands: [GridBand] = []
    var top = pixels(around.top)
    for section in 0..<counts.numberOfSections {
      let items = counts.items(inSection: section)
      guard !items.isEmpty else { continue }
      top += pixels(insets.top)
      let rowCount = (items.count + columns.count - 1) / columns.count
      bands.append(
        GridBand(firstItem: items.lowerBound, itemCount: items.count, top: top, rowCount: rowCount))
      top += rowCount * rowPitch - (rowPitch - rowHeight) + pixels(insets.bottom)
    }
    rules = layout
    self.environment = environment
    itemCounts = counts
    self.columns = columns
    self.bands = bands
    contentSize = Size(
      width: environment.containerSize.width, height: Double(top + pixels(around.bottom)) / scale)
  }

  /// Grids scroll down.
  public var scrollAxis: Axis { .vertical }

  /// The number of columns, at least 1.
  public var columnCount: Int { columns.count }

  /// The size of the widest item in points: what a picture must have to fill any of them.
  public var largestItemSize: Size {
    let widest = (0..<columns.count).map { columns.edges(of: $0).right - columns.edges(of: $0).left }.max() ?? 1
    return Size(width: points(widest), height: points(rowHeight))
  }

  /// The distance from the top of a row to that of the next in points: what an arrow key scrolls.
  public var rowLength: Double { points(rowPitch) }

  /// Nothing of a grid is kept but its bands: all invalidations cost a band for each section.
  public func cost(of invalidation: LayoutInvalidation) -> InvalidationCost {
    InvalidationCost(sections: itemCounts.numberOfSections, items: 0)
  }

  /// Solves itself anew.
  public mutating func invalidate(_ invalidation: LayoutInvalidation) {
    switch invalidation {
    case .everything: break
    case .environment(let environment): self = SolvedGrid(rules, in: environment, for: itemCounts)
    case .items(let update): self = SolvedGrid(rules, in: environment, for: update.counts)
    }
  }

  /// The frame of an item in points.
  ///
  /// - Precondition: There is such an item.
  /// - Complexity: O(log s) for s sections.
  public func frame(ofItem index: Int) -> Rect {
    demandItem(index)
    let band = bands[firstBand { $0.firstItem > index } - 1]
    let item = index - band.firstItem
    let edges = columns.edges(of: item % columns.count)
    return Rect(
      x: points(edges.left), y: minY(item / columns.count, band), width: points(edges.right - edges.left),
      height: points(rowHeight))
  }

  /// The smallest index of an item that shares a point with a rectangle, or nothing.
  ///
  /// - Complexity: O(log s + log c + b) for s sections and c columns, where b sections at the rectangle's top have no
  ///   item in its columns; in a rectangle as wide as the content that is O(log s).
  public func firstItem(in rect: Rect) -> Int? {
    guard let wanted = columns(in: rect) else { return nil }
    for band in bands[firstBand(where: { maxY($0.rowCount - 1, $0) > rect.minY })...] {
      guard let rows = rows(of: band, in: rect) else { return nil }
      let item = rows.lowerBound * columns.count + wanted.lowerBound
      if item < band.itemCount { return band.firstItem + item }
    }
    return nil
  }

  /// The largest index of an item that shares a point with a rectangle, or nothing.
  ///
  /// - Complexity: That of ``firstItem(in:)``.
  public func lastItem(in rect: Rect) -> Int? {
    guard let wanted = columns(in: rect) else { return nil }
    for band in bands[..<firstBand(where: { minY(0, $0) >= rect.maxY })].reversed() {
      guard let rows = rows(of: band, in: rect) else { return nil }
      var row = rows.upperBound
      if row * columns.count + wanted.lowerBound >= band.itemCount { row -= 1 }
      if row >= rows.lowerBound {
        return band.firstItem + min(row * columns.count + wanted.upperBound, band.itemCount - 1)
      }
    }
    return nil
  }

  /// The columns that share a point with a rectangle; nothing for one that is empty or has an edge that is no number.
  private func columns(in rect: Rect) -> ClosedRange<Int>? {
    guard !rect.isEmpty, !rect.minX.isNaN, !rect.maxX.isNaN, !rect.minY.isNaN, !rect.maxY.isNaN else { return nil }
    let first = columns.first { column in
      let edges = columns.edges(of: column)
      return points(edges.left) + points(edges.right - edges.left) > rect.minX
    }
    let end = columns.first { !(points(columns.edges(of: $0).left) < rect.maxX) }
    return first < end ? first...(end - 1) : nil
  }

  /// The rows of a band that share a point with a rectangle.
  private func rows(of band: GridBand, in rect: Rect) -> ClosedRange<Int>? {
    // Division finds the row to within one; comparing edges, as `Rect` does, settles it.
    var first = row(at: rect.minY, band)
    while first > 0, maxY(first - 1, band) > rect.minY { first -= 1 }
    while first < band.rowCount, !(maxY(first, band) > rect.minY) { first += 1 }
    var last = row(at: rect.maxY, band)
    while last < band.rowCount - 1, minY(last + 1, band) < rect.maxY { last += 1 }
    while last >= 0, !(minY(last, band) < rect.maxY) { last -= 1 }
    return first <= last ? first...last : nil
  }

  private func row(at y: Double, _ band: GridBand) -> Int {
    let row = ((y * environment.scale.pixelsPerPoint - Double(band.top)) / Double(rowPitch)).rounded(.down)
    return row > 0 ? Int(min(row, Double(band.rowCount - 1))) : 0
  }

  private func minY(_ row: Int, _ band: GridBand) -> Double { points(band.top + row * rowPitch) }

  private func maxY(_ row: Int, _ band: GridBand) -> Double { minY(row, band) + points(rowHeight) }

  private func points(_ pixels: Int) -> Double { Double(pixels) / environment.scale.pixelsPerPoint }

  /// The first band for which a property holds that all bands behind it have too.
  private func firstBand(where isBehind: (GridBand) -> Bool) -> Int {
    var low = 0
    var high = bands.count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(bands[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
