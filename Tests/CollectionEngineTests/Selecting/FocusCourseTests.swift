import CollectionEngine
import CollectionLayout
import Geometry
import Testing

@Suite("Keys take the keyboard by geometry and keep their column")
struct FocusCourseTests {
  /// Four columns of 100 points; rows 110 apart; sections of 10, 3 and 6 items.
  private func grid(width: Double = 400) -> any SolvedLayout {
    GridLayout(columns: .count(4), rowSpacing: 10).solved(
      in: LayoutEnvironment(containerSize: Size(width: width, height: 330)), for: ItemCounts([10, 3, 6]))
  }

  /// Each line: where the keyboard is, what is done, and where it is after each.
  static let lines: [(from: Int, moves: [FocusMove], items: [Int?])] = [
    (7, [.down, .down, .down], [9, 12, 16]),
    (7, [.down, .down, .down, .up, .up, .up], [9, 12, 16, 12, 9, 7]),
    (7, [.down, .next, .down], [9, 10, 13]),
    (7, [.down, .previous, .up], [9, 8, 4]),
    (3, [.pageDown(220), .pageUp(220)], [9, 3]),
    (2, [.up, .down], [nil, 6]),
    (17, [.down, .up], [nil, 13]),
    (18, [.first, .last], [0, 18]),
  ]

  @Test("Line by line", arguments: lines.indices)
  func course(line: Int) {
    let (from, moves, items) = Self.lines[line]
    var course = FocusNavigator()
    var lead = from
    var found: [Int?] = []
    for move in moves {
      let target = course.target(of: move, from: lead, in: grid())
      found.append(target)
      lead = target ?? lead
    }
    #expect(found == items)
  }

  @Test("A column is forgotten where the keyboard was put elsewhere, or the layout is another one")
  func forgetting() {
    var course = FocusNavigator()
    let targets = [(7, 400), (8, 400), (10, 800), (7, 400), (9, 200)].map { lead, width in
      course.target(of: .down, from: lead, in: grid(width: width))
    }
    #expect(targets == [9, 10, 13, 9, 11])
  }
}
