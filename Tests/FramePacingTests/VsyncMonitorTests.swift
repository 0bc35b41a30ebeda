import Testing
import VitrineFramePacing
import VitrineTestSupport

@Suite("VsyncMonitor")
struct VsyncMonitorTests {
  static let interval = FrameDuration.milliseconds(16)

  /// Returns the finding after each present.
  ///
  /// - Parameters:
  ///   - presents: The time before each present and its duration in milliseconds.
  ///   - target: The time from one present to the target of the next one in milliseconds.
  static func findings(_ presents: [(work: Double, wait: Double)], target: Double = 16) -> [VsyncMonitor.Finding?] {
    var monitor = VsyncMonitor()
    var now = FrameInstant.zero
    return presents.map { present in
      let start = now + .milliseconds(present.work)
      let end = start + .milliseconds(present.wait)
      defer { now = end }
      return monitor.observePresent(start: start, end: end, target: now + .milliseconds(target), interval: interval)
    }
  }

  @Test("Presents that wait for the reported refreshes produce no finding, for any amount of work")
  func expectedInterval() {
    #expect(Self.findings((0..<100).map { (Double($0 % 14), 16 - Double($0 % 14)) }).allSatisfy { $0 == nil })
  }

  @Test("Twelve presents that return immediately are unpaced if they are further ahead than any queue")
  func unpaced() {
    let found = Self.findings(Array(repeating: (1, 0.1), count: 12), target: 66)
    #expect(found.last == .unpaced && found.dropLast().allSatisfy { $0 == nil })
    #expect(Self.findings(Array(repeating: (15.5, 0.1), count: 50)).allSatisfy { $0 == nil })
    #expect(Self.findings(Array(repeating: (1, 0.1), count: 50), target: 60).allSatisfy { $0 == nil })
  }

  @Test("A present that waits resets the count")
  func waitingPresent() {
    let eleven = Array(repeating: (work: 1.0, wait: 0.1), count: 11)
    #expect(Self.findings(eleven + [(1, 15)] + eleven, target: 66).allSatisfy { $0 == nil })
  }

  @Test("A sequence of equal intervals at another rate is a finding unless the frames have much work")
  func otherRate() {
    let steady = Array(repeating: (work: 1.0, wait: 19.0), count: VsyncMonitor.steadyCount + 1)
    #expect(Self.findings(steady).compactMap { $0 } == [.interval(.milliseconds(20))])
    #expect(Self.findings(steady.dropLast()).allSatisfy { $0 == nil })
    // The same presents, one of which is late by a fifth of an interval.
    #expect(Self.findings(steady.prefix(12) + [(5, 19)] + steady.prefix(12)).allSatisfy { $0 == nil })
    #expect(Self.findings(Array(repeating: (20, 12), count: 50)).allSatisfy { $0 == nil })
    // Two and three refreshes: work within presenting that takes longer than one refresh.
    #expect(Self.findings(Array(repeating: (1, 31), count: 50)).allSatisfy { $0 == nil })
    #expect(Self.findings(Array(repeating: (1, 47), count: 50)).allSatisfy { $0 == nil })
    #expect(Self.findings((0..<50).map { (1, $0 % 2 == 0 ? 15 : 31) }).allSatisfy { $0 == nil })
  }

  /// Observes presents that return at the given intervals in milliseconds, of which 1 ms is work.
  ///
  /// - Returns: The number of presents after which the interval was confirmed, and the findings.
  static func confirmed(_ intervals: [Double], reported: Double = 16) -> (confirmed: Int, found: [VsyncMonitor.Finding])
  {
    var monitor = VsyncMonitor()
    var (now, count, found) = (FrameInstant.zero, 0, [VsyncMonitor.Finding]())
    for interval in intervals {
      let end = now + .milliseconds(interval)
      let finding = monitor.observePresent(
        start: now + .milliseconds(1), end: end, target: end, interval: .milliseconds(reported))
      if let finding { found.append(finding) }
      if monitor.confirmsInterval { count += 1 }
      now = end
    }
    return (count, found)
  }

