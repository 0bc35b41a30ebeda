import FramePacing

/// Decides when the last seconds of a run are written amid it, and to which file.
///
/// A value that is told moments and frames; whoever holds it copies and writes.
nonisolated struct TraceCapturePolicy {
  /// Why somebody wants the last seconds.
  nonisolated enum Trigger: String, Hashable, Sendable {
    /// Somebody asked by a signal.
    case signal = "usr1"
    /// A frame was so late.
    case hitch
  }

  /// A file that is to be written.
  nonisolated struct Capture: Hashable, Sendable {
    var trigger: Trigger
    /// The file's path.
    var path: String
    /// What was shown or ended before is left out.
    var since: FrameInstant
  }

  /// How far back a file goes.
  static let captureLength = FrameDuration.seconds(10)
  /// From a file to the next one for an equal reason; what happens in between is in the first one's successor, or is the
  /// same wish.
  static let minimumInterval = FrameDuration.seconds(2)
  /// How many files hitches may fill; people may ask for as many as they like.
  static let maximumHitchFiles = 20

  /// Where the whole run's trace goes, if it goes to a file: the others stand beside it.
  let destination: String?
  /// How late a frame must be; nothing for never.
  let threshold: FrameDuration?

  private var counts: [Trigger: Int] = [:]
  private var lastCaptures: [Trigger: FrameInstant] = [:]

  /// Makes a keeper.
  ///
  /// - Parameters:
  ///   - destination: where the whole run's trace goes: a path, or `-`, beside which nothing can stand.
  ///   - threshold: how late a frame must be for a file of its own; nothing for never.
  init(destination: String?, threshold: FrameDuration?) {
    self.destination = destination == "-" ? nil : destination
    self.threshold = threshold
  }

  /// A frame was shown.
  ///
  /// - Returns: what is to be written for it; nothing for most.
  mutating func handle(hitch: FrameDuration, shown: FrameInstant) -> Capture? {
    guard let threshold, hitch > threshold, counts[.hitch, default: 0] < TraceCapturePolicy.maximumHitchFiles else {
      return nil
    }
    return makeCapture(.hitch, at: shown, lastShown: shown, elsewhere: nil)
  }

  /// Somebody asks for the last seconds.
  ///
  /// - Parameters:
  ///   - now: when.
  ///   - lastShown: when the last frame was shown, from which the seconds are counted: a window may have rested since.
  ///   - elsewhere: where the file goes where there is no ``destination``, without number and ending.
  /// - Returns: what is to be written; nothing so soon after the last time, or where there is no place for it.
  mutating func handleRequest(
    at now: FrameInstant, lastShown: FrameInstant, elsewhere: String? = nil
  ) -> Capture? {
    makeCapture(.signal, at: now, lastShown: lastShown, elsewhere: elsewhere)
  }

  private mutating func makeCapture(
    _ occasion: Trigger, at now: FrameInstant, lastShown: FrameInstant, elsewhere: String?
  ) -> Capture? {
    if let last = lastCaptures[occasion], now - last < TraceCapturePolicy.minimumInterval { return nil }
    let number = counts[occasion, default: 0] + 1
    guard let path = makePath(occasion, number, elsewhere: elsewhere) else { return nil }
    counts[occasion] = number
    lastCaptures[occasion] = now
    return Capture(trigger: occasion, path: path, since: lastShown - TraceCapturePolicy.captureLength)
  }

  /// `trace.json` becomes `trace-usr1-1.json`.
  private func makePath(_ occasion: Trigger, _ number: Int, elsewhere: String?) -> String? {
    guard let destination else { return elsewhere.map { "\($0)-\(number).json" } }
    return OutputFile.path(beside: destination, named: "\(occasion.rawValue)-\(number)")
  }
}
