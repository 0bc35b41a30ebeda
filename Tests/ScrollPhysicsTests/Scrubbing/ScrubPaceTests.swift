import FramePacing
import ScrollPhysics
import Testing

@Suite("Content that a thumb takes past faster than anybody looks is known, and when it slows down")
struct ScrubPaceTests {
  private static let viewport = 800.0

  /// Notes places 16 ms apart; tells in which frames it was fast.
  private func fast(_ offsets: [Double], isHeld: (Int) -> Bool = { _ in true }) -> [Bool] {
    var pace = ScrubPace()
    var was = false
    return offsets.enumerated().map { frame, offset in
      let changed = pace.note(
        offset: offset, viewportLength: Self.viewport, isHeld: isHeld(frame),
        at: FrameInstant(nanoseconds: Int64(frame) * 16_000_000))
      #expect(changed == (pace.isFast != was))
      was = pace.isFast
      return pace.isFast
    }
  }

  @Test("From two viewports a second on it is fast")
  func speed() {
    // 25 points in 16 ms are 1562 a second, 26 are 1625, and two viewports a second are 1600.
    #expect(fast((0..<10).map { Double($0) * 25 }).allSatisfy { !$0 })
    #expect(fast((0..<10).map { Double($0) * 26 }).dropFirst(2).allSatisfy { $0 })
  }

  @Test("A leap is fast at once, and after 80 ms of rest no more")
  func rest() {
    let frames = fast([0, 0] + Array(repeating: 1e9, count: 8))
    #expect(frames == [false, false, true, true, true, true, true, false, false, false])
  }

  @Test("Events that come every other frame make no pauses of it")
  func gaps() {
    let frames = fast((0..<20).map { Double($0 / 2) * 4_000 })
    #expect(frames.dropFirst(2).allSatisfy { $0 })
  }

  @Test("It slows down as soon as the movement does, and where the thumb is let go")
  func slower() {
    #expect(fast([0, 9_000, 9_010, 9_020]) == [false, true, false, false])
    #expect(fast([0, 9_000, 9_000], isHeld: { $0 < 2 }) == [false, true, false])
    #expect(fast([0, 9_000, 18_000], isHeld: { _ in false }) == [false, false, false], "nobody holds it")
  }
}
