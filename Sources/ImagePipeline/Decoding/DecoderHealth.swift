import VitrineDataStructures
public import VitrineDecodingProtocol
public import VitrineFramePacing
public import VitrineImageMetadata
import VitrineThreads

/// The knowledge about files and processes, shared by all workers of a pipeline.
final class DecoderHealth: Sendable {
  private struct State {
    var files = CrashingFiles()
    var circuitBreaker = DecodingCircuitBreaker()
    var status = DecoderStatus()
  }

  private let state = Lock(State())
  private let parent: DecoderHealth?
  private let clock: @Sendable () -> FrameInstant

  /// Creates an empty instance.
  ///
  /// - Parameters:
  ///   - parent: Another instance that is consulted as well but not changed; it must not consult this one.
  ///   - clock: The clock. Default: real time.
  init(
    parent: DecoderHealth? = nil,
    clock: @escaping @Sendable () -> FrameInstant = { MonotonicClock.now() }
  ) {
    self.parent = parent
    self.clock = clock
  }

  /// The status of the decoders now.
  var status: DecoderStatus {
    let now = clock()
    return state.withLock { state in
      var status = state.status
      status.isStopped = state.circuitBreaker.isStopped(at: now)
      return status
    }
  }

  /// Whether decoding is stopped.
  var isStopped: Bool {
    let now = clock()
    return state.withLock { $0.circuitBreaker.isStopped(at: now) } || parent?.isStopped == true
  }

  /// Resumes decoding after too many crashes.
  func resume() {
    let now = clock()
    state.withLock { $0.circuitBreaker.resume(at: now) }
  }

  /// Returns the failure of a file that must not be tried again, or nil if it may be tried.
  func refusal(of file: ImageFileIdentity) -> ImageFailure? {
    state.withLock { $0.files.refusal(of: file) } ?? parent?.refusal(of: file)
  }

  /// Records that a file was decoded.
  func recordSuccess(of file: ImageFileIdentity) { state.withLock { $0.files.recordSuccess(of: file) } }

  /// Records that a process became ready.
  func recordStart(_ process: DecodingProcess) {
    let (layers, formats, readiness) = (process.layers, process.formats, process.readiness)
    state.withLock { state in
      state.status.started += 1
      state.status.layers = layers
      state.status.formats = formats
      state.status.readiness = readiness ?? .zero
    }
  }

  /// Records that a healthy process was replaced.
  func recordRetirement() { state.withLock { $0.status.retired += 1 } }

  /// Returns whether a file was given up sooner because other images waited, or ended a process, so that it gets its whole
  /// time now.
  func hasHurried(_ file: ImageFileIdentity) -> Bool { state.withLock { $0.files.hasHurried(file) } }

  /// Records the loss of a process.
  ///
  /// - Parameters:
  ///   - error: The error that the process was lost by.
  ///   - termination: The way in which the process ended, if it ended by itself.
  ///   - file: The file being decoded, or nil if there was none.
  ///   - timeout: What the process did when its time was up; nil if it was not. Default: nil.
  func recordLoss(
    _ error: DecodingProcessError, _ termination: ProcessTermination?, of file: ImageFileIdentity?,
    timeout: TimeoutCause? = nil
  ) {
    guard error != .interrupted else { return }
    let now = clock()
    let isFromOutside = error == .exited && termination?.isExternal == true
    state.withLock { state in
      state.status.deaths += 1
      if timeout == .hurried {
        if let file { state.files.recordHurry(of: file) }
        return
      }
      if let file, !isFromOutside {
        // A file that hangs would take its whole time again.
        state.files.recordDeath(of: file, error.failure, isFinal: timeout != nil || error == .timedOut)
      }
      // A disk that does not answer is no evidence about decoders.
      let isWeak = isFromOutside || timeout == .waiting
      state.circuitBreaker.recordDeath(isWeak ? .externalKill : .internalFailure, at: now)
    }
  }
}

// MARK: - Condition

/// The status of a pipeline's decoders.
public struct DecoderStatus: Hashable, Sendable {
  /// The sandbox layers of the process started last; nil if there is none.
  public var layers: SandboxLayers?
  /// The formats that it decodes.
  public var formats: [ImageFormat] = []
  /// The time that it took to become ready.
  public var readiness: FrameDuration = .zero
  /// The number of processes started, each of which forks one for each picture.
  public var started = 0
  /// The number of processes, of pictures too, that crashed, sent invalid replies, timed out, were killed, or never
  /// became ready.
  public var deaths = 0
  /// The number of processes replaced because of the number of their pictures.
  public var retired = 0
  /// Whether decoding is stopped because of too many crashes; images fail with ``ImageFailure/decodingStopped``
  /// meanwhile.
  public var isStopped = false

  /// Creates the status of unused decoders.
  public init() {}
}

// MARK: - Crashing files

/// The files that crashed decoding processes or made them hang; after the second crash, and the first timeout in full, a
/// file is refused before a process sees it.
///
/// Files are identified by their inode and version, so another size, key, link or name does not help. A changed file is
/// a new file and is tried. Of more than 65,536 files the least recently requested are evicted.
struct CrashingFiles: Sendable {
  /// The number of processes that a file may crash before it is refused.
  static let deathsPerFile = 2

