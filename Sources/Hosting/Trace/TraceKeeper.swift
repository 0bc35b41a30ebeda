import FramePacing

/// Decides when the last seconds of a run are written amid it, and to which file.
///
/// A value that is told moments and frames; whoever holds it copies and writes.
nonisolated struct TraceKeeper {
  /// Why somebody wants the last seconds.
  nonisolated enum Occasion: String, Hashable, Sendable {
    /// Somebody asked by a signal.
    case signal = "usr1"
    /// A frame was so late.
    case hitch
  }

  /// A file that is to be written.
  nonisolated struct Order: Hashable, Sendable {
    var occasion: Occasion
    /// The file's path.
    var path: String
    /// What was shown or ended before is left out.
    var since: FrameInstant
  }

  /// How far back a file goes.
  static let span = FrameDuration.seconds(10)
  /// From a file to the next one for an equal reason; what happens in between is in the first one's successor, or is the
  /// same wish.
  static let pause = FrameDuration.seconds(2)
  /// How many files hitches may fill; people may ask for as many as they like.
  static let mostHitchFiles = 20

  /// Where the whole run's trace goes, if it goes to a file: the others stand beside it.
  let destination: String?
  /// How late a frame must be; nothing for never.
  let threshold: FrameDuration?

  private var counts: [Occasion: Int] = [:]
  private var last: [Occasion: FrameInstant] = [:]

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
  mutating func handle(hitch: FrameDuration, shown: FrameInstant) -> Order? {
    guard let threshold, hitch > threshold, counts[.hitch, default: 0] < TraceKeeper.mostHitchFiles else { return nil }
    return order(.hitch, at: shown, lastShown: shown, elsewhere: nil)
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
  ) -> Order? {
    order(.signal, at: now, lastShown: lastShown, elsewhere: elsewhere)
  }

  private mutating func order(
    _ occasion: Occasion, at now: FrameInstant, lastShown: FrameInstant, elsewhere: String?
  ) -> Order? {
    if let last = last[occasion], now - last < TraceKeeper.pause { return nil }
    let number = counts[occasion, default: 0] + 1
    guard let path = path(occasion, number, elsewhere: elsewhere) else { return nil }
    counts[occasion] = number
    last[occasion] = now
    return Order(occasion: occasion, path: path, since: lastShown - TraceKeeper.span)
  }

  /// `trace.json` becomes `trace-usr1-1.json`.
  private func path(_ occasion: Occasion, _ number: Int, elsewhere: String?) -> String? {
    guard let destination else { return elsewhere.map { "\($0)-\(number).json" } }
    return OutputFile.path(beside: destination, named: "\(occasion.rawValue)-\(number)")
  }
}
