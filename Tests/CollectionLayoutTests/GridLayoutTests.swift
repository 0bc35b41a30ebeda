import CollectionLayout
import Geometry
import TestSupport
import Testing

@Suite("A grid places items in rows that fill the width exactly")
struct GridLayoutTests {
  @Test("Four columns of 100 points with gaps, insets and captions")
  func literalFrames() {
    let layout = GridLayout(
      columns: .count(4), columnSpacing: 8, rowSpacing: 10,
      sectionInsets: Insets(top: 12, left: 6, bottom: 20, right: 6),
      heightRatio: 0.75, captionHeight: 15)
    let environment = LayoutEnvironment(containerSize: Size(width: 436, height: 300))
    let grid = layout.solved(in: environment, for: ItemCounts([6, 0, 1]))
    #expect(grid.columnCount == 4)
    #expect(grid.frame(ofItem: 0) == Rect(x: 6, y: 12, width: 100, height: 90))
    #expect(grid.frame(ofItem: 3) == Rect(x: 330, y: 12, width: 100, height: 90))
    #expect(grid.frame(ofItem: 5) == Rect(x: 114, y: 112, width: 100, height: 90))
    // Rows end at 202, then 20 below and 12 above; the empty section takes nothing.
    #expect(grid.frame(ofItem: 6) == Rect(x: 6, y: 234, width: 100, height: 90))
    #expect(grid.contentSize == Size(width: 436, height: 344))
    #expect(grid.largestItemSize == Size(width: 100, height: 90))
    #expect(grid.rowLength == 100)
  }

