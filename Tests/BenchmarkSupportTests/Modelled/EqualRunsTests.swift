import BenchmarkSupport
import DataStructures
import Testing

@Suite("Equal runs compared frame by frame")
struct EqualRunsTests {
  private func late(_ refresh: Int, _ hitch: Double = 1, overrun: Bool = false, _ cause: String = "") -> LateFrame {
    LateFrame(refresh: refresh, hitch: hitch, isSlackOverrun: overrun, cause: cause)
  }

  private func agreed(_ runs: [[LateFrame]]) -> [EqualRuns.Agreed] {
    var equal = EqualRuns()
    for run in runs { equal.add(run) }
    return equal.agreed
  }

  @Test("A frame is late when it was late in two of three")
  func twoOfThree() {
    #expect(agreed([[late(4)], [], []]).isEmpty)
    #expect(agreed([[late(4)], [late(5)], [late(6)]]).isEmpty)
    #expect(agreed([[late(9), late(4)], [late(4)], [late(9), late(7)]]).map(\.refresh) == [4, 9])
    #expect(agreed([]).isEmpty && agreed([[late(1)]]).map(\.refresh) == [1])
  }

  @Test("It is late for what the run in the middle was, and for the cause of the one that was latest")
  func middle() {
    let three = agreed([[late(4, 7, "a")], [late(4, 90, "b")], [late(4, 8, "c")]])
    #expect(three.map(\.hitch) == [8] && three.map(\.cause) == ["b"])
    // In time once: nothing, 7 and 90.
    #expect(agreed([[late(4, 7)], [late(4, 90)], []]).map(\.hitch) == [7])
  }

  @Test("Work ahead is to blame when it was in two of three")
  func overruns() {
    func isBlamed(_ blamed: Bool...) -> Bool? { agreed(blamed.map { [late(2, overrun: $0)] }).first?.isSlackOverrun }
    #expect(isBlamed(true, true, false) == true && isBlamed(true, false, false) == false)
  }

  @Test("Whatever was late, counting by hand says the same", arguments: 0..<6)
  func model(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let runs = (0..<3).map { _ in
      (0..<40).compactMap { refresh in
        Int.random(in: 0..<3, using: &random) == 0 ? late(refresh, Double(Int.random(in: 1...9, using: &random))) : nil
      }.shuffled(using: &random)
    }
    var expected: [Int: Double] = [:]
    for refresh in 0..<40 {
      let hitches = runs.map { run in run.first { $0.refresh == refresh }?.hitch ?? 0 }.sorted()
      if hitches[1] > 0 { expected[refresh] = hitches[1] }
    }
    let agreed = agreed(runs)
    #expect(agreed.map(\.refresh) == expected.keys.sorted() && agreed.allSatisfy { expected[$0.refresh] == $0.hitch })
  }
}
