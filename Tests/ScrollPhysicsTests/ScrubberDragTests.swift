import Testing
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("ScrubberDrag")
struct ScrubberDragTests {
  @Test("At full gain the thumb follows the pointer exactly")
  func followsPointer() {
    var random = SeededGenerator(seed: 91)
    for _ in 0..<50 {
      let start = Double.random(in: 0...1, using: &random)
      var drag = ScrubberDrag(share: start, pointer: start)
      for _ in 0..<100 {
        let position =
          random.chance(oneIn: 10) ? (random.chance(oneIn: 2) ? 0 : 1) : Double.random(in: -0.2...1.2, using: &random)
        drag.move(to: position, gain: .whole)
        #expect((drag.share - max(0, min(1, position))).magnitude < 1e-9)
      }
    }
  }

  @Test(
    "At a lower gain the thumb moves by a fraction of the pointer's distance",
    arguments: [ScrubberGain.half, .quarter, .tenth])
  func fineGains(gain: ScrubberGain) {
    var drag = ScrubberDrag(share: 0.4, pointer: 0.4)
    drag.move(to: 0.6, gain: gain)
    #expect((drag.share - (0.4 + 0.2 * gain.rawValue)).magnitude < 1e-12)
    #expect(drag.gain == gain)
    drag.move(to: 0.1, gain: gain)
    #expect((drag.share - max(0, 0.4 - 0.3 * gain.rawValue)).magnitude < 1e-12)
  }

  @Test("At any gains the thumb follows the pointer's direction and reaches the ends with it")
  func invariants() {
    var random = SeededGenerator(seed: 92)
    for _ in 0..<200 {
      let start = Double.random(in: 0...1, using: &random)
      var drag = ScrubberDrag(share: start, pointer: start)
      var pointer = start
      for _ in 0..<60 {
        let gain = ScrubberGain.allCases.randomElement(using: &random) ?? .whole
        let position = max(0, min(1, pointer + Double.random(in: -0.3...0.3, using: &random)))
        let before = drag.share
        drag.move(to: position, gain: gain)
        #expect((0...1).contains(drag.share))
        #expect((drag.share - before) * (position - pointer) >= -1e-15)
        if gain == .whole, position != pointer, position == 0 || position == 1 { #expect(drag.share == position) }
        pointer = position
        let unchanged = drag.share
        drag.move(to: pointer, gain: ScrubberGain.allCases.randomElement(using: &random) ?? .whole)
        #expect(drag.share == unchanged, "changing the gain alone moves nothing")
      }
    }
  }

  @Test(
    "The gain depends on the pointer's distance from the edge, with shorter distances in narrow views",
    arguments: [
      (0.0, 1_000.0, ScrubberGain.whole), (-4, 1_000, .whole), (59, 1_000, .whole), (60, 1_000, .half),
      (139, 1_000, .half), (140, 1_000, .quarter), (240, 1_000, .tenth), (1e9, 1_000, .tenth), (40, 100, .quarter),
      (60, 100, .tenth), (0, 0, .whole), (.nan, 100, .whole), (10, .nan, .tenth),
    ])
  func gains(distance: Double, maximumDistance: Double, gain: ScrubberGain) {
    #expect(ScrubberGain(distance: distance, maximumDistance: maximumDistance) == gain)
  }

  @Test("Invalid numbers keep the thumb on its track")
  func invalidNumbers() {
    for number in EdgeCaseNumbers.doubles {
      var drag = ScrubberDrag(share: number, pointer: number)
      #expect((0...1).contains(drag.share))
      for gain in ScrubberGain.allCases {
        drag.move(to: number, gain: gain)
        #expect((0...1).contains(drag.share))
      }
      drag.setShare(number)
      #expect((0...1).contains(drag.share))
    }
  }
}

@Suite("ScrubPace")
struct ScrubPaceTests {
  private static let viewport = 800.0

  /// Records offsets 16 ms apart and returns in which frames the pace is fast.
  private func fastFrames(_ offsets: [Double], isHeld: (Int) -> Bool = { _ in true }) -> [Bool] {
    var pace = ScrubPace()
    var wasFast = false
    return offsets.enumerated().map { frame, offset in
      let changed = pace.update(
        offset: offset, viewportLength: Self.viewport, isDragging: isHeld(frame),
        at: FrameInstant(nanoseconds: Int64(frame) * 16_000_000))
      #expect(changed == (pace.isFast != wasFast))
      wasFast = pace.isFast
      return pace.isFast
    }
  }

  @Test("The pace is fast from two viewports per second")
  func speed() {
    // 25 points in 16 ms are 1,562 points per second, 26 are 1,625, and two viewports per second are 1,600.
    #expect(fastFrames((0..<10).map { Double($0) * 25 }).allSatisfy { !$0 })
    #expect(fastFrames((0..<10).map { Double($0) * 26 }).dropFirst(2).allSatisfy { $0 })
  }

  @Test("A jump is fast immediately, and no longer after 80 ms without movement")
  func jump() {
    let frames = fastFrames([0, 0] + Array(repeating: 1e9, count: 8))
    #expect(frames == [false, false, true, true, true, true, true, false, false, false])
  }

  @Test("Events in every other frame do not count as pauses")
  func alternateFrames() {
    let frames = fastFrames((0..<20).map { Double($0 / 2) * 4_000 })
    #expect(frames.dropFirst(2).allSatisfy { $0 })
  }

  @Test("The pace is no longer fast as soon as the movement slows down or the thumb is released")
  func slowsDown() {
    #expect(fastFrames([0, 9_000, 9_010, 9_020]) == [false, true, false, false])
    #expect(fastFrames([0, 9_000, 9_000], isHeld: { $0 < 2 }) == [false, true, false])
    #expect(
      fastFrames([0, 9_000, 18_000], isHeld: { _ in false }) == [false, false, false], "the thumb is not dragged")
  }
}
