import CollectionLayout
import Geometry
import TestSupport
import Testing

@Suite("What the user looks at stays where it is")
struct ContentAnchorTests {
  private func grid(_ columns: Int, width: Double, height: Double = 500, items: Int = 10_000) -> SolvedComposition {
    GridLayout(columns: .count(columns), columnSpacing: 4, rowSpacing: 4)
      .solved(in: LayoutEnvironment(containerSize: Size(width: width, height: height)), for: ItemCounts([items]))
  }

  @Test("The offset of an offset's anchor is that offset")
  func roundTrip() {
    var random = SeededGenerator(seed: 81)
    for _ in 0..<2_000 {
      let grid = random.grid()
      let offset = Double.random(in: 0...max(1, grid.maximumOffset), using: &random)
      guard grid.itemCounts.total > 0, offset <= grid.maximumOffset else { continue }
      #expect((grid.offset(of: grid.anchor(at: offset)) - offset).magnitude < 1e-9)
    }
  }

  @Test("Through a resize the first visible item keeps the place of it that was uppermost")
  func firstVisibleItemStays() throws {
    var random = SeededGenerator(seed: 82)
    for _ in 0..<1_000 {
      let before = grid(.random(in: 1...9, using: &random), width: .random(in: 300...1_500, using: &random))
      let after = grid(.random(in: 1...9, using: &random), width: .random(in: 300...1_500, using: &random))
      let offset = Double.random(in: 1...(before.maximumOffset - 2_000), using: &random)
      let anchor = before.anchor(at: offset)
      let item = try #require(before.firstItem(in: before.visibleRect(at: offset)))
      let moved = after.offset(of: anchor)
      guard moved < after.maximumOffset else { continue }
      let (old, new) = (before.frame(ofItem: item), after.frame(ofItem: item))
      // Its top is as far below the viewport's as it was, or it is cut at the same share of its height.
      let oldShare = max(0, (offset - old.minY) / old.height)
      let newShare = max(0, (moved - new.minY) / new.height)
      #expect((oldShare - newShare).magnitude < 1e-9)
      #expect((max(0, old.minY - offset) - max(0, new.minY - moved)).magnitude < 1e-9)
      #expect(after.visibleRect(at: moved).intersects(new))
    }
  }

  @Test("An anchor that is kept does not creep through any number of resizes")
  func keptAnchorDoesNotCreep() {
    let anchor = grid(7, width: 900).anchor(at: 20_000)
    let before = grid(7, width: 900).offset(of: anchor)
    for width in stride(from: 900.0, through: 300, by: -1) { _ = grid(5, width: width).offset(of: anchor) }
    #expect(grid(7, width: 900).offset(of: anchor) == before)
    #expect((before - 20_000).magnitude < 1e-9)
  }

  @Test("Items that come before an anchored one, by the thousand, move nothing on screen")
  func insertionsAbove() throws {
    let before = grid(6, width: 800)
    let offset = 12_345.0
    guard case .item(var anchor) = before.anchor(at: offset) else {
      Issue.record("the offset is not the beginning")
      return
    }
    let top = before.frame(ofItem: anchor.item).minY - offset
    anchor.item += 6_000
    let after = grid(6, width: 800, items: 16_000)
    let moved = after.offset(of: .item(anchor))
    #expect((after.frame(ofItem: anchor.item).minY - moved - top).magnitude < 1e-9)
    #expect(moved - offset == 1_000 * before.rowLength)
  }

  @Test("At the very top it stays at the top")
  func top() {
    for offset in [0.0, -30, .nan] { #expect(grid(4, width: 800).anchor(at: offset) == .start) }
    #expect(grid(2, width: 300).offset(of: .start) == 0)
  }

  @Test("An anchor never leads beyond the content")
  func beyondTheContent() {
    let anchor = grid(3, width: 800).anchor(at: 200_000)
    let short = grid(3, width: 800, items: 40)
    #expect(short.offset(of: anchor) == short.maximumOffset)
    #expect(grid(3, width: 800, items: 2).offset(of: anchor) == 0)
  }

  @Test("An item is brought to the beginning, the middle or the end of the viewport")
  func alignments() {
    let grid = grid(5, width: 800)
    let frame = grid.frame(ofItem: 5_003)
    #expect(grid.offset(of: .item(ItemAnchor(item: 5_003, alignment: .leading))) == frame.minY)
    #expect(grid.offset(of: .item(ItemAnchor(item: 5_003, alignment: .center))) == frame.midY - 250)
    #expect(grid.offset(of: .item(ItemAnchor(item: 5_003, alignment: .trailing))) == frame.maxY - 500)
    #expect(grid.offset(of: .item(ItemAnchor(item: 5_003, alignment: .leading, points: 20))) == frame.minY - 20)
    #expect(grid.offset(of: .item(ItemAnchor(item: 0, alignment: .trailing))) == 0)
    #expect(grid.offset(of: .item(ItemAnchor(item: 9_999, alignment: .leading))) == grid.maximumOffset)
  }

  @Test("Revealing moves as little as it must")
  func revealing() {
    let grid = grid(5, width: 800)
    let frame = grid.frame(ofItem: 5_003)
    #expect(grid.offset(revealingItem: 5_003, from: frame.minY - 100) == frame.minY - 100)
    #expect(grid.offset(revealingItem: 5_003, from: 0) == frame.maxY - 500)
    #expect(grid.offset(revealingItem: 5_003, from: 0, margin: 8) == frame.maxY - 492)
    #expect(grid.offset(revealingItem: 5_003, from: 1e9, margin: 8) == frame.minY - 8)
    let low = self.grid(1, width: 800, height: 200)
    #expect(low.offset(revealingItem: 7, from: 0) == low.frame(ofItem: 7).minY)
  }
}
