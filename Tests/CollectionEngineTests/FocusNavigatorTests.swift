import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport

@Suite("Keys move the focus by geometry and keep its column")
struct FocusNavigatorTests {
  /// A grid of four columns of 100 points with rows 110 points apart, and sections of 10, 3 and 6 items.
  private func grid(width: Double = 400) -> any SolvedLayout {
    GridLayout(columns: .count(4), rowSpacing: 10).solved(
      in: LayoutEnvironment(containerSize: Size(width: width, height: 330)), for: ItemCounts([10, 3, 6]))
  }

  /// The focused item, the moves, and the focused item after each move.
  static let lines: [(from: Int, moves: [FocusHeading], items: [Int?])] = [
    (7, [.down, .down, .down], [9, 12, 16]),
    (7, [.down, .down, .down, .up, .up, .up], [9, 12, 16, 12, 9, 7]),
    (7, [.down, .next, .down], [9, 10, 13]),
    (7, [.down, .previous, .up], [9, 8, 4]),
    (3, [.pageDown(220), .pageUp(220)], [9, 3]),
    (2, [.up, .down], [nil, 6]),
    (17, [.down, .up], [nil, 13]),
    (18, [.first, .last], [0, 18]),
  ]

  @Test("Each move leads to the expected item", arguments: lines.indices)
  func navigation(line: Int) {
    let (from, moves, items) = Self.lines[line]
    var navigator = FocusNavigator()
    var lead = from
    var found: [Int?] = []
    for move in moves {
      let target = navigator.target(of: move, from: lead, in: grid())
      found.append(target)
      lead = target ?? lead
    }
    #expect(found == items)
  }

  @Test("The column is forgotten if the focus moved otherwise, or the layout changed")
  func columnReset() {
    var navigator = FocusNavigator()
    let targets = [(7, 400), (8, 400), (10, 800), (7, 400), (9, 200)].map { lead, width in
      navigator.target(of: .down, from: lead, in: grid(width: width))
    }
    #expect(targets == [9, 10, 13, 9, 11])
  }
}

@Suite("A held key repeats its move depending on the time for which it is held")
struct FocusKeyRepeatTests {
  /// The time in milliseconds, and the number of moves by then in addition to the first.
  static let lines: [(held: Double, moves: Int)] = [
    (-5, 0), (0, 0), (300, 0), (380, 0), (384, 1), (800, 6), (1_300, 12), (1_800, 24), (2_300, 36), (3_300, 84),
    (4_300, 180), (7_300, 1_524), (8_300, 3_060), (9_300, 4_596), (68_300, 95_220),
  ]

  @Test("The number of moves depends on the time, not on the number of events", arguments: lines.indices)
  func table(line: Int) {
    let (held, moves) = Self.lines[line]
    #expect(FocusKeyRepeat.moves(heldFor: .milliseconds(held)) == moves)
    var random = SeededGenerator(seed: UInt64(line))
    for interval in [4.0, 16, 33, 150] {
      let start = FrameInstant.zero + .milliseconds(1_000)
      var key = FocusKeyRepeat(at: start)
      var total = 0
      var time = -50.0
      while time < held {
        time = min(held, time + interval * .random(in: 0.1...1.9, using: &random))
        total += key.takeDueMoves(at: start + .milliseconds(time))
      }
      total += key.takeDueMoves(at: start + .milliseconds(held)) + key.takeDueMoves(at: start)
      #expect(total == moves && key.moveCount == moves)
    }
  }

  @Test("After a long pause the number of moves is limited, and the others are dropped")
  func pause() {
    var key = FocusKeyRepeat(at: .zero)
    for time in stride(from: 30.0, through: 9_000, by: 30) { _ = key.takeDueMoves(at: .zero + .milliseconds(time)) }
    #expect(key.takeDueMoves(at: .zero + .milliseconds(11_000)) == FocusKeyRepeat.maximumMovesPerEvent)
    #expect(key.takeDueMoves(at: .zero + .milliseconds(11_000)) == 0)
    #expect((1...48).contains(key.takeDueMoves(at: .zero + .milliseconds(11_030))))
  }

  @Test("The repeat rate grows with time, up to a maximum")
  func rates() {
    let seconds = (0...12).map { FocusKeyRepeat.moves(heldFor: .milliseconds(300 + 1_000 * Double($0))) }
    let rates = zip(seconds.dropFirst(), seconds).map { $0 - $1 }
    for (next, last) in zip(rates.dropFirst(), rates) { #expect(next >= last) }
    #expect(rates[0] == 12 && rates[1] == 24 && rates.last == 1_536)
    #expect(FocusKeyRepeat.moves(heldFor: .milliseconds(1e12)) == 1_000_000_000)
  }

  @Test("A key without events for a long time counts as pressed again")
  func lapse() {
    let start = FrameInstant.zero + .milliseconds(1_000)
    var key = FocusKeyRepeat(at: start)
    let before = key.takeDueMoves(at: start + .milliseconds(2_500))
    let after = key.takeDueMoves(at: start + .milliseconds(5_001))
    #expect(before == 45 && after == 1)
    #expect(key.pressTime == start + .milliseconds(5_001) && key.moveCount == 0)
  }
}
