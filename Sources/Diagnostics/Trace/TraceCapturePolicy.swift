import VitrineFramePacing
import VitrineHosting

/// A policy that decides when the last seconds of a run are written during the run, and to which file.
///
/// It is a pure value. Its owner copies the data and writes the file.
nonisolated struct TraceCapturePolicy {
  /// The reason for a capture.
  nonisolated enum Trigger: String, Hashable, Sendable {
    /// The user sent a signal.
    case signal = "usr1"
    /// A frame was later than the threshold.
    case hitch
  }

  /// A capture to write.
  nonisolated struct Capture: Hashable, Sendable {
    var trigger: Trigger
    /// The path of the file.
    var path: String
    /// The instant before which events are omitted.
    var since: FrameInstant
  }

  /// The time span of a capture.
  static let captureLength = FrameDuration.seconds(10)
  /// The minimum time between two captures for the same reason.
  ///
  /// Events in between are part of the next capture or belong to the same request.
  static let minimumInterval = FrameDuration.seconds(2)
  /// The maximum number of captures of hitches.
  ///
  /// Signals are not limited.
  static let maximumHitchFiles = 20

  /// The path of the trace of the whole run, if it is written to a file.
  ///
  /// Captures are written next to it.
  let destination: String?
  /// The lateness from which a frame is captured, or nil for never.
  let threshold: FrameDuration?

  private var counts: [Trigger: Int] = [:]
  private var lastCaptures: [Trigger: FrameInstant] = [:]

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - destination: The destination of the trace of the whole run: a path, or `-` for standard output.
  ///   - threshold: The lateness from which a frame is captured, or nil for never.
  init(destination: String?, threshold: FrameDuration?) {
    self.destination = destination == "-" ? nil : destination
    self.threshold = threshold
  }

  /// Handles a shown frame.
  ///
  /// - Returns: The capture to write, or nil.
  mutating func handle(hitch: FrameDuration, shown: FrameInstant) -> Capture? {
    guard let threshold, hitch > threshold, counts[.hitch, default: 0] < TraceCapturePolicy.maximumHitchFiles else {
      return nil
    }
    return makeCapture(.hitch, at: shown, lastShown: shown, fallbackPrefix: nil)
  }

  /// Handles a request for the last seconds.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - lastShown: The time at which the last frame was shown. The seconds are counted from it, because the window may
  ///     have been idle since.
  ///   - fallbackPrefix: The path prefix to use if there is no ``destination``.
  /// - Returns: The capture to write, or nil if the last one was too recent or there is no path.
  mutating func handleRequest(
    at now: FrameInstant, lastShown: FrameInstant, fallbackPrefix: String? = nil
  ) -> Capture? {
    makeCapture(.signal, at: now, lastShown: lastShown, fallbackPrefix: fallbackPrefix)
  }

  private mutating func makeCapture(
    _ trigger: Trigger, at now: FrameInstant, lastShown: FrameInstant, fallbackPrefix: String?
  ) -> Capture? {
    if let last = lastCaptures[trigger], now - last < TraceCapturePolicy.minimumInterval { return nil }
    let number = counts[trigger, default: 0] + 1
    guard let path = makePath(trigger, number, fallbackPrefix: fallbackPrefix) else { return nil }
    counts[trigger] = number
    lastCaptures[trigger] = now
    return Capture(trigger: trigger, path: path, since: lastShown - TraceCapturePolicy.captureLength)
  }

  /// Returns a path such as `trace-usr1-1.json` for `trace.json`.
  private func makePath(_ trigger: Trigger, _ number: Int, fallbackPrefix: String?) -> String? {
    guard let destination else { return fallbackPrefix.map { "\($0)-\(number).json" } }
    return OutputFile.siblingPath(of: destination, suffix: "\(trigger.rawValue)-\(number)")
  }
}
