import CollectionLayout
import DataStructures
import Geometry
import TestSupport
import Testing

@Suite("Sizes that cannot be meant are data, not mistakes")
struct DegenerateGridTests {
  @Test("Nothing hangs, traps or is not finite, whatever the numbers")
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
      for move in [FocusMove.up, .down, .next, .previous, .pageUp(number()), .pageDown(number()), .first, .last]
      where grid.columnCount < 2_000 {
        let target = grid.item(from: 1, move, across: random.chance(oneIn: 2) ? number() : nil)
        #expect(target.map { (0..<grid.itemCounts.total).contains($0) && $0 != 1 } ?? true)
      }
    }
  }

  @Test("No items: nothing is anywhere, and the content is its insets")
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

  @Test("A window without width still has a column")
  func noWidth() {
    let grid = GridLayout(columns: .count(5), columnSpacing: 4)
      .solved(in: LayoutEnvironment(containerSize: .zero), for: ItemCounts([10]))
    #expect(grid.columnCount == 1)
    #expect(grid.frame(ofItem: 9) == Rect(x: 0, y: 9, width: 1, height: 1))
  }

  @Test("Asking for an item that is not there is a mistake, and says so")
  func itemThatIsNotThere() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let grid = GridLayout(columns: .count(2))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 100, height: 100)), for: ItemCounts([3]))
      _ = grid.frame(ofItem: 3)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("There is no item 3 among 3."))
  }

  @Test("An environment's insets leave what they leave, and never less than nothing")
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
