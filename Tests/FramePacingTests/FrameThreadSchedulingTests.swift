import CVitrinePlatform
import Glibc
import Testing
import VitrineFramePacing
import VitrineThreads

@Suite("ProcessorContention")
struct ProcessorContentionTests {
  private static let interval = FrameDuration.seconds(1 / 60.0)

  private static func hitchClass(
    waited: Double, ownWork: Double, hitch: Double = 4, wakeLateness: Double = 4, preempted: Double = 0,
    refreshChanged: Bool = false
  ) -> HitchClass {
    var record = FrameRecord()
    record.deadline = .zero + .milliseconds(16)
    record.hitch = .milliseconds(hitch)
    record.wakeLateness = .milliseconds(wakeLateness)
    record.preempted = .milliseconds(preempted)
    record.contention = ProcessorContention(waited: .milliseconds(waited), ownWork: .milliseconds(ownWork))
    return HitchClassifier.classify(
      record, slackLimit: record.deadline, interval: interval, refreshChanged: refreshChanged)
  }

  @Test("A frame that waited while own workers ran is late because of them, with precedence over other causes")
  func precedence() {
    #expect(Self.hitchClass(waited: 3, ownWork: 3) == .ownWorkers)
    #expect(Self.hitchClass(waited: 3, ownWork: 3, preempted: 9) == .ownWorkers)
    #expect(Self.hitchClass(waited: 3, ownWork: 3, refreshChanged: true) == .ownWorkers)
  }

  @Test("If own workers hardly ran or the wait is too short, the hitch has another cause")
  func otherCauses() {
    #expect(Self.hitchClass(waited: 3, ownWork: 1) == .wakeLate)
    #expect(Self.hitchClass(waited: 3, ownWork: 0, preempted: 9) == .external)
    #expect(Self.hitchClass(waited: 1.9, ownWork: 8) == .wakeLate)
    #expect(Self.hitchClass(waited: 0.3, ownWork: 8, hitch: 0.5, wakeLateness: 0.5) == .wakeLate)
    #expect(Self.hitchClass(waited: 0, ownWork: 8, refreshChanged: true) == .external)
  }

  /// Uses processor time on another thread.
  private func work(_ milliseconds: Double) throws {
    let thread = try WorkerThread(name: "work") {
      let end = ThreadTime.now() + .milliseconds(milliseconds)
      while ThreadTime.now() < end {}
    }
    thread.join()
  }

  @Test("The meter counts the time of other threads and processes since the last reading, not the caller's")
  func meter() throws {
    var processes = FrameDuration.zero
    // The kernel may not count the time that threads wait for a processor.
    guard let meter = ContentionMeter(workers: { processes }) else { return }
    #expect(meter.read() == ProcessorContention())
    try work(4)
    processes = .milliseconds(7)
    let first = meter.read()
    #expect(first.ownWork >= .milliseconds(11) && first.waited >= .zero)
    // One process has ended and another one started, so the sum has decreased. The result is not negative.
    processes = .milliseconds(-1_000_000)
    #expect(meter.read().ownWork == .zero)
  }

  @Test("A granted slice applies to the thread only, and threads that it starts have the default")
  func slice() throws {
    let outcome = Lock<(own: Int64, child: Int64, before: Int64, slice: FrameThreadScheduling.Slice)?>(nil)
    let thread = try WorkerThread(name: "frames") {
      let before = platform_slice(0)
      let scheduling = FrameThreadScheduling()
      let child = Lock<Int64>(0)
      let peer = try? WorkerThread(name: "child") { child.withLock { $0 = platform_slice(0) } }
      peer?.join()
      outcome.withLock { $0 = (platform_slice(0), child.withLock { $0 }, before, scheduling.slice) }
    }
    thread.join()
    let values = try #require(outcome.withLock { $0 })
    if values.slice == .granted(FrameThreadScheduling.requestedSlice) {
      #expect(values.own == 100_000 && values.child == values.before)
    } else {
      #expect(values.own == values.before)
    }
  }

  @Test("A refused request names the call that failed")
  func refused() {
    let none = FrameThreadScheduling(thread: .max)
    #expect(none.slice == .refused(ESRCH) && none.description.contains("sched_setattr"))
  }
}
