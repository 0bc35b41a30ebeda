import Testing
import VitrineFramePacing

@Suite("FrameHistory")
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

  @Test("The hitch ratio is milliseconds of hitches per second of tracked time, over all classes")
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
    "The records since an instant are the newest ones, oldest first, also after the ring buffer wraps around",
    arguments: [0, 1, 5, FrameHistory.defaultCapacity, FrameHistory.defaultCapacity + 3])
  func since(count: Int) {
    let history = FrameHistory()
    for index in 0..<count { history.append(Self.record(index, hitchMs: 0), interval: .milliseconds(10)) }
    let stored = min(count, FrameHistory.defaultCapacity)
    #expect(history.records().map(\.index) == Array((count - stored)..<count))
    let since = FrameInstant.zero + .milliseconds(Double(count) * 10 - 45)
    #expect(history.records(shownSince: since).map(\.index) == Array(max(0, count - 4)..<count))
    #expect(history.records(shownSince: .distantFuture).isEmpty)
  }

  @Test(
    "Tracked, visible frames that are not the first after idle are eligible; the longest commit of the others is recorded"
  )
  func eligibleFrames() {
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

  @Test("A history without tracked frames has no hitch ratio")
  func emptyHistory() {
    let history = FrameHistory()
    history.append(FrameRecord(), interval: .milliseconds(10))
    #expect(history.hitchRatio == nil)
    #expect(history.percentiles { $0.commit } == nil)
  }

  @Test("The five worst hitches are stored, longest first, and the ring buffer stores the newest records")
  func worstHitchesAndNewestRecords() {
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

  @Test("The capacity is rounded up to a power of two", arguments: [(1, 1), (5, 8), (64, 64)])
  func capacity(requested: Int, stored: Int) {
    let history = FrameHistory(capacity: requested)
    for index in 0..<100 {
      var record = FrameRecord()
      record.index = index
      history.append(record, interval: .milliseconds(16))
    }
    #expect(history.capacity == stored && history.count == 100 && history.availableCount == stored)
    #expect(history.records().map(\.index) == Array(100 - stored..<100))
  }
}
