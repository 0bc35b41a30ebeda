import ScrollPhysics
import TestSupport
import Testing

@Suite("A dragged thumb follows its pointer, finer the farther that is from the edge, and never jumps")
struct ScrubberDragTests {
  @Test("A thumb that was taken where it is follows the pointer exactly")
  func follows() {
    var random = SeededGenerator(seed: 91)
    for _ in 0..<50 {
      let start = Double.random(in: 0...1, using: &random)
      var drag = ScrubberDrag(share: start, pointer: start)
      for _ in 0..<100 {
        let place =
          random.chance(oneIn: 10) ? (random.chance(oneIn: 2) ? 0 : 1) : Double.random(in: -0.2...1.2, using: &random)
        drag.move(to: place, gain: .whole)
        #expect((drag.share - max(0, min(1, place))).magnitude < 1e-9)
      }
    }
  }

  @Test("In finer steps it goes a part of the pointer's way", arguments: [ScrubberGain.half, .quarter, .tenth])
  func fine(gain: ScrubberGain) {
    var drag = ScrubberDrag(share: 0.4, pointer: 0.4)
    drag.move(to: 0.6, gain: gain)
    #expect((drag.share - (0.4 + 0.2 * gain.rawValue)).magnitude < 1e-12)
    #expect(drag.gain == gain)
    drag.move(to: 0.1, gain: gain)
    #expect((drag.share - max(0, 0.4 - 0.3 * gain.rawValue)).magnitude < 1e-12)
  }

  @Test("Through any gains it goes the pointer's way, not farther than at full gain would be, and reaches ends with it")
  func laws() {
    var random = SeededGenerator(seed: 92)
    for _ in 0..<200 {
      let start = Double.random(in: 0...1, using: &random)
      var drag = ScrubberDrag(share: start, pointer: start)
      var pointer = start
      for _ in 0..<60 {
        let gain = ScrubberGain.allCases.randomElement(using: &random) ?? .whole
        let place = max(0, min(1, pointer + Double.random(in: -0.3...0.3, using: &random)))
        let before = drag.share
        drag.move(to: place, gain: gain)
        #expect((0...1).contains(drag.share))
        #expect((drag.share - before) * (place - pointer) >= -1e-15)
        if gain == .whole, place != pointer, place == 0 || place == 1 { #expect(drag.share == place) }
        pointer = place
        let still = drag.share
        drag.move(to: pointer, gain: ScrubberGain.allCases.randomElement(using: &random) ?? .whole)
        #expect(drag.share == still, "another gain alone moves nothing")
      }
    }
  }

  @Test(
    "The pointer's distance from the edge tells the gain, in a narrow view sooner",
    arguments: [
      (0.0, 1_000.0, ScrubberGain.whole), (-4, 1_000, .whole), (59, 1_000, .whole), (60, 1_000, .half),
      (139, 1_000, .half), (140, 1_000, .quarter), (240, 1_000, .tenth), (1e9, 1_000, .tenth), (40, 100, .quarter),
      (60, 100, .tenth), (0, 0, .whole), (.nan, 100, .whole), (10, .nan, .tenth),
    ])
  func gains(distance: Double, room: Double, gain: ScrubberGain) {
    #expect(ScrubberGain(distance: distance, room: room) == gain)
  }

  @Test("Numbers that cannot be meant leave it on its way")
  func hostile() {
    for number in EdgeCaseNumbers.doubles {
      var drag = ScrubberDrag(share: number, pointer: number)
      #expect((0...1).contains(drag.share))
      for gain in ScrubberGain.allCases {
        drag.move(to: number, gain: gain)
        #expect((0...1).contains(drag.share))
      }
      drag.takeShare(number)
      #expect((0...1).contains(drag.share))
    }
  }
}
