import CollectionEngine
import TestSupport
import Testing

@Suite("A turn of the scroll is believed after eight points or two frames")
struct DirectionBeliefTests {
  static func moved(_ steps: Double..., from isForward: Bool = true) -> [Bool] {
    var belief = ScrollDirectionTracker(isForward: isForward)
    return steps.map { step in
      _ = belief.recordMovement(by: step)
      return belief.isForward
    }
  }

  @Test("One small step back is not believed, a second one is; a step of eight points is at once")
  func thresholds() {
    #expect(Self.moved(-1, -1) == [true, false])
    #expect(Self.moved(-7.9) == [true])
    #expect(Self.moved(-8) == [false])
    #expect(Self.moved(1, 0.5, from: false) == [false, true])
  }

  @Test("A trembling wheel turns nothing; standing still between two steps back changes nothing")
  func trembling() {
    #expect(Self.moved(-7, 1, -7, 1, -7, 1) == Array(repeating: true, count: 6))
    #expect(Self.moved(-1, 0, 0, -1) == [true, true, true, false])
  }

  @Test("What is no number moves nothing, and an endless step is a step")
  func hostile() {
    var belief = ScrollDirectionTracker()
    for number in EdgeCaseNumbers.doubles {
      let before = belief
      let hasTurned = belief.recordMovement(by: number)
      if number.isNaN || number == 0 { #expect(!hasTurned && belief == before) }
      #expect(hasTurned == (belief.isForward != before.isForward))
      if number.magnitude >= 8 { #expect(belief.isForward == (number > 0)) }
    }
  }

  @Test("Whatever the steps, a turn needs eight points or two frames in a row against it", arguments: 0..<5)
  func model(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var belief = ScrollDirectionTracker()
    var run: [Double] = []
    for _ in 0..<2_000 {
      let step = generator.chance(oneIn: 4) ? 0 : Double.random(in: -9...9, using: &generator)
      let wasForward = belief.isForward
      if step != 0 { if (step > 0) == wasForward { run = [] } else { run.append(step) } }
      let expected = run.count >= 2 || run.reduce(0) { $0 + $1.magnitude } >= 8
      #expect(belief.recordMovement(by: step) == expected)
      if expected { run = [] }
      #expect(belief.isForward == (wasForward != expected))
    }
  }
}
