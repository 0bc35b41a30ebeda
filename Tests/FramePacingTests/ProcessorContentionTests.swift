import CPlatform
import FramePacing
import Glibc
import Testing
import Threads

@Suite("Waiting for a processor")
struct ProcessorContentionTests {
  private static let interval = FrameDuration.seconds(1 / 60.0)

  private static func found(
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

  @Test("A frame that waited while own workers ran is late for them, whatever else could explain it")
  func precedence() {
    #expect(Self.found(waited: 3, ownWork: 3) == .ownWorkers)
    #expect(Self.found(waited: 3, ownWork: 3, preempted: 9) == .ownWorkers)
    #expect(Self.found(waited: 3, ownWork: 3, refreshChanged: true) == .ownWorkers)
  }

  @Test("Where own workers hardly ran, or the wait is too short to explain the lateness, others are the cause")
  func others() {
    #expect(Self.found(waited: 3, ownWork: 1) == .wakeLate)
    #expect(Self.found(waited: 3, ownWork: 0, preempted: 9) == .external)
    #expect(Self.found(waited: 1.9, ownWork: 8) == .wakeLate)
    #expect(Self.found(waited: 0.3, ownWork: 8, hitch: 0.5, wakeLateness: 0.5) == .wakeLate)
    #expect(Self.found(waited: 0, ownWork: 8, refreshChanged: true) == .external)
  }

  /// Uses so much processor time on a thread of its own.
  private func work(_ milliseconds: Double) throws {
    let thread = try WorkerThread(name: "work") {
      let end = ThreadTime.now() + .milliseconds(milliseconds)
      while ThreadTime.now() < end {}
    }
    thread.join()
  }

  @Test("The meter counts what other threads and processes used since the last reading, and not the caller's own work")
  func meter() throws {
    var processes = FrameDuration.zero
    // Kernels that do not count waiting have no meter.
    guard let meter = ContentionMeter(workers: { processes }) else { return }
    #expect(meter.read() == ProcessorContention())
    try work(4)
    processes = .milliseconds(7)
    let first = meter.read()
    #expect(first.ownWork >= .milliseconds(11) && first.waited >= .zero)
    // A process has ended and another begun: what it had used is gone, and no work is less than none.
    processes = .milliseconds(-1_000_000)
    #expect(meter.read().ownWork == .zero)
  }

  @Test("A granted slice is the thread's own, and threads that it starts have the usual one")
  func slice() throws {
    let outcome = Lock<(own: Int64, child: Int64, before: Int64, slice: FrameThreadScheduling.Slice)?>(nil)
    let thread = try WorkerThread(name: "frames") {
      let before = platform_slice(0)
      let scheduling = FrameThreadScheduling()
      let child = Lock<Int64>(0)
      let other = try? WorkerThread(name: "child") { child.withLock { $0 = platform_slice(0) } }
      other?.join()
      outcome.withLock { $0 = (platform_slice(0), child.withLock { $0 }, before, scheduling.slice) }
    }
    thread.join()
    let found = try #require(outcome.withLock { $0 })
    if found.slice == .granted(FrameThreadScheduling.requestedSlice) {
      #expect(found.own == 100_000 && found.child == found.before)
    } else {
      #expect(found.own == found.before)
    }
  }

  @Test("A request that fails says which call failed")
  func refused() {
    let none = FrameThreadScheduling(thread: .max)
    #expect(none.slice == .refused(ESRCH) && none.description.contains("sched_setattr"))
  }
}
