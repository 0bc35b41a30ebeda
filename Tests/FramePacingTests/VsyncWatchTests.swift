import FramePacing
import TestSupport
import Testing

@Suite("Presents are watched for a display that does not do what its driver said")
struct VsyncWatchTests {
  static let interval = FrameDuration.milliseconds(16)

  /// Presents, each from and to milliseconds behind the last return.
  static func findings(_ presents: [(work: Double, wait: Double)], target: Double = 16) -> [VsyncMonitor.Finding?] {
    var watch = VsyncMonitor()
    var now = FrameInstant.zero
    return presents.map { present in
      let start = now + .milliseconds(present.work)
      let end = start + .milliseconds(present.wait)
      defer { now = end }
      return watch.observePresent(start: start, end: end, target: now + .milliseconds(target), interval: interval)
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

  @Test("A row of intervals on another grid is another rate; frames with much work tell nothing of it")
  func otherRate() {
    let row = Array(repeating: (work: 1.0, wait: 19.0), count: VsyncMonitor.steadyCount + 1)
    #expect(Self.findings(row).compactMap { $0 } == [.interval(.milliseconds(20))])
    #expect(Self.findings(row.dropLast()).allSatisfy { $0 == nil })
    // The same presents, of which one came late by a fifth of an interval.
    #expect(Self.findings(row.prefix(12) + [(5, 19)] + row.prefix(12)).allSatisfy { $0 == nil })
    #expect(Self.findings(Array(repeating: (20, 12), count: 50)).allSatisfy { $0 == nil })
    // Two refreshes, and three: work in presenting that takes longer than one.
    #expect(Self.findings(Array(repeating: (1, 31), count: 50)).allSatisfy { $0 == nil })
    #expect(Self.findings(Array(repeating: (1, 47), count: 50)).allSatisfy { $0 == nil })
    #expect(Self.findings((0..<50).map { (1, $0 % 2 == 0 ? 15 : 31) }).allSatisfy { $0 == nil })
  }

  /// How many milliseconds behind the last one each present returns, a millisecond of that being work.
  static func confirmed(_ intervals: [Double], told: Double = 16) -> (confirmed: Int, found: [VsyncMonitor.Finding]) {
    var watch = VsyncMonitor()
    var (now, count, found) = (FrameInstant.zero, 0, [VsyncMonitor.Finding]())
    for interval in intervals {
      let end = now + .milliseconds(interval)
      let finding = watch.observePresent(
        start: now + .milliseconds(1), end: end, target: end, interval: .milliseconds(told))
      if let finding { found.append(finding) }
      if watch.confirmsInterval { count += 1 }
      now = end
    }
    return (count, found)
  }

  @Test(
    "Refreshes that come steadily are confirmed, or found where others were told, late returns or not",
    arguments: [60.0, 75, 144, 240])
  func steady(rate: Double) {
    var noise = SeededGenerator(seed: 9)
    let interval = 1_000 / rate
    // Most wake-ups are late by less than 0.2 ms, one in fifty by more.
    var late = 0.0
    let intervals = (0..<600).map { _ in
      let next = Double.random(in: 0...0.2, using: &noise) + (Int.random(in: 0..<50, using: &noise) == 0 ? 0.9 : 0)
      defer { late = next }
      return interval + next - late
    }
    let seen = Self.confirmed(intervals, told: interval)
    #expect(seen.confirmed > 100 && seen.found.isEmpty)
    let told = Self.confirmed(intervals, told: 1_000 / 50)
    #expect(told.confirmed == 0 && !told.found.isEmpty)
    for case .interval(let seen) in told.found { #expect((seen.milliseconds - interval).magnitude < 0.05) }
  }

  @Test(
    "Presents that take as long as painting does are no refresh", arguments: 0..<10)
  func painting(seed: UInt64) {
    var noise = SeededGenerator(seed: seed)
    let wild = (0..<2_000).map { _ in Double.random(in: 5...25, using: &noise) }
    // Near 14 ms, 71 Hz, as painting a window of one size by the processor is.
    let near = (0..<2_000).map { _ in
      14 + (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -0.6...0.6, using: &noise) }
    }
    // A display with a refresh of its own for each frame shows one when it is ready.
    let variable = (0..<2_000).map { 7 + 5 * (1 + Double($0 % 97) / 97) + Double.random(in: 0...0.5, using: &noise) }
    for (intervals, told) in [(wild, 16.0), (near, 16), (near, 14)] {
      let seen = Self.confirmed(intervals, told: told)
      // Eight alike in thousands are chance: paced by at most, and never told.
      #expect(seen.confirmed == 0 && seen.found.count <= 2, "told \(told): \(seen)")
    }
    for told in [16.0, 14.5] { #expect(Self.confirmed(variable, told: told).confirmed == 0) }
  }

  @Test("On the vsync clock a pacer knows its refresh once presents have shown it; others have a grid")
  func observed() {
    for kind in [ClockKind.timer, .virtual, .cpu] {
      #expect(FramePacer(kind: kind, interval: Self.interval).isIntervalObserved)
    }
    var pacer = FramePacer(kind: .vsync, interval: Self.interval)
    var now = FrameInstant.zero
    func present(_ count: Int, every milliseconds: Double) {
      for _ in 0..<count {
        _ = pacer.beginFrame(at: now)
        let end = now + .milliseconds(milliseconds)
        if case .interval(let seen)? = pacer.observePresent(from: now + .milliseconds(1), to: end) {
          pacer.reconfigure(kind: .vsync, interval: seen)
        }
        now = end
      }
    }
    present(VsyncMonitor.steadyCount, every: 16)
    #expect(!pacer.isIntervalObserved)
    present(2, every: 16)
    #expect(pacer.isIntervalObserved)
    // A faster rate is paced by at once, and counts as observed once it has come for long enough.
    present(VsyncMonitor.fasterSteadyCount + 1, every: 12.5)
    #expect(!pacer.isIntervalObserved && pacer.interval == .milliseconds(12.5))
    present(60, every: 12.5)
    #expect(pacer.isIntervalObserved)
    present(60, every: 15)
    #expect(pacer.isIntervalObserved && pacer.interval == .milliseconds(15))
    // Another display tells another rate: what was seen is of the last one.
    pacer.reconfigure(kind: .vsync, interval: .milliseconds(10))
    #expect(!pacer.isIntervalObserved)
  }

  @Test("A rate that is a little off is found by a row of intervals, and one that is right is let be")
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
    #expect(Self.findings(Array(repeating: (1, 140), count: 4)) == [nil, nil, nil, .occluded])
    #expect(Self.findings([(1, 140), (1, 140), (1, 140), (1, 15)]).allSatisfy { $0 == nil })
    #expect(!VsyncMonitor.isHeldBack(.milliseconds(99), .milliseconds(7)))
    #expect(!VsyncMonitor.isHeldBack(.milliseconds(127), .milliseconds(16)))
    #expect(VsyncMonitor.isHeldBack(.milliseconds(100), .milliseconds(7)))
  }

  @Test("A rest begins everything anew")
  func rest() {
    var watch = VsyncMonitor()
    let target = FrameInstant.zero + .milliseconds(66)
    for _ in 0..<11 {
      #expect(watch.observePresent(start: .zero, end: .zero, target: target, interval: Self.interval) == nil)
    }
    watch.reset()
    #expect(watch.observePresent(start: .zero, end: .zero, target: target, interval: Self.interval) == nil)
  }
}
