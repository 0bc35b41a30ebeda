import FramePacing
import TestSupport
import Testing

@Suite("Presents are watched for a display that does not do what its driver said")
struct VsyncWatchTests {
  static let interval = FrameDuration.milliseconds(16)

  /// Presents, each from and to milliseconds behind the last return.
  static func findings(_ presents: [(work: Double, wait: Double)], target: Double = 16) -> [VsyncWatch.Finding?] {
    var watch = VsyncWatch()
    var now = FrameInstant.zero
    return presents.map { present in
      let start = now + .milliseconds(present.work)
      let end = start + .milliseconds(present.wait)
      defer { now = end }
      return watch.observe(start: start, end: end, target: now + .milliseconds(target), interval: interval)
    }
  }

  @Test("What waits for the refreshes that were told finds nothing, whatever the work")
  func asTold() {
    #expect(Self.findings((0..<100).map { (Double($0 % 14), 16 - Double($0 % 14)) }).allSatisfy { $0 == nil })
  }

  @Test("Twelve presents at once, farther ahead than any queue is deep; nearer nothing is told")
  func unpaced() {
    let found = Self.findings(Array(repeating: (1, 0.1), count: 12), target: 66)
    #expect(found.last == .unpaced && found.dropLast().allSatisfy { $0 == nil })
    #expect(Self.findings(Array(repeating: (15.5, 0.1), count: 50)).allSatisfy { $0 == nil })
    #expect(Self.findings(Array(repeating: (1, 0.1), count: 50), target: 60).allSatisfy { $0 == nil })
  }

  @Test("One present that waits begins the count anew")
  func interrupted() {
    let eleven = Array(repeating: (work: 1.0, wait: 0.1), count: 11)
    #expect(Self.findings(eleven + [(1, 15)] + eleven, target: 66).allSatisfy { $0 == nil })
  }

  @Test("Five intervals that agree on another rate; frames with much work tell nothing of it")
  func otherRate() {
    let found = Self.findings(Array(repeating: (1, 19), count: 7)).compactMap { $0 }
    #expect(found == [.interval(.milliseconds(20))])
    #expect(Self.findings(Array(repeating: (20, 12), count: 50)).allSatisfy { $0 == nil })
    // Two refreshes, and three: work in presenting that takes longer than one.
    #expect(Self.findings(Array(repeating: (1, 31), count: 50)).allSatisfy { $0 == nil })
    #expect(Self.findings(Array(repeating: (1, 47), count: 50)).allSatisfy { $0 == nil })
    #expect(Self.findings((0..<50).map { (1, $0 % 2 == 0 ? 15 : 31) }).allSatisfy { $0 == nil })
  }

  @Test("A rate that is a little off is found by the mean of 31, and one that is right is let be")
  func littleOff() {
    var noise = SeededGenerator(seed: 3)
    func presents(_ interval: Double) -> [(work: Double, wait: Double)] {
      // Returns are late by up to 0.4 ms, and no more in the long run.
      var late = 0.0
      return (0..<200).map { _ in
        let next = Double(noise.next() % 400) / 1_000
        defer { late = next }
        return (1, interval - 1 + next - late)
      }
    }
    let found = Self.findings(presents(16.25)).compactMap { $0 }
    guard case .interval(let interval) = found.first else { return #expect(Bool(false), "\(found)") }
    #expect((interval.milliseconds - 16.25).magnitude < 0.03)
    #expect(Self.findings(presents(16.01)).allSatisfy { $0 == nil })
  }

  @Test("Four presents held back for eight refreshes and a tenth of a second; a slow display is none")
  func unseen() {
    #expect(Self.findings(Array(repeating: (1, 140), count: 4)) == [nil, nil, nil, .unseen])
    #expect(Self.findings([(1, 140), (1, 140), (1, 140), (1, 15)]).allSatisfy { $0 == nil })
    #expect(!VsyncWatch.isHeldBack(.milliseconds(99), .milliseconds(7)))
    #expect(!VsyncWatch.isHeldBack(.milliseconds(127), .milliseconds(16)))
    #expect(VsyncWatch.isHeldBack(.milliseconds(100), .milliseconds(7)))
  }

  @Test("A rest begins everything anew")
  func rest() {
    var watch = VsyncWatch()
    let target = FrameInstant.zero + .milliseconds(66)
    for _ in 0..<11 {
      #expect(watch.observe(start: .zero, end: .zero, target: target, interval: Self.interval) == nil)
    }
    watch.rest()
    #expect(watch.observe(start: .zero, end: .zero, target: target, interval: Self.interval) == nil)
  }
}
