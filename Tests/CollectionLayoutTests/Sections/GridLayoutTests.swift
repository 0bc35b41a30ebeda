import Testing
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineGeometry
import VitrineTestSupport

@Suite("A grid lays out items in rows that fill the width exactly")
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
    // The rows end at 202, followed by insets of 20 and 12. The empty section has no height.
    #expect(grid.frame(ofItem: 6) == Rect(x: 6, y: 234, width: 100, height: 90))
    #expect(grid.contentSize == Size(width: 436, height: 344))
    #expect(grid.largestItemSize == Size(width: 100, height: 90))
    #expect(grid.rowLength == 100)
  }

  @Test(
    "A minimum width determines the number of columns", arguments: [(399.0, 3), (400, 3), (420, 4), (99, 1), (10, 1)])
  func minimumWidth(width: Double, columns: Int) {
    let layout = GridLayout(columns: .minimumWidth(100), columnSpacing: 5)
    let grid = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: width, height: 300)), for: ItemCounts([9]))
    #expect(grid.columnCount == columns)
  }

  @Test("A remainder of pixels goes to the items, or to the gaps so that all items are equal")
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

  @Test("Columns fill the width in whole pixels with exact gaps at every scale")
  func columnsFillTheWidth() {
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
      let gapInPixels = scale.pixel(gap)
      #expect(gaps.allSatisfy { $0 == gapInPixels || (remainder == .gaps && $0 == gapInPixels + 1) })
      let widths = Set(row.map(\.width))
      #expect(remainder == .gaps ? widths.count == 1 : (widths.max() ?? 0) - (widths.min() ?? 0) <= 1)
      #expect(below.y - (row.first?.maxY ?? 0) == gapInPixels)
      #expect(Set(row.map(\.height)).count == 1)
    }
  }

  @Test("Items in a rectangle equal those of a linear search")
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
        // Half of the rectangles touch edges exactly.
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

  @Test("Items do not overlap and are inside the content")
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

  @Test("Ten million items: all edges are exact beyond a billion points")
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
      // Half a point of this row, two rows and part of a third one are visible.
      #expect(grid.items(in: visible) == row..<min(row + 8, 10_000_001))
    }
  }

  @Test("Thousands of sections are queried correctly")
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

// MARK: - Extreme sizes

@Suite("Grids with extreme sizes are laid out")
struct DegenerateGridTests {
  @Test("All results are finite with any numbers")
  func extremes() {
    let numbers = EdgeCaseNumbers.doubles
    var random = SeededGenerator(seed: 61)
    func number() -> Double {
      random.chance(oneIn: 3) ? .random(in: 0...500, using: &random) : numbers.randomElement(using: &random) ?? 0
    }
    func count() -> Int { EdgeCaseNumbers.integers.randomElement(using: &random) ?? 0 }
    for _ in 0..<4_000 {
      let layout = GridLayout(
        columns: random.chance(oneIn: 2) ? .count(count()) : .minimumWidth(number()), columnSpacing: number(),
        rowSpacing: number(), sectionInsets: Insets(top: number(), left: number(), bottom: number(), right: number()),
        heightRatio: number(), captionHeight: number(), remainder: random.chance(oneIn: 2) ? .items : .gaps)
      let environment = LayoutEnvironment(
        containerSize: Size(width: number(), height: number()),
        contentInsets: Insets(top: number(), left: number(), bottom: number(), right: number()),
        scale: DisplayScale(pixelsPerPoint: number()))
      let grid = layout.solved(in: environment, for: ItemCounts([count(), 3, count()]))
      #expect(grid.contentSize.height.isFinite && grid.contentSize.height >= 0)
      #expect(grid.columnCount >= 1)
      for index in [0, grid.itemCounts.total / 2, grid.itemCounts.total - 1] {
        let frame = grid.frame(ofItem: index)
        #expect(frame.minX.isFinite && frame.minY.isFinite && !frame.isEmpty)
        #expect(frame.width.isFinite && frame.height.isFinite)
      }
      for _ in 0..<8 {
        let rect = Rect(x: number(), y: number(), width: number(), height: number())
        let items = grid.items(in: rect)
        #expect(items.isEmpty || (items.lowerBound >= 0 && items.upperBound <= grid.itemCounts.total))
        let offset = number()
        #expect((0...grid.maximumOffset).contains(grid.offset(of: grid.anchor(at: offset))))
        #expect((0...grid.maximumOffset).contains(grid.offset(revealingItem: 1, from: offset, margin: number())))
      }
      for move in [FocusHeading.up, .down, .next, .previous, .pageUp(number()), .pageDown(number()), .first, .last]
      where grid.columnCount < 2_000 {
        let target = grid.item(from: 1, move, across: random.chance(oneIn: 2) ? number() : nil)
        #expect(target.map { (0..<grid.itemCounts.total).contains($0) && $0 != 1 } ?? true)
      }
    }
  }

  @Test("A grid without items consists of its insets")
  func noItems() {
    let layout = GridLayout(columns: .count(3), sectionInsets: Insets(uniform: 10))
    let environment = LayoutEnvironment(
      containerSize: Size(width: 300, height: 200), contentInsets: Insets(top: 5, bottom: 7))
    for counts in [[], [0], [0, -4, 0]] {
      let grid = layout.solved(in: environment, for: ItemCounts(counts))
      #expect(grid.contentSize == Size(width: 300, height: 12))
      #expect(grid.items(in: Rect(x: -1e9, y: -1e9, width: 2e9, height: 2e9)).isEmpty)
      #expect(grid.anchor(at: 50) == .start)
      #expect(grid.offset(of: .item(ItemAnchor(item: 3, alignment: .center))) == 0)
      #expect(grid.maximumOffset == 0)
    }
  }

  @Test("A container without width has one column")
  func noWidth() {
    let grid = GridLayout(columns: .count(5), columnSpacing: 4)
      .solved(in: LayoutEnvironment(containerSize: .zero), for: ItemCounts([10]))
    #expect(grid.columnCount == 1)
    #expect(grid.frame(ofItem: 9) == Rect(x: 0, y: 9, width: 1, height: 1))
  }

  @Test("The frame of an item that does not exist stops the program with an error message")
  func missingItem() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let grid = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 100, height: 100)), for: ItemCounts([3]))
      _ = grid.frame(ofItem: 3)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("There is no item 3 among 3."))
  }

  @Test("The effective content size is the container size without the insets, and never negative")
  func effectiveSize() {
    let insets = Insets(top: 1, left: 20, bottom: 2, right: 3)
    let container = Size(width: 100, height: 50)
    let environment = LayoutEnvironment(containerSize: container, contentInsets: insets)
    #expect(environment.effectiveContentSize == Size(width: 77, height: 47))
    let small = LayoutEnvironment(containerSize: Size(width: 9, height: 2), contentInsets: insets)
    #expect(small.effectiveContentSize == .zero)
    for bad in EdgeCaseNumbers.doubles {
      let size = LayoutEnvironment(
        containerSize: Size(width: bad, height: bad),
        contentInsets: Insets(top: bad, left: bad, bottom: bad, right: bad)
      ).effectiveContentSize
      #expect(size.width >= 0 && size.height >= 0 && size.width.isFinite && size.height.isFinite)
    }
  }
}
