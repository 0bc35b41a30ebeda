import TestSupport
import Testing

@testable import Views

@Suite("Text breaks into lines")
struct LineBreakingTests {
  private static func lines(_ text: String, width: Int, atMost count: Int = 9) -> [String] {
    LineBreaker.lines(of: text, width: width, maximumCount: count) { $0.count }
  }

  @Test("between words, and not where it fits")
  func plain() {
    #expect(Self.lines("one two three", width: 13) == ["one two three"])
    #expect(Self.lines("one two three", width: 12) == ["one two", "three"])
    #expect(Self.lines("", width: 12) == [])
    #expect(Self.lines("one", width: 0) == ["one"])
  }

  @Test("evenly: no word is left alone that could have company")
  func even() {
    #expect(Self.lines("aaa bbb ccc ddd", width: 11) == ["aaa bbb", "ccc ddd"])
  }

  @Test("with a word too wide in a line of its own, and the rest in the last line")
  func crowded() {
    #expect(Self.lines("a bbbbbbbbbb c", width: 4) == ["a", "bbbbbbbbbb", "c"])
    #expect(Self.lines("a bbbbbbbbbb c d", width: 4, atMost: 2) == ["a", "bbbbbbbbbb c d"])
    #expect(Self.lines("a b c d", width: 1, atMost: 1) == ["a b c d"])
  }

  @Test("into no more lines than it needs, without losing a word", arguments: 0..<50)
  func laws(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = (0..<Int.random(in: 1...30, using: &random)).map { _ in
      String(repeating: "x", count: Int.random(in: 1...12, using: &random))
    }
    let width = Int.random(in: 12...60, using: &random)
    let lines = Self.lines(words.joined(separator: " "), width: width, atMost: 30)
    #expect(lines.joined(separator: " ") == words.joined(separator: " "))
    #expect(lines.allSatisfy { $0.count <= width })
    // Any two neighbours would be too wide as one line if there was one line too many.
    let needed = words.reduce(into: (count: 0, room: 0)) { state, word in
      if state.count > 0, word.count + 1 <= state.room {
        state.room -= word.count + 1
      } else {
        state = (state.count + 1, width - word.count)
      }
    }
    #expect(lines.count == needed.count)
    let widest = lines.map(\.count).max() ?? 0
    // One column less, and it would take another line.
    if lines.count > 1, widest > (words.map(\.count).max() ?? 0) {
      #expect(Self.lines(words.joined(separator: " "), width: widest - 1, atMost: 30).count > lines.count)
    }
  }
}
