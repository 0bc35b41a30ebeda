import FramePacing
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

  @Test("Twelve presents at once with time to wait; without such time nothing is told")
  func unpaced() {
    let found = Self.findings(Array(repeating: (1, 0.1), count: 12))
    #expect(found.last == .unpaced && found.dropLast().allSatisfy { $0 == nil })
    #expect(Self.findings(Array(repeating: (15.5, 0.1), count: 50)).allSatisfy { $0 == nil })
  }

  @Test("One present that waits begins the count anew")
  func interrupted() {
    let eleven = Array(repeating: (work: 1.0, wait: 0.1), count: 11)
    #expect(Self.findings(eleven + [(1, 15)] + eleven).allSatisfy { $0 == nil })
  }

  @Test("Five intervals that agree on another rate; frames with much work tell nothing of it")
  func otherRate() {
    let found = Self.findings(Array(repeating: (1, 19), count: 7)).compactMap { $0 }
    #expect(found == [.interval(.milliseconds(20))])
    #expect(Self.findings(Array(repeating: (20, 12), count: 50)).allSatisfy { $0 == nil })
    #expect(Self.findings((0..<50).map { (1, $0 % 2 == 0 ? 15 : 31) }).allSatisfy { $0 == nil })
  }

  @Test("Four presents held back for three refreshes and more")
  func unseen() {
    #expect(Self.findings(Array(repeating: (1, 50), count: 4)) == [nil, nil, nil, .unseen])
    #expect(Self.findings([(1, 50), (1, 50), (1, 50), (1, 15)]).allSatisfy { $0 == nil })
  }

  @Test("A rest begins everything anew")
  func rest() {
    var watch = VsyncWatch()
    for _ in 0..<11 {
      #expect(watch.observe(start: .zero, end: .zero, target: .zero + Self.interval, interval: Self.interval) == nil)
    }
    #expect(watch.isDoubted)
    watch.rest()
    #expect(!watch.isDoubted)
    #expect(watch.observe(start: .zero, end: .zero, target: .zero + Self.interval, interval: Self.interval) == nil)
  }
}
