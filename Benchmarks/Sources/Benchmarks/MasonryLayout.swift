import VitrineCollectionLayout
import VitrineGeometry

/// A client's layout of nine columns, in which each item is at the end of the shortest one.
///
/// Like the example `Masonry`, but apart from it, so that a change of the example does not change the counts.
/// Items keep their columns in updates. The lengths of the columns before each block of items are stored, so that a frame
/// is found by bisection.
struct MasonryLayout: SectionLayout {
  private struct Item {
    /// The distance from the start of the block in its column.
    var start: Double
    var height: Double
    var column: Int
  }

  private static let blockSize = 128
  private static let columnCount = 9
  private static let spacing = 8.0

  private let height: @Sendable (_ item: Int) -> Double
  private var width = 1.0
  private var blocks: [[Item]] = []
  /// The index of the first item of each block, followed by the number of items.
  private var firsts = [0]
  /// The lengths of all columns before each block, followed by those after the last.
  private var starts: [Double] = []

  init(height: @escaping @Sendable (_ item: Int) -> Double) { self.height = height }

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    let count = Double(Self.columnCount)
    width = max(1, (environment.breadth - (count - 1) * Self.spacing) / count)
    (blocks, firsts, starts) = ([], [0], [Double](repeating: 0, count: Self.columnCount))
    var ends = starts
    for first in stride(from: 0, to: itemCount, by: Self.blockSize) {
      let last = min(first + Self.blockSize, itemCount)
      var block: [Item] = []
      block.reserveCapacity(last - first)
      for index in first..<last {
        let column = Self.shortest(of: ends)
        block.append(
          Item(start: ends[column] - start(of: column, in: blocks.count), height: height(index), column: column))
        ends[column] += height(index) + Self.spacing
      }
      blocks.append(block)
      firsts.append(last)
      starts += ends
    }
  }

  var contentLength: Double { max(0, (starts.suffix(Self.columnCount).max() ?? 0) - Self.spacing) }

  func frame(ofItem index: Int) -> Rect {
    let (block, offset) = position(of: index)
    let item = blocks[block][offset]
    return Rect(
      x: Double(item.column) * (width + Self.spacing), y: start(of: item.column, in: block) + item.start, width: width,
      height: item.height)
  }

  func items(in rect: Rect) -> [Int] {
    var found: [Int] = []
    let columns = 0..<Self.columnCount
    var block = lastBlock { block in columns.allSatisfy { start(of: $0, in: block) <= rect.minY } }
    while block < blocks.count, columns.contains(where: { start(of: $0, in: block) < rect.maxY }) {
      for (offset, item) in blocks[block].enumerated() {
        let top = start(of: item.column, in: block) + item.start
        if top < rect.maxY, top + item.height > rect.minY { found.append(firsts[block] + offset) }
      }
      block += 1
    }
    return found
  }

  mutating func update(_ edits: SectionEdits, adopting rules: MasonryLayout) -> Bool {
    guard edits.removals.isEmpty, !blocks.isEmpty, blocks.allSatisfy({ $0.count < 4 * Self.blockSize }) else {
      return false
    }
    for index in edits.insertions.joined() { insert(rules.height(index), at: index) }
    return true
  }

  private mutating func insert(_ height: Double, at index: Int) {
    let (block, offset) = position(of: index)
    var ends = (0..<Self.columnCount).map { start(of: $0, in: block) }
    for item in blocks[block][..<offset] { ends[item.column] += item.height + Self.spacing }
    let column = Self.shortest(of: ends)
    let item = Item(start: ends[column] - start(of: column, in: block), height: height, column: column)
    blocks[block].insert(item, at: offset)
    for later in (offset + 1)..<blocks[block].count where blocks[block][later].column == column {
      blocks[block][later].start += height + Self.spacing
    }
    for next in (block + 1)...blocks.count {
      starts[next * Self.columnCount + column] += height + Self.spacing
      firsts[next] += 1
    }
  }

  private static func shortest(of ends: [Double]) -> Int {
    var column = 0
    for other in 1..<columnCount where ends[other] < ends[column] { column = other }
    return column
  }

  private func start(of column: Int, in block: Int) -> Double { starts[block * Self.columnCount + column] }

  private func position(of index: Int) -> (block: Int, offset: Int) {
    let block = lastBlock { firsts[$0] <= index }
    return (block, index - firsts[block])
  }

  private func lastBlock(where isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, max(0, blocks.count - 1))
    while low < high {
      let middle = (low + high + 1) / 2
      if isBefore(middle) { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
