import VitrineFramePacing
import VitrineThreads
import VitrineViews

/// A thread that reports what holds the frame thread for two seconds and longer.
///
/// It looks every half second while the frame thread works, and blocks while it rests.
final class FrameThreadWatchdog {
  private let activity: FrameThreadActivity
  private let thread: WorkerThread?

  /// The time between two looks.
  private nonisolated static let interval = Duration.milliseconds(500)

  /// Starts to watch the frame thread.
  ///
  /// - Parameters:
  ///   - activity: The record of the frame thread.
  ///   - report: A closure that is called with a sentence, on the watchdog's thread.
  init(_ activity: FrameThreadActivity, report: @escaping @Sendable (_ sentence: String) -> Void) {
    self.activity = activity
    thread = try? WorkerThread(name: "watchdog") {
      var detector = FrameThreadStallDetector()
      while activity.waitForWork(thenFor: FrameThreadWatchdog.interval) {
        if let sentence = detector.handle(activity.reading, at: MonotonicClock.now()) { report(sentence) }
      }
    }
  }

  /// Ends the thread.
  func stop() {
    activity.stop()
    thread?.join()
  }
}

/// A pure state machine that decides when the frame thread is stuck, and describes how.
nonisolated struct FrameThreadStallDetector {
  /// The time after which the frame thread counts as stuck.
  static let limit = FrameDuration.seconds(2)

  private var last: FrameThreadActivity.Reading?
  private var since = FrameInstant.zero
  private var isReported = false

  /// Records a look at the frame thread.
  ///
  /// - Parameters:
  ///   - reading: What the frame thread is doing, or nil while it rests.
  ///   - now: The time of the look.
  /// - Returns: A sentence, if the thread became stuck or is no longer. Otherwise nil.
  mutating func handle(_ reading: FrameThreadActivity.Reading?, at now: FrameInstant) -> String? {
    guard let reading, reading.changes == last?.changes else {
      defer { (last, since, isReported) = (reading, now, false) }
      return isReported
        ? "the frame thread goes on after \(FrameThreadStallDetector.text(now - since))" : nil
    }
    guard !isReported, now - since >= FrameThreadStallDetector.limit else { return nil }
    isReported = true
    return """
      the frame thread has been held for \(FrameThreadStallDetector.text(now - since)) \
      \(FrameThreadStallDetector.occasion(reading)). \(FrameThreadStallDetector.cure(reading))
      """
  }

  private static func text(_ duration: FrameDuration) -> String {
    let tenths = Int((duration.seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }

  private static func occasion(_ reading: FrameThreadActivity.Reading) -> String {
    let phase = reading.phase.map { "in the phase \"\($0.name)\"" } ?? "between frames"
    return reading.subject.map { "by \($0), \(phase)" } ?? phase
  }

  private static func cure(_ reading: FrameThreadActivity.Reading) -> String {
    switch reading.phase {
    case .present: "The window system does not accept the frame."
    case .upload, .raster: "The renderer or the graphics driver does not return."
    default: "Do work that takes long on another thread, and update items when it is done."
    }
  }
}
