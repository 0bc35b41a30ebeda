import CollectionEngine
import FramePacing
import TestSupport
import Testing

@Suite("A cell that is to come may be of any registration that came lately")
struct RecentKindsTests {
  static func cost(_ registration: Int) -> FrameDuration { .milliseconds(Double(registration * registration)) }

  @Test("Before the first cell it is taken for the first registration's")
  func empty() {
    let kinds = RecentRegistrations()
    #expect(kinds.last == 0 && kinds.count == 0)
    #expect(kinds.worstCost { _ in .milliseconds(7) } == .milliseconds(7))
    #expect(kinds.meanCost { _ in .milliseconds(7) } == .milliseconds(7))
  }

  @Test("A heavy one among cheap ones is what the next may be, until 32 cells came without one")
  func heavy() {
    var kinds = RecentRegistrations()
    for _ in 0..<40 { kinds.recordRegistration(1) }
    kinds.recordRegistration(5)
    for cheap in 1...32 {
      #expect(kinds.worstCost(Self.cost) == .milliseconds(25), "after \(cheap - 1)")
      kinds.recordRegistration(1)
    }
    #expect(kinds.worstCost(Self.cost) == .milliseconds(1) && kinds.meanCost(Self.cost) == .milliseconds(1))
  }

  @Test("Where all are of one registration, what it costs is asked once")
  func uniform() {
    var kinds = RecentRegistrations()
    for _ in 0..<100 { kinds.recordRegistration(3) }
    var asked = 0
    let cost = kinds.worstCost { _ in
      asked += 1
      return .milliseconds(9)
    }
    #expect(cost == .milliseconds(9) && asked == 1)
  }

  @Test("Whatever comes, the worst and the mean are those of the last 32 cells", arguments: 0..<8)
  func model(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var kinds = RecentRegistrations()
    var all: [Int] = []
    for _ in 0..<300 {
      // Long runs of one kind, so that what is all the same comes and goes.
      let kind = Int.random(in: 0..<4, using: &generator)
      for _ in 0..<(generator.chance(oneIn: 4) ? 40 : 3) {
        kinds.recordRegistration(kind)
        all.append(kind)
        let kept = all.suffix(32).map { Self.cost($0).nanoseconds }
        #expect(kinds.count == kept.count && kinds.last == kind)
        #expect(kinds.worstCost(Self.cost).nanoseconds == kept.max())
        #expect(kinds.meanCost(Self.cost).nanoseconds == kept.reduce(0, +) / Int64(kept.count))
      }
    }
  }
}
