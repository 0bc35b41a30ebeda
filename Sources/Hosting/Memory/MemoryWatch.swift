import FramePacing
import Glibc
import Synchronization
import Threads

/// Watches whether memory is short: by a thread that sleeps until the kernel tells, or by samples where it does not.
///
/// A program at rest is not woken for it: samples are taken when somebody asks, at most one every two seconds.
final class MemoryWatch {
  /// What the thread raises and the main thread lowers.
  private final class Notice: Sendable {
    let isRaised = Atomic(false)
  }

  private let notice = Notice()
  private let trigger: PressureTrigger?
  private let thread: WorkerThread?
  private var shortage = MemoryShortage()
  private var nextSample = FrameInstant.distantPast
  private let sample: () -> MemorySample?

  /// The thread tells no more often than this, in milliseconds.
  private nonisolated static let pause: Int32 = 2_000
  /// From one sample to the next, where the kernel does not tell.
  private static let sampleInterval = FrameDuration.seconds(2)

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - places: files of pressure stall information; the first that can be used is.
  ///   - events: what `poll` reports of these.
  ///   - sample: asked where none of them can.
  ///   - waker: woken when the kernel tells.
  init(
    places: [String] = PressurePlaces.all, events: Int32 = POLLPRI,
    sample: @escaping () -> MemorySample? = { MemorySample.now() }, waker: any LoopWaker
  ) {
    self.sample = sample
    let trigger = places.lazy.compactMap { try? PressureTrigger(path: $0, events: events) }.first
    guard let trigger, let thread = MemoryWatch.thread(on: trigger, raising: notice, waker) else {
      self.trigger = nil
      thread = nil
      return
    }
    self.trigger = trigger
    self.thread = thread
  }

  /// Whether the kernel tells by itself.
  var isToldByKernel: Bool { trigger != nil }

  /// Whether memory is to be let go of now; asked between frames.
  func isShort(at now: FrameInstant) -> Bool {
    if trigger != nil {
      return notice.isRaised.exchange(false, ordering: .acquiring) && shortage.handle(.stalled, at: now)
    }
    guard now >= nextSample else { return false }
    nextSample = now + MemoryWatch.sampleInterval
    return sample().map { shortage.handle(.sampled($0), at: now) } ?? false
  }

  /// Ends the thread.
  func end() {
    trigger?.stop()
    thread?.join()
  }

  private static func thread(
    on trigger: PressureTrigger, raising notice: Notice, _ waker: any LoopWaker
  ) -> WorkerThread? {
    try? WorkerThread(name: "memory", isLowPriority: true) {
      while case .pressed = trigger.wait() {
        notice.isRaised.store(true, ordering: .releasing)
        waker.wake()
        if trigger.pause(milliseconds: pause) { return }
      }
    }
  }
}
