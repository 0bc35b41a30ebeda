import CollectionLayout
import Geometry
import TestSupport
import Testing

@Suite("Keys move the focus by what is next, above and below")
struct NavigationTests {
  /// Four columns of 100 points; rows 110 apart; sections of 10, 0, 3 and 6 items.
  private var grid: SolvedComposition {
    GridLayout(columns: .count(4), rowSpacing: 10)
      .solved(
        in: LayoutEnvironment(containerSize: Size(width: 400, height: 330)), for: ItemCounts([10, 0, 3, 6]))
  }

  @Test("In the order of reading, across the ends of rows and sections")
  func reading() {
    #expect(grid.item(from: 3, .next) == 4)
    #expect(grid.item(from: 10, .previous) == 9)
    #expect(grid.item(from: 0, .previous) == nil)
    #expect(grid.item(from: 18, .next) == nil)
    #expect(grid.item(from: 7, .first) == 0)
    #expect(grid.item(from: 7, .last) == 18)
    #expect(grid.item(from: 0, .first) == nil)
    #expect(grid.item(from: 18, .last) == nil)
  }

  @Test("To the nearest of the row above and below")
  func rows() {
    #expect(grid.item(from: 1, .down) == 5)
    #expect(grid.item(from: 5, .up) == 1)
    #expect(grid.item(from: 7, .down) == 9)
    #expect(grid.item(from: 9, .down) == 11)
    #expect(grid.item(from: 11, .up) == 9)
    #expect(grid.item(from: 2, .up) == nil)
    #expect(grid.item(from: 17, .down) == nil)
    #expect(grid.item(from: 16, .down) == 18)
  }

  @Test("A column that is kept is found again behind a short row")
  func keptColumn() {
    let across = grid.middle(of: grid.frame(ofItem: 7))
    #expect(grid.item(from: 7, .down, across: across) == 9)
    #expect(grid.item(from: 9, .down, across: across) == 12)
    #expect(grid.item(from: 12, .down, across: across) == 16)
    #expect(grid.item(from: 16, .up, across: across) == 12)
    #expect(grid.item(from: 12, .up, across: across) == 9)
    #expect(grid.item(from: 9, .up, across: across) == 7)
  }

  @Test("By pages, at least a row, at most to the first and the last row")
  func pages() {
    #expect(grid.item(from: 1, .pageDown(220)) == 9)
    #expect(grid.item(from: 1, .pageDown(5)) == 5)
    #expect(grid.item(from: 1, .pageDown(1e9)) == 18)
    #expect(grid.item(from: 17, .pageDown(1e9)) == nil)
    #expect(grid.item(from: 14, .pageUp(220)) == 9)
    #expect(grid.item(from: 14, .pageUp(200)) == 9)
    #expect(grid.item(from: 14, .pageUp(199)) == 11)
    #expect(grid.item(from: 1, .pageDown(250)) == 9)
    #expect(grid.item(from: 1, .pageDown(219)) == 5)
    #expect(grid.item(from: 14, .pageUp(-3)) == 11)
    #expect(grid.item(from: 14, .pageUp(1e9)) == 1)
    #expect(grid.item(from: 1, .pageUp(300)) == nil)
  }

  @Test("Down and up again comes back to the row it came from, in any grid")
  func downAndUp() {
    var random = SeededGenerator(seed: 91)
    for _ in 0..<600 {
      let grid = random.grid()
      for index in 0..<grid.itemCounts.total {
        let frame = grid.frame(ofItem: index)
        let below = grid.item(from: index, .down)
        if let below {
          #expect(grid.frame(ofItem: below).minY > frame.minY)
          let back = grid.item(from: below, .up, across: grid.middle(of: frame))
          #expect(back == index)
        } else {
          #expect((index..<grid.itemCounts.total).allSatisfy { grid.frame(ofItem: $0).minY == frame.minY })
        }
      }
    }
  }

  @Test("Into a section that scrolls across, to what is seen of it")
  func intoStrip() throws {
    var strip = CollectionLayoutSection.grid(columns: .count(1), heightRatio: 10)
    strip.orthogonalScrollingBehavior = .continuous
    var rows = CollectionLayoutSection.grid(columns: .count(3), heightRatio: 0.5)
    rows.contentInsetsReference = .none
    let sections = [rows, strip, rows]
    // Strips stand within 200...400: the rows' first item lies beside them.
    var composition = CompositionalLayout { section, _ in sections[section] }.solved(
      in: LayoutEnvironment(
        containerSize: Size(width: 400, height: 600), contentInsets: Insets(top: 0, left: 200, bottom: 0, right: 0)),
      for: ItemCounts([3, 200_000, 3]))
    composition.setOrthogonalOffset(1_000, ofSection: 1)
    let window = try #require(composition.orthogonalSection(1)?.frame)
    let first = composition.firstItem(in: window)
    #expect(first ?? 0 > 3)
    #expect(composition.item(from: 0, .down) == first)
    #expect(composition.item(from: 200_003, .up) == first)
  }
}