  @Test(
    "A steady refresh is confirmed, or found if another one was reported, also with jitter",
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
    let observed = Self.confirmed(intervals, reported: interval)
    #expect(observed.confirmed > 100 && observed.found.isEmpty)
    let reported = Self.confirmed(intervals, reported: 1_000 / 50)
    #expect(reported.confirmed == 0 && !reported.found.isEmpty)
    for case .interval(let observed) in reported.found { #expect((observed.milliseconds - interval).magnitude < 0.05) }
  }

  @Test(
    "Presents with the irregular durations of painting are not a refresh interval", arguments: 0..<10)
  func irregularPresents(seed: UInt64) {
    var noise = SeededGenerator(seed: seed)
    let wild = (0..<2_000).map { _ in Double.random(in: 5...25, using: &noise) }
    // About 14 ms or 71 Hz, as software rendering of a window of constant size takes.
    let similar = (0..<2_000).map { _ in
      14 + (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -0.6...0.6, using: &noise) }
    }
    // A display with a variable refresh rate shows each frame when it is ready.
    let variable = (0..<2_000).map { 7 + 5 * (1 + Double($0 % 97) / 97) + Double.random(in: 0...0.5, using: &noise) }
    for (intervals, reported) in [(wild, 16.0), (similar, 16), (similar, 14)] {
      let observed = Self.confirmed(intervals, reported: reported)
      // Eight similar intervals in thousands are chance: they may be a finding but are never confirmed.
      #expect(observed.confirmed == 0 && observed.found.count <= 2, "reported \(reported): \(observed)")
    }
    for reported in [16.0, 14.5] { #expect(Self.confirmed(variable, reported: reported).confirmed == 0) }
  }

  @Test("On vsync the interval is observed after enough presents, on other clocks always")
  func intervalObservation() {
    for kind in [ClockKind.timer, .virtual, .cpu] {
      #expect(FramePacer(kind: kind, interval: Self.interval).isIntervalObserved)
    }
    var pacer = FramePacer(kind: .vsync, interval: Self.interval)
    var now = FrameInstant.zero
    func present(_ count: Int, every milliseconds: Double) {
      for _ in 0..<count {
        _ = pacer.beginFrame(at: now)
        let end = now + .milliseconds(milliseconds)
        if case .interval(let observed)? = pacer.observePresent(from: now + .milliseconds(1), to: end) {
          pacer.reconfigure(kind: .vsync, interval: observed)
        }
        now = end
      }
    }
    present(VsyncMonitor.steadyCount, every: 16)
    #expect(!pacer.isIntervalObserved)
    present(2, every: 16)
    #expect(pacer.isIntervalObserved)
    // A faster rate takes effect immediately and counts as observed after enough presents.
    present(VsyncMonitor.fasterSteadyCount + 1, every: 12.5)
    #expect(!pacer.isIntervalObserved && pacer.interval == .milliseconds(12.5))
    present(60, every: 12.5)
    #expect(pacer.isIntervalObserved)
    present(60, every: 15)
    #expect(pacer.isIntervalObserved && pacer.interval == .milliseconds(15))
    // Another display reports another rate, so the observations of the previous one do not count.
    pacer.reconfigure(kind: .vsync, interval: .milliseconds(10))
    #expect(!pacer.isIntervalObserved)
  }

  @Test("A small deviation of the interval is found, and the correct interval is not a finding")
  func smallDeviation() {
    var noise = SeededGenerator(seed: 3)
    func presents(_ interval: Double) -> [(work: Double, wait: Double)] {
      // Returns are late by up to 0.4 ms without accumulating.
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

  @Test("Four presents that are held back for eight refreshes and 100 ms are occluded, a slow display is not")
  func occluded() {
    #expect(Self.findings(Array(repeating: (1, 140), count: 4)) == [nil, nil, nil, .occluded])
    #expect(Self.findings([(1, 140), (1, 140), (1, 140), (1, 15)]).allSatisfy { $0 == nil })
    #expect(!VsyncMonitor.isHeldBack(.milliseconds(99), .milliseconds(7)))
    #expect(!VsyncMonitor.isHeldBack(.milliseconds(127), .milliseconds(16)))
    #expect(VsyncMonitor.isHeldBack(.milliseconds(100), .milliseconds(7)))
  }

  @Test("Resetting discards all observations")
  func reset() {
    var monitor = VsyncMonitor()
    let target = FrameInstant.zero + .milliseconds(66)
    for _ in 0..<11 {
      #expect(monitor.observePresent(start: .zero, end: .zero, target: target, interval: Self.interval) == nil)
    }
    monitor.reset()
    #expect(monitor.observePresent(start: .zero, end: .zero, target: target, interval: Self.interval) == nil)
  }
}

// MARK: - PresentProbe

@Suite("PresentProbe classifies presenting by measurement")
struct PresentProbeTests {
  static let interval = FrameDuration.milliseconds(16)

  static func probe(duration: Double, every period: Double, early: Int = 0) -> PresentProbe {
    var probe = PresentProbe(interval: interval)
    var time = 0.0
    for index in 0..<PresentProbe.sampleCount {
      let duration = index < early ? 0.1 : duration
      let step = index < early ? 0.5 : period
      time += step
      probe.observePresent(
        start: FrameInstant.zero + .milliseconds(time - duration), end: FrameInstant.zero + .milliseconds(time))
    }
    return probe
  }

  @Test("Calls that block until the refresh are vsync, also if the first ones only fill the queue")
  func realVsync() {
    #expect(Self.probe(duration: 14, every: 16).finding == .vsync)
    #expect(Self.probe(duration: 14, every: 16.2, early: 3).finding == .vsync)
  }

  @Test("Calls that return immediately are paced by a timer at any rate")
  func returnsImmediately() {
    #expect(Self.probe(duration: 0.05, every: 0.1).finding == .timer)
    #expect(Self.probe(duration: 0.05, every: 16).finding == .timer)
  }

  @Test("Calls that block at another rate than the display's are not vsync")
  func wrongRate() {
    #expect(Self.probe(duration: 9, every: 10).finding == .timer)
  }

  @Test("Irregular rendering that takes about as long as a refresh is not vsync", arguments: 0..<20)
  func unsteady(seed: UInt64) {
    var noise = SeededGenerator(seed: seed)
    var probe = PresentProbe(interval: Self.interval)
    var time = 0.0
    for _ in 0..<PresentProbe.sampleCount {
      let duration = Double.random(in: 5...27, using: &noise)
      time += duration + 0.5
      probe.observePresent(
        start: FrameInstant.zero + .milliseconds(time - duration), end: FrameInstant.zero + .milliseconds(time))
    }
    #expect(probe.finding == .timer)
  }

  @Test("Eleven presents are not enough for a finding")
  func undecided() {
    var probe = PresentProbe(interval: Self.interval)
    for index in 0..<(PresentProbe.sampleCount - 1) {
      let end = FrameInstant.zero + .milliseconds(Double(index) * 16)
      probe.observePresent(start: end - .milliseconds(15), end: end)
    }
    #expect(probe.finding == .undecided)
  }
}
