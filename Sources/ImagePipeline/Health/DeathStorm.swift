import DataStructures
import FramePacing

/// Whether so many decoding processes end that decoding had better stop.
///
/// Twenty deaths a minute are no longer this file or that: a library is broken, or somebody feeds the program files made to
/// break it, and each new process is another try for them. Decoding stops then, and begins again after a pause, on
/// probation: for a minute two deaths are enough to stop it again, for twice as long. A minute without that, and all is
/// forgotten. The user may begin again sooner.
///
/// A process that was killed from outside says nothing about files and decoders, and counts a sixth: one killed each second
/// does not stop the service, a machine that ends them as fast as they are started does.
struct DecodingCircuitBreaker: Sendable {
  /// How a process ended.
  enum Cause: Sendable {
    /// It crashed, lied, or never got ready.
    case internalFailure
    /// It was killed from outside.
    case externalKill
  }

  /// The time in which deaths are counted together.
  static let window = FrameDuration.seconds(60)
  /// How many deaths in that time stop decoding.
  static let maximumDeaths = 20
  /// How many do on probation.
  static let maximumDeathsOnProbation = 2
  /// The deaths from outside that count as one.
  static let externalKillsPerDeath = 6
  /// The first pause.
  static let firstPause = FrameDuration.seconds(30)
  /// The longest pause.
  static let longestPause = FrameDuration.seconds(960)

  private var deaths = Deque<(at: FrameInstant, weight: Int)>()
  private var weight = 0
  /// Stops since all was forgotten last.
  private var stops = 0
  private var stoppedUntil: FrameInstant?
  private var probationUntil = FrameInstant.distantPast

  /// No deaths yet.
  init() {}

  /// Whether decoding stands still at a moment.
  func isStopped(at instant: FrameInstant) -> Bool { stoppedUntil.map { instant < $0 } ?? false }

  /// A process ended; those that end while decoding stands still are the last ones that were under way.
  mutating func recordDeath(_ cause: Cause, at instant: FrameInstant) {
    guard !isStopped(at: instant) else { return }
    if let end = stoppedUntil { resume(at: end) }
    if instant >= probationUntil { stops = 0 }
    while let first = deaths.first, instant - first.at >= DecodingCircuitBreaker.window {
      weight -= first.weight
      _ = deaths.popFirst()
    }
    let one = cause == .internalFailure ? DecodingCircuitBreaker.externalKillsPerDeath : 1
    deaths.append((instant, one))
    weight += one
    let most =
      instant < probationUntil ? DecodingCircuitBreaker.maximumDeathsOnProbation : DecodingCircuitBreaker.maximumDeaths
    guard weight >= most * DecodingCircuitBreaker.externalKillsPerDeath else { return }
    let pause = min(DecodingCircuitBreaker.firstPause * Double(1 << min(stops, 8)), DecodingCircuitBreaker.longestPause)
    stoppedUntil = instant + pause
    stops += 1
  }

  /// Begins again, on probation: the user wants it, or the pause is over.
  mutating func resume(at instant: FrameInstant) {
    guard stoppedUntil != nil else { return }
    stoppedUntil = nil
    deaths.removeAll()
    weight = 0
    probationUntil = instant + DecodingCircuitBreaker.window
  }
}
