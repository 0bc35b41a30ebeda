import FramePacing
import Glibc
import Synchronization
import Threads

/// Watches whether memory is short: by a thread that sleeps until the kernel tells, or by samples where it does not.
///
/// A program at rest is not woken for it: samples are taken when somebody asks, at most one every two seconds.
final class MemoryMonitor {
  /// What the thread raises and the main thread lowers.
  private final class PressureFlag: Sendable {
    let isRaised = Atomic(false)
  }

  private let pressureFlag = PressureFlag()
  private let trigger: PressureTrigger?
  private let thread: WorkerThread?
  private var shortage = MemoryShortageDetector()
  private var nextSample = FrameInstant.distantPast
  private let sample: () -> MemorySample?

  /// The thread tells no more often than this, in milliseconds.
  private nonisolated static let notificationInterval: Int32 = 2_000
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
    paths: [String] = PressureFiles.all, events: Int32 = POLLPRI,
    sample: @escaping () -> MemorySample? = { MemorySample.current() }, waker: any LoopWaker
  ) {
    self.sample = sample
    let trigger = paths.lazy.compactMap { try? PressureTrigger(path: $0, events: events) }.first
    guard let trigger, let thread = MemoryMonitor.makeThread(on: trigger, raising: pressureFlag, waker) else {
      self.trigger = nil
      thread = nil
      return
    }
    self.trigger = trigger
    self.thread = thread
  }

  /// Whether the kernel tells by itself.
  var usesKernelNotifications: Bool { trigger != nil }

  /// Whether memory is to be let go of now; asked between frames.
  func isShort(at now: FrameInstant) -> Bool {
    if trigger != nil {
      return pressureFlag.isRaised.exchange(false, ordering: .acquiring) && shortage.handle(.stalled, at: now)
    }
    guard now >= nextSample else { return false }
    nextSample = now + MemoryMonitor.sampleInterval
    return sample().map { shortage.handle(.sampled($0), at: now) } ?? false
  }

  /// Ends the thread.
  func stop() {
    trigger?.stop()
    thread?.join()
  }

  private static func makeThread(
    on trigger: PressureTrigger, raising notice: PressureFlag, _ waker: any LoopWaker
  ) -> WorkerThread? {
    try? WorkerThread(name: "memory", isLowPriority: true) {
      while case .underPressure = trigger.wait() {
        notice.isRaised.store(true, ordering: .releasing)
        waker.wake()
        if trigger.pause(milliseconds: notificationInterval) { return }
      }
    }
  }
}
