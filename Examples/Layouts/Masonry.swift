import CollectionUI

/// A layout of columns in which each item is placed at the end of the shortest one.
///
/// Heights are estimated until cells were measured. An item keeps its column when others are measured, inserted or
/// removed: only later items of the same column move. Columns are summed by blocks, which a query finds by bisection.
nonisolated struct Masonry: SectionLayout {
  private typealias Item = (height: Double, column: Int)
  private static let blockSize = 128

  private let columnCount: Int
  private let spacing: Double
  private let estimatedHeight: @Sendable (_ item: Int, _ width: Double) -> Double
  private var axis = Axis.vertical
  private var width = 1.0
  private var blocks: [[Item]] = []
  /// The index of the first item of each block, followed by the number of items.
  private var firsts = [0]
  /// The positions of all columns at the start of each block, followed by those after the last block.
  private var starts: [Double] = []

  /// Creates a layout of columns with a space between items, and with estimates until cells were measured.
  init(
    columnCount: Int, spacing: Double, estimatedHeight: @escaping @Sendable (_ item: Int, _ width: Double) -> Double
  ) {
    self.columnCount = max(1, columnCount)
    self.spacing = spacing
    self.estimatedHeight = estimatedHeight
  }

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    (axis, width) = (environment.flowAxis, columnWidth(in: environment))
    var ends = [Double](repeating: 0, count: columnCount)
    (blocks, firsts, starts) = ([], [0], ends)
    for first in stride(from: 0, to: itemCount, by: Masonry.blockSize) {
      let end = min(first + Masonry.blockSize, itemCount)
      blocks.append((first..<end).map { place($0, after: &ends) })
      firsts.append(end)
      starts += ends
    }
  }

  var contentLength: Double { max(0, (starts.suffix(columnCount).max() ?? 0) - spacing) }

  func frame(ofItem item: Int) -> Rect {
    let (block, offset) = position(of: item)
    let placed = blocks[block][offset]
    var frame = Rect.zero
    (frame.size[axis], frame.size[axis.cross]) = (placed.height, width)
    frame.origin[axis] = end(of: placed.column, before: offset, in: block)
    frame.origin[axis.cross] = Double(placed.column) * (width + spacing)
    return frame
  }

  func items(in rect: Rect) -> [Int] {
    let (low, high) = (rect.origin[axis], rect.origin[axis] + rect.size[axis])
    var found: [Int] = []
    for column in 0..<columnCount {
      for block in lastBlock(where: { start(of: column, in: $0) <= low })..<blocks.count {
        var start = start(of: column, in: block)
        guard start < high else { break }
        guard start < self.start(of: column, in: block + 1) else { continue }
        for (offset, item) in blocks[block].enumerated() where item.column == column && start < high {
          if start + item.height > low { found.append(firsts[block] + offset) }
          start += item.height + spacing
        }
      }
    }
    return found
  }

  var usesPreferredSizes: Bool { true }

  mutating func setPreferredSize(_ size: Size, ofItem item: Int) -> Bool {
    let (block, offset) = position(of: item)
    let (height, column) = blocks[block][offset]
    guard size[axis] != height else { return false }
    blocks[block][offset].height = size[axis]
    move(column, after: block, by: size[axis] - height)
    return true
  }

  mutating func update(_ edits: SectionEdits, adopting rules: Masonry) -> Bool {
    let (removals, insertions) = (edits.removals.flatMap { $0 }, edits.insertions.flatMap { $0 })
    guard rules.columnCount == columnCount, rules.spacing == spacing, removals.count + insertions.count <= 64,
      !blocks.isEmpty, blocks.allSatisfy({ $0.count <= 4 * Masonry.blockSize })
    else { return false }
    for item in removals.reversed() {
      let (block, offset) = position(of: item)
      let removed = blocks[block].remove(at: offset)
      move(removed.column, after: block, by: -(removed.height + spacing), count: -1)
    }
    for item in insertions {
      let (block, offset) = position(of: item)
      var ends = (0..<columnCount).map { end(of: $0, before: offset, in: block) }
      let inserted = rules.place(item, after: &ends, width: width)
      blocks[block].insert(inserted, at: offset)
      move(inserted.column, after: block, by: inserted.height + spacing, count: 1)
    }
    return true
  }

  /// Returns whether the breadth did not change: then the visible length did, and nothing moves.
  mutating func resize(to environment: SectionLayoutEnvironment, adopting rules: Masonry) -> Bool {
    rules.columnCount == columnCount && rules.spacing == spacing && width == columnWidth(in: environment)
  }

  private func columnWidth(in environment: SectionLayoutEnvironment) -> Double {
    max(1, (environment.breadth - Double(columnCount - 1) * spacing) / Double(columnCount))
  }

  /// Places an item at the end of the shortest column.
  private func place(_ item: Int, after ends: inout [Double], width: Double? = nil) -> Item {
    var column = 0
    for other in 1..<max(1, columnCount) where ends[other] < ends[column] { column = other }
    let height = estimatedHeight(item, width ?? self.width)
    ends[column] += height + spacing
    return (height, column)
  }

  private func start(of column: Int, in block: Int) -> Double { starts[block * columnCount + column] }

  private func end(of column: Int, before offset: Int, in block: Int) -> Double {
    blocks[block][..<offset].reduce(start(of: column, in: block)) { end, item in
      item.column == column ? end + item.height + spacing : end
    }
  }

  private func position(of item: Int) -> (block: Int, offset: Int) {
    let block = lastBlock { firsts[$0] <= item }
    return (block, item - firsts[block])
  }

  private func lastBlock(where isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, max(0, blocks.count - 1))
    while low < high {
      let middle = (low + high + 1) / 2
      if isBefore(middle) { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private mutating func move(_ column: Int, after block: Int, by distance: Double, count: Int = 0) {
    for next in (block + 1)...blocks.count {
      starts[next * columnCount + column] += distance
      firsts[next] += count
    }
  }
}