  private struct Record {
    var deaths: Int
    /// The failure of the last death, or nil if there was none.
    var failure: ImageFailure?
  }

  private var records = LRUCache<ImageFileIdentity, Record>(costLimit: 1 << 16)

  /// Returns the failure of a refused file, or nil if it may be tried.
  ///
  /// Counts as a use.
  mutating func refusal(of file: ImageFileIdentity) -> ImageFailure? {
    guard records.count > 0, let record = records.value(for: file), record.deaths >= CrashingFiles.deathsPerFile else {
      return nil
    }
    return record.failure
  }

  /// Records that a file crashed a process.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - failure: The failure with which it is refused.
  ///   - isFinal: Whether it is refused from now on. Default: false, after the second time.
  mutating func recordDeath(of file: ImageFileIdentity, _ failure: ImageFailure, isFinal: Bool = false) {
    let deaths = (records.peekValue(for: file)?.deaths ?? 0) + 1
    let counted = isFinal ? max(deaths, CrashingFiles.deathsPerFile) : deaths
    records.insert(Record(deaths: counted, failure: failure), for: file, cost: 1)
  }

  /// Records that a file was given up sooner because other images waited.
  mutating func recordHurry(of file: ImageFileIdentity) {
    if records.peekValue(for: file) == nil { records.insert(Record(deaths: 0), for: file, cost: 1) }
  }

  /// Returns whether a file was given up sooner, or ended a process.
  func hasHurried(_ file: ImageFileIdentity) -> Bool { records.count > 0 && records.peekValue(for: file) != nil }

  /// Records that a file was decoded after all.
  mutating func recordSuccess(of file: ImageFileIdentity) {
    if records.count > 0 { records.remove(file) }
  }
}

// MARK: - Circuit breaker

/// A circuit breaker that stops decoding when too many decoding processes end.
///
/// Twenty deaths a minute are not the fault of single files: a library is broken, or the program is fed files made to
/// break it, and each new process is another attempt. Decoding stops and resumes after a pause, on probation: within a
/// minute two deaths stop it again, for twice as long. After a minute without that, the counts are reset. The user may
/// resume it sooner.
///
/// A process killed from outside is no evidence about files and decoders and counts a sixth. One kill per second does
/// not stop decoding; a machine that kills processes as fast as they start does.
struct DecodingCircuitBreaker: Sendable {
  /// The cause of a process's death.
  enum Cause: Sendable {
    /// The process crashed, sent an invalid reply, or never became ready.
    case internalFailure
    /// The process was killed from outside.
    case externalKill
  }

  /// The period in which deaths are counted.
  static let window = FrameDuration.seconds(60)
  /// The number of deaths in that period that stop decoding.
  static let maximumDeaths = 20
  /// The number of deaths that stop decoding on probation.
  static let maximumDeathsOnProbation = 2
  /// The number of external kills that count as one death.
  static let externalKillsPerDeath = 6
  /// The pauses of decoding.
  static let retryPolicy = RetryPolicy(firstPause: .seconds(30), maximumPause: .seconds(960))

  private var deaths = Deque<(at: FrameInstant, weight: Int)>()
  private var weight = 0
  /// The number of stops since the last reset.
  private var stopCount = 0
  private var stoppedUntil: FrameInstant?
  private var probationUntil = FrameInstant.distantPast

  /// Creates a circuit breaker without deaths.
  init() {}

  /// Returns whether decoding is stopped at an instant.
  func isStopped(at instant: FrameInstant) -> Bool { stoppedUntil.map { instant < $0 } ?? false }

  /// Records a death.
  ///
  /// Deaths while decoding is stopped are ignored, as those processes were already running.
  mutating func recordDeath(_ cause: Cause, at instant: FrameInstant) {
    guard !isStopped(at: instant) else { return }
    if let end = stoppedUntil { resume(at: end) }
    if instant >= probationUntil { stopCount = 0 }
    while let first = deaths.first, instant - first.at >= DecodingCircuitBreaker.window {
      weight -= first.weight
      _ = deaths.popFirst()
    }
    let deathWeight = cause == .internalFailure ? DecodingCircuitBreaker.externalKillsPerDeath : 1
    deaths.append((instant, deathWeight))
    weight += deathWeight
    let limit =
      instant < probationUntil ? DecodingCircuitBreaker.maximumDeathsOnProbation : DecodingCircuitBreaker.maximumDeaths
    guard weight >= limit * DecodingCircuitBreaker.externalKillsPerDeath else { return }
    stopCount += 1
    stoppedUntil = instant + DecodingCircuitBreaker.retryPolicy.pause(after: stopCount)
  }

  /// Resumes decoding on probation, on the user's request or after the pause.
  mutating func resume(at instant: FrameInstant) {
    guard stoppedUntil != nil else { return }
    stoppedUntil = nil
    deaths.removeAll()
    weight = 0
    probationUntil = instant + DecodingCircuitBreaker.window
  }
}
