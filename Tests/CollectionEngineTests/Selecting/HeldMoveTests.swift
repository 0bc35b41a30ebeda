import CollectionEngine
import FramePacing
import TestSupport
import Testing

@Suite("A held key takes the keyboard on by the time for which it is held")
struct HeldMoveTests {
  /// Milliseconds, and the moves made by then beside the first.
  static let lines: [(held: Double, moves: Int)] = [
    (-5, 0), (0, 0), (300, 0), (380, 0), (384, 1), (800, 6), (1_300, 12), (1_800, 24), (2_300, 36), (3_300, 84),
    (4_300, 180), (7_300, 1_524), (8_300, 3_060), (9_300, 4_596), (68_300, 95_220),
  ]

  @Test("Line by line, however often it is repeated", arguments: lines.indices)
  func table(line: Int) {
    let (held, moves) = Self.lines[line]
    #expect(FocusKeyRepeat.moves(heldFor: .milliseconds(held)) == moves)
    var random = SeededGenerator(seed: UInt64(line))
    for interval in [4.0, 16, 33, 150] {
      let start = FrameInstant.zero + .milliseconds(1_000)
      var key = FocusKeyRepeat(at: start)
      var made = 0
      var time = -50.0
      while time < held {
        time = min(held, time + interval * .random(in: 0.1...1.9, using: &random))
        made += key.takeDueMoves(at: start + .milliseconds(time))
      }
      made += key.takeDueMoves(at: start + .milliseconds(held)) + key.takeDueMoves(at: start)
      #expect(made == moves && key.moveCount == moves)
    }
  }

  @Test("After a pause that was long already no more moves are made at once than a bound, and the rest not later")
  func pause() {
    var key = FocusKeyRepeat(at: .zero)
    for time in stride(from: 30.0, through: 9_000, by: 30) { _ = key.takeDueMoves(at: .zero + .milliseconds(time)) }
    #expect(key.takeDueMoves(at: .zero + .milliseconds(11_000)) == FocusKeyRepeat.maximumMovesPerEvent)
    #expect(key.takeDueMoves(at: .zero + .milliseconds(11_000)) == 0)
    #expect((1...48).contains(key.takeDueMoves(at: .zero + .milliseconds(11_030))))
  }

  @Test("It goes the faster the longer, up to a bound")
  func rates() {
    let seconds = (0...12).map { FocusKeyRepeat.moves(heldFor: .milliseconds(300 + 1_000 * Double($0))) }
    let rates = zip(seconds.dropFirst(), seconds).map { $0 - $1 }
    for (next, last) in zip(rates.dropFirst(), rates) { #expect(next >= last) }
    #expect(rates[0] == 12 && rates[1] == 24 && rates.last == 1_536)
    #expect(FocusKeyRepeat.moves(heldFor: .milliseconds(1e12)) == 1_000_000_000)
  }

  @Test("A key that was not heard of for long was pressed anew")
  func lapse() {
    let start = FrameInstant.zero + .milliseconds(1_000)
    var key = FocusKeyRepeat(at: start)
    let before = key.takeDueMoves(at: start + .milliseconds(2_500))
    let after = key.takeDueMoves(at: start + .milliseconds(5_001))
    #expect(before == 45 && after == 1)
    #expect(key.pressTime == start + .milliseconds(5_001) && key.moveCount == 0)
  }
}
