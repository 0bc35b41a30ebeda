import FramePacing
import TestSupport
import Testing

@Suite("Sums and percentiles over frames")
struct FrameHistoryTests {
  static func record(_ index: Int, hitchMs: Double, class hitchClass: HitchClass = .commitLate) -> FrameRecord {
    var record = FrameRecord()
    record.index = index
    record.isTracked = true
    record.target = FrameInstant.zero + .milliseconds(Double(index) * 10)
    record.shown = record.target + .milliseconds(hitchMs)
    record.hitch = .milliseconds(hitchMs)
    record.hitchClass = hitchMs > 0 ? hitchClass : .none
    return record
  }

  @Test("The ratio is milliseconds of hitches a second of tracked time, over every class")
  func ratio() throws {
    let history = FrameHistory()
    for index in 0..<100 {
      history.append(
        Self.record(
          index, hitchMs: index == 50 ? 5 : index == 80 ? 3 : 0, class: index == 50 ? .external : .commitLate),
        interval: .milliseconds(10))
    }
    let ratio = try #require(history.hitchRatio)
    #expect(abs(ratio - 8) < 1e-9)
    #expect(history.hitchCount == 2)
    #expect(history.hitchCount(of: .external) == 1)
    #expect(history.worstHitches.map(\.index) == [50, 80])
  }

  @Test(
    "The records since a moment are the last ones, the oldest first, also where the ring has begun anew",
    arguments: [0, 1, 5, FrameHistory.defaultCapacity, FrameHistory.defaultCapacity + 3])
  func since(count: Int) {
    let history = FrameHistory()
    for index in 0..<count { history.append(Self.record(index, hitchMs: 0), interval: .milliseconds(10)) }
    let kept = min(count, FrameHistory.defaultCapacity)
    #expect(history.records().map(\.index) == Array((count - kept)..<count))
    let since = FrameInstant.zero + .milliseconds(Double(count) * 10 - 45)
    #expect(history.records(shownSince: since).map(\.index) == Array(max(0, count - 4)..<count))
    #expect(history.records(shownSince: .distantFuture).isEmpty)
  }

  @Test("Frames count that moved, were seen and were not first after rest; the longest commit of the others is kept")
  func counted() {
    let history = FrameHistory()
    for index in 0..<40 {
      var record = Self.record(index, hitchMs: 0)
      record.isTracked = index >= 10
      record.isFirstAfterIdle = index.isMultiple(of: 10)
      record.isOccluded = index == 35
      record.phaseEnds[FramePhase.raster.rawValue] =
        record.start + .milliseconds(record.isOccluded ? 90 : index == 20 ? 44.9 : index == 21 ? 60 : 1)
      history.append(record, interval: .milliseconds(10))
    }
    #expect(history.hitchEligibleCount == 26 && history.firstAfterIdleCount == 4 && history.atRestCount == 9)
    #expect(history.longestIneligibleCommit == .milliseconds(44.9))
  }

  @Test("The virtual clock sees nothing of frames' costs until one of motion took time; others see them at once")
  func visibility() {
    let history = FrameHistory()
    #expect(history.costVisibility(on: .virtual, modelsCosts: false) == .none)
    #expect(history.costVisibility(on: .virtual, modelsCosts: true) == .modelled)
    for kind in [ClockKind.cpu, .timer, .vsync] {
      #expect(history.costVisibility(on: kind, modelsCosts: false) == .measured)
    }
  }

  @Test("A history in which nothing moved has no ratio")
  func nothingMoved() {
    let history = FrameHistory()
    history.append(FrameRecord(), interval: .milliseconds(10))
    #expect(history.hitchRatio == nil)
    #expect(history.percentiles { $0.commit } == nil)
  }

  @Test("The worst five are kept, longest first, and the ring keeps the newest")
  func worstAndRing() {
    let history = FrameHistory()
    for index in 0..<(FrameHistory.defaultCapacity + 10) {
      history.append(Self.record(index, hitchMs: Double(index % 97)), interval: .milliseconds(10))
    }
    #expect(history.worstHitches.count == FrameHistory.worstHitchLimit)
    #expect(history.worstHitches.allSatisfy { $0.hitch == .milliseconds(96) })
    #expect(history.availableCount == FrameHistory.defaultCapacity)
    #expect(history.record(atAge: 0).index == FrameHistory.defaultCapacity + 9)
    #expect(history.record(atAge: FrameHistory.defaultCapacity - 1).index == 10)
  }

  @Test("The sample window agrees with sorting its last 64 samples")
  func sampleWindow() {
    var generator = SeededGenerator(seed: 5)
    var window = SampleWindow()
    var samples: [Int64] = []
    for _ in 0..<500 {
      let sample = Int64.random(in: 0...40, using: &generator)
      window.append(FrameDuration(nanoseconds: sample))
      samples.append(sample)
      let sorted = samples.suffix(64).sorted(by: >)
      for exceeded in [0, 3, 6, 31] {
        let expected = sorted[min(exceeded, sorted.count - 1)]
        #expect(window.largest(excluding: exceeded).nanoseconds == expected)
        let least = sorted[max(0, sorted.count - 1 - exceeded)]
        #expect(window.smallest(excluding: exceeded).nanoseconds == least)
      }
    }
  }

  @Test("Percentiles are by nearest rank")
  func percentiles() throws {
    let values = try #require(Percentiles(ofNanoseconds: (1...100).map(Int64.init).shuffled()))
    #expect(values.p50.nanoseconds == 50)
    #expect(values.p95.nanoseconds == 95)
    #expect(values.p99.nanoseconds == 99)
    #expect(values.max.nanoseconds == 100)
    #expect(Percentiles(ofNanoseconds: []) == nil)
  }

  @Test("A virtual clock advances by what it is told alone; waiting for the past is no wait")
  func virtualClock() {
    let clock = SimulatedClock(kind: .virtual)
    clock.spend(.milliseconds(3))
    clock.wait(until: FrameInstant.zero + .milliseconds(2))
    #expect(clock.now() == FrameInstant.zero + .milliseconds(3))
    clock.wait(until: FrameInstant.zero + .milliseconds(9))
    #expect(clock.now() == FrameInstant.zero + .milliseconds(9))
  }

  @Test("The processor clock counts this thread's work, and none of what is uncounted")
  func processorClock() {
    let clock = SimulatedClock(kind: .cpu)
    func burn() -> Int { (0..<2_000_000).reduce(0) { $0 &+ ($1 ^ ($0 &* 31)) } }
    let start = clock.now()
    var sum = burn()
    let worked = clock.now()
    #expect(worked > start)
    var inside: (FrameInstant, FrameInstant)?
    clock.performUncounted {
      let first = clock.now()
      sum &+= burn()
      inside = (first, clock.now())
    }
    #expect(inside?.0 == inside?.1)
    #expect(sum != 1)
  }

  @Test("As many records are kept as are asked for, up to a power of two", arguments: [(1, 1), (5, 8), (64, 64)])
  func capacity(asked: Int, kept: Int) {
    let history = FrameHistory(capacity: asked)
    for index in 0..<100 {
      var record = FrameRecord()
      record.index = index
      history.append(record, interval: .milliseconds(16))
    }
    #expect(history.capacity == kept && history.count == 100 && history.availableCount == kept)
    #expect(history.records().map(\.index) == Array(100 - kept..<100))
  }
}
