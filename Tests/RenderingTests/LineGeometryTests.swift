import Testing
import VitrineRendering
import VitrineTestSupport

@Suite("The extents of a line's characters place carets, selections and clicks")
struct LineGeometryTests {
  private func character(_ columns: Range<Int>, _ isRightToLeft: Bool = false) -> LineGeometry.Character {
    LineGeometry.Character(columns: columns, isRightToLeft: isRightToLeft)
  }

  /// Two letters from left to right, two from right to left, one from left to right: displayed as `a b D C e`.
  private var mixed: LineGeometry {
    LineGeometry(characters: [
      character(0..<10), character(10..<20), character(30..<40, true), character(20..<30, true), character(40..<50),
    ])
  }

  @Test("From left to right, carets are at the beginnings of the characters and at the end")
  func leftToRight() {
    let line = LineGeometry(advances: [0, 4, 10, 13])
    #expect((0...3).map { line.caretColumn(at: $0) } == [0, 4, 10, 13] && line.width == 13)
    #expect([-5, 0, 1, 2, 6, 7, 12, 13, 99].map { line.position(at: $0) } == [0, 0, 0, 1, 1, 2, 3, 3, 3])
    #expect(line.columns(of: 1..<3) == [4..<13] && line.columns(of: 1..<1) == [])
  }

  @Test("From right to left, the line starts at its right edge")
  func rightToLeft() {
    let line = LineGeometry(
      characters: [character(20..<30, true), character(10..<20, true), character(0..<10, true)], isRightToLeft: true)
    #expect((0...3).map { line.caretColumn(at: $0) } == [30, 20, 10, 0])
    #expect([-1, 1, 9, 14, 28, 30].map { line.position(at: $0) } == [3, 3, 2, 2, 0, 0])
    #expect(line.columns(of: 0..<2) == [10..<30])
  }

  @Test("A selection of two directions has two parts where its characters are displayed apart")
  func mixedDirections() {
    #expect(mixed.columns(of: 1..<3) == [10..<20, 30..<40])
    #expect(mixed.columns(of: 1..<4) == [10..<40] && mixed.columns(of: 0..<5) == [0..<50])
    #expect(mixed.caretColumn(at: 2) == 40 && mixed.caretColumn(at: 3) == 30 && mixed.caretColumn(at: 5) == 50)
    #expect(mixed.position(at: 39) == 2 && mixed.position(at: 31) == 3 && mixed.position(at: 21) == 4)
  }

  @Test("An empty line has one position, and characters without width are skipped")
  func emptyLines() {
    let empty = LineGeometry(characters: [])
    #expect(empty.caretColumn(at: 0) == 0 && empty.position(at: 7) == 0 && empty.columns(of: 0..<3) == [])
    let marks = LineGeometry(advances: [0, 5, 5, 9])
    #expect(marks.position(at: 4) == 1 && marks.columns(of: 1..<2) == [])
  }

  @Test("A click on a caret's column finds its position, for any line", arguments: 1...30 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var advances = [0]
    for _ in 0..<Int.random(in: 1...30, using: &random) {
      advances.append((advances.last ?? 0) + Int.random(in: 2...20, using: &random))
    }
    let line = LineGeometry(advances: advances)
    for position in advances.indices { #expect(line.position(at: line.caretColumn(at: position)) == position) }
  }
}
