import Testing
import VitrineFramePacing
import VitrineTestSupport
import VitrineThreads

@testable import VitrineViews

@testable import VitrineHosting

@Suite("A watchdog names what holds the frame thread")
struct FrameThreadWatchdogTests {
  typealias Reading = FrameThreadActivity.Reading

  private func instant(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  @Test("A phase that lasts two seconds is reported once, with its subject, and its end too")
  func stall() {
    var detector = FrameThreadStallDetector()
    let reading = Reading(phase: .commit, subject: "the handler of PhotoCell", changes: 7)
    #expect(detector.handle(Reading(phase: .layout, subject: nil, changes: 6), at: instant(9.5)) == nil)
    #expect(detector.handle(reading, at: instant(10)) == nil)
    #expect(detector.handle(reading, at: instant(11.9)) == nil)
    #expect(
      detector.handle(reading, at: instant(12.1)) == """
        the frame thread has been held for 2.1 s by the handler of PhotoCell, in the phase "commit". Do work that takes \
        long on another thread, and update items when it is done.
        """)
    #expect(detector.handle(reading, at: instant(19)) == nil)
    let end = detector.handle(Reading(phase: .upload, subject: nil, changes: 8), at: instant(19.5))
    #expect(end == "the frame thread goes on after 9.5 s")
    #expect(detector.handle(Reading(phase: .upload, subject: nil, changes: 8), at: instant(20)) == nil)
  }

  @Test("A thread that works on, or rests, is not reported")
  func work() {
    var detector = FrameThreadStallDetector()
    for step in 0..<100 {
      let reading = Reading(phase: .commit, subject: nil, changes: step)
      #expect(detector.handle(step.isMultiple(of: 10) ? nil : reading, at: instant(Double(step) * 3)) == nil)
    }
    #expect(detector.handle(nil, at: instant(400)) == nil && detector.handle(nil, at: instant(500)) == nil)
  }

  @Test("A watchdog is parked while the thread rests, wakes when it works, and stops")
  func parking() throws {
    let activity = FrameThreadActivity()
    let looks = Lock<(count: Int, hasStopped: Bool)>((0, false))
    let thread = try WorkerThread(name: "watchdog") {
      while activity.waitForWork(thenFor: .zero) {
        looks.withLock { $0.count += 1 }
        looks.wakeAll()
      }
      looks.withLock { $0.hasStopped = true }
      looks.wakeAll()
    }
    for _ in 0..<50 {
      #expect(activity.reading == nil)
      let before = looks.withLock { $0.count }
      activity.endRest()
      _ = try looks.wait(for: "a look") { $0.count > before ? () : nil }
      activity.rest()
    }
    activity.stop()
    _ = try looks.wait(for: "the end") { $0.hasStopped ? () : nil }
    thread.join()
  }

  @Test("The record names phases and subjects")
  func record() {
    let activity = FrameThreadActivity()
    let subject = activity.makeSubject("a job")
    #expect(activity.makeSubject("a job") == subject && activity.makeSubject("another") != subject)
    activity.endRest()
    #expect(activity.reading.map { $0.phase == nil && $0.subject == nil } == true)
    activity.begin(.collect)
    activity.setSubject(subject)
    let first = activity.reading
    #expect(first?.phase == .collect && first?.subject == "a job")
    activity.setSubject(-1)
    activity.begin(.layout)
    #expect(activity.reading?.phase == .layout && activity.reading?.subject == nil)
    #expect(activity.reading?.changes == (first?.changes ?? 0) + 1)
  }
}
