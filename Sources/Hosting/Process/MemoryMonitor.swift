import Glibc
import Synchronization
import VitrineFramePacing
import VitrineThreads

/// A monitor that detects memory pressure, by kernel notifications if available and by sampling otherwise.
///
/// With kernel notifications, a thread blocks until one arrives. Sampling does not wake an idle program: it happens in
/// ``isShort(at:)``, at most once every two seconds.
final class MemoryMonitor {
  /// A flag that the thread sets and the main thread clears.
  private final class PressureFlag: Sendable {
    let isRaised = Atomic(false)
  }

  private let pressureFlag = PressureFlag()
  private let trigger: PressureTrigger?
  private let thread: WorkerThread?
  private var shortage = MemoryShortageDetector()
  private var nextSample = FrameInstant.distantPast
  private let sample: () -> MemorySample?

  /// The minimum time between two notifications, in milliseconds.
  private nonisolated static let notificationInterval: Int32 = 2_000
  /// The minimum time between two samples.
  private static let sampleInterval = FrameDuration.seconds(2)

  /// Starts to monitor memory.
  ///
  /// - Parameters:
  ///   - paths: Files of pressure stall information. The first usable one is watched.
  ///   - events: The `poll` events of these files.
  ///   - sample: Returns a sample of the memory. Called only if no file is usable.
  ///   - waker: The waker to call when a notification arrives.
  init(
    paths: [String] = PressureFiles.all, events: Int32 = POLLPRI,
    sample: @escaping () -> MemorySample? = { MemorySample.current() }, waker: any LoopWaker
  ) {
    self.sample = sample
    // A lazy collection would make each trigger twice, and end the program if only the second attempt fails.
    var usable: PressureTrigger?
    for path in paths where usable == nil { usable = try? PressureTrigger(path: path, events: events) }
    guard let trigger = usable, let thread = MemoryMonitor.makeThread(on: trigger, raising: pressureFlag, waker) else {
      self.trigger = nil
      thread = nil
      return
    }
    self.trigger = trigger
    self.thread = thread
  }

  /// Whether the kernel sends notifications.
  var usesKernelNotifications: Bool { trigger != nil }

  /// Returns whether caches must be trimmed now.
  ///
  /// Called between frames.
  func isShort(at now: FrameInstant) -> Bool {
    if trigger != nil {
      return pressureFlag.isRaised.exchange(false, ordering: .acquiring) && shortage.handle(.stalled, at: now)
    }
    guard now >= nextSample else { return false }
    nextSample = now + MemoryMonitor.sampleInterval
    return sample().map { shortage.handle(.sampled($0), at: now) } ?? false
  }

  /// Stops the thread and waits for its end.
  func stop() {
    trigger?.stop()
    thread?.join()
  }

  private static func makeThread(
    on trigger: PressureTrigger, raising flag: PressureFlag, _ waker: any LoopWaker
  ) -> WorkerThread? {
    try? WorkerThread(name: "memory", isLowPriority: true) {
      while case .underPressure = trigger.wait() {
        flag.isRaised.store(true, ordering: .releasing)
        waker.wake()
        if trigger.pause(milliseconds: notificationInterval) { return }
      }
    }
  }
}

/// A pure state machine that decides when caches must be trimmed.
///
/// A notification of stalled programs always triggers trimming, at most once per interval. Samples trigger it when the
/// available memory falls below a threshold, and again at intervals until it rises above a higher threshold.
nonisolated struct MemoryShortageDetector {
  /// An observation of the system's memory.
  enum Event {
    /// Programs stalled on memory for longer than the kernel's threshold.
    case stalled
    /// A sample of the available memory.
    case sampled(MemorySample)
  }

  /// The time after trimming during which notifications belong to the same shortage.
  static let coalescingInterval = FrameDuration.seconds(2)
  /// The time between trims while samples show a continuing shortage.
  static let repeatInterval = FrameDuration.seconds(10)
  /// The share of available memory below which a shortage begins, and above which it ends.
  static let thresholds = (short: 0.05, ample: 0.1)

  private var lastTrim = FrameInstant.distantPast
  private var isShort = false

  /// Handles an observation.
  ///
  /// - Returns: Whether caches must be trimmed now.
  mutating func handle(_ event: Event, at now: FrameInstant) -> Bool {
    switch event {
    case .stalled: return shouldTrim(at: now, after: MemoryShortageDetector.coalescingInterval)
    case .sampled(let sample):
      guard
        sample.availableShare
          < (isShort ? MemoryShortageDetector.thresholds.ample : MemoryShortageDetector.thresholds.short)
      else {
        isShort = false
        return false
      }
      let wasShort = isShort
      isShort = true
      return shouldTrim(
        at: now, after: wasShort ? MemoryShortageDetector.repeatInterval : MemoryShortageDetector.coalescingInterval)
    }
  }

  private mutating func shouldTrim(at now: FrameInstant, after pause: FrameDuration) -> Bool {
    guard lastTrim == .distantPast || now - lastTrim >= pause else { return false }
    lastTrim = now
    return true
  }
}