  @Test("As many columns as fit at a minimum width", arguments: [(399.0, 3), (400, 3), (420, 4), (99, 1), (10, 1)])
  func minimumWidth(width: Double, columns: Int) {
    let layout = GridLayout(columns: .minimumWidth(100), columnSpacing: 5)
    let grid = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: width, height: 300)), for: ItemCounts([9]))
    #expect(grid.columnCount == columns)
  }

  @Test("Pixels that cannot be shared out go to items, or to gaps and all items are equal")
  func remainder() {
    let environment = LayoutEnvironment(containerSize: Size(width: 101, height: 300))
    let widths = { (remainder: GridLayout.Remainder) -> [Double] in
      let grid = GridLayout(columns: .count(3), columnSpacing: 2, remainder: remainder)
        .solved(in: environment, for: ItemCounts([3]))
      return (0..<3).map { grid.frame(ofItem: $0).width }
    }
    #expect(widths(.items).sorted() == [32, 32, 33])
    #expect(widths(.gaps) == [32, 32, 32])
  }

  @Test("In pixels the columns fill the room exactly and neighbours keep their gap, at every scale")
  func columnsFillTheRoom() {
    var random = SeededGenerator(seed: 51)
    for _ in 0..<2_000 {
      let scale = DisplayScale(pixelsPerPoint: [1, 1.25, 1.5, 2, 3].randomElement(using: &random) ?? 1)
      let count = Int.random(in: 1...40, using: &random)
      let gap = Double(Int.random(in: 0...6, using: &random)) / scale.pixelsPerPoint
      let remainder: GridLayout.Remainder = random.chance(oneIn: 2) ? .items : .gaps
      let layout = GridLayout(columns: .count(count), columnSpacing: gap, rowSpacing: gap, remainder: remainder)
      let width = Double(Int.random(in: 300...2_000, using: &random)) / scale.pixelsPerPoint
      let grid = layout.solved(
        in: LayoutEnvironment(containerSize: Size(width: width, height: 500), scale: scale),
        for: ItemCounts([3 * count]))
      #expect(grid.columnCount == count)
      let row = (0..<count).map { scale.pixelRect(grid.frame(ofItem: $0)) }
      let below = scale.pixelRect(grid.frame(ofItem: count))
      #expect(row.first?.x == 0)
      #expect(row.last?.maxX == scale.pixel(width))
      let gaps = zip(row, row.dropFirst()).map { $1.x - $0.maxX }
      let wanted = scale.pixel(gap)
      #expect(gaps.allSatisfy { $0 == wanted || (remainder == .gaps && $0 == wanted + 1) })
      let widths = Set(row.map(\.width))
      #expect(remainder == .gaps ? widths.count == 1 : (widths.max() ?? 0) - (widths.min() ?? 0) <= 1)
      #expect(below.y - (row.first?.maxY ?? 0) == wanted)
      #expect(Set(row.map(\.height)).count == 1)
    }
  }

  @Test("What lies in a rectangle is what intersects it, one by one")
  func rectanglesLikeBruteForce() {
    var random = SeededGenerator(seed: 52)
    for _ in 0..<1_500 {
      let grid = random.grid()
      let frames = (0..<grid.itemCounts.total).map { grid.frame(ofItem: $0) }
      for _ in 0..<12 {
        var rect = Rect(
          x: .random(in: -100...900, using: &random),
          y: .random(in: -100...(grid.contentSize.height + 100), using: &random),
          width: .random(in: 0.1...600, using: &random), height: .random(in: 0.1...700, using: &random))
        // Half of them touch edges exactly.
        if random.chance(oneIn: 2), let frame = frames.randomElement(using: &random) {
          rect.origin = Point(
            x: random.chance(oneIn: 2) ? frame.maxX : frame.minX, y: random.chance(oneIn: 2) ? frame.maxY : frame.minY)
        }
        if random.chance(oneIn: 4), let frame = frames.randomElement(using: &random) {
          rect = Rect(x: 0, y: frame.minY - 50, width: frame.minX, height: 50)
        }
        let hit = frames.indices.filter { !rect.isEmpty && frames[$0].intersects(rect) }
        #expect(grid.firstItem(in: rect) == hit.first)
        #expect(grid.lastItem(in: rect) == hit.last)
        #expect(grid.items(in: rect) == (hit.first.map { $0..<((hit.last ?? $0) + 1) } ?? 0..<0))
      }
    }
  }

  @Test("No two items overlap, and all are within the content")
  func noOverlap() {
    var random = SeededGenerator(seed: 53)
    for _ in 0..<300 {
      let grid = random.grid()
      let scale = grid.environment.scale
      let frames = (0..<grid.itemCounts.total).map { scale.pixelRect(grid.frame(ofItem: $0)) }
      let bottom = scale.pixel(grid.contentSize.height)
      for (index, frame) in frames.enumerated() {
        #expect(!frame.isEmpty && frame.x >= 0 && frame.y >= 0 && frame.maxY <= bottom)
        for other in frames[..<index] { #expect(frame.intersection(other).isEmpty) }
      }
    }
  }

  @Test("Ten million items: beyond a billion points every edge is exact")
  func tenMillion() {
    let layout = GridLayout(columns: .count(2), columnSpacing: 2, rowSpacing: 3, heightRatio: 1.25)
    let environment = LayoutEnvironment(
      containerSize: Size(width: 602, height: 800), scale: DisplayScale(pixelsPerPoint: 2))
    let grid = layout.solved(in: environment, for: ItemCounts([10_000_001]))
    let pitch = 300 * 1.25 + 3
    #expect(grid.contentSize.height == 5_000_001 * pitch - 3)
    #expect(grid.frame(ofItem: 10_000_000) == Rect(x: 0, y: 5_000_000 * pitch, width: 300, height: 375))
    var random = SeededGenerator(seed: 54)
    for _ in 0..<2_000 {
      let index = Int.random(in: 6_000_000...10_000_000, using: &random)
      let frame = grid.frame(ofItem: index)
      #expect(frame.minY == Double(index / 2) * pitch && frame.minY > 1e9)
      #expect(frame.minX == (index % 2 == 0 ? 0 : 302))
      #expect(grid.firstItem(in: frame) == index && grid.lastItem(in: frame) == index)
      let above = Rect(x: 0, y: frame.minY - 3, width: 602, height: 3)
      #expect(grid.items(in: above).isEmpty)
      let row = index / 2 * 2
      let visible = Rect(x: 0, y: frame.maxY - 0.5, width: 602, height: 800)
      // Half a point of this row, two rows and a part of a third.
      #expect(grid.items(in: visible) == row..<min(row + 8, 10_000_001))
    }
  }

  @Test("Sections by the thousand are found at once")
  func manySections() {
    let counts = (0..<5_000).map { $0 % 7 == 3 ? 0 : $0 % 11 + 1 }
    let layout = GridLayout(columns: .count(4), rowSpacing: 1, sectionInsets: Insets(top: 20))
    let grid = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 400, height: 300)), for: ItemCounts(counts))
    var top = 0.0
    for (section, count) in counts.enumerated() where count > 0 {
      let first = grid.itemCounts.items(inSection: section).lowerBound
      #expect(grid.frame(ofItem: first).minY == top + 20)
      #expect(grid.firstItem(in: Rect(x: 0, y: top, width: 400, height: 21)) == first)
      #expect(grid.firstItem(in: Rect(x: 0, y: top, width: 400, height: 20)) == nil)
      let rows = Double((count + 3) / 4)
      top += 20 + rows * 101 - 1
    }
    #expect(grid.contentSize.height == top)
  }
}
