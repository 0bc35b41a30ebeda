import DecodingProtocol
import FramePacing
import Threads

/// What the workers of a pipeline learn about files and processes, shared by all of them.
final class DecoderHealth: Sendable {
  private struct State {
    var files = CrashingFiles()
    var circuitBreaker = DecodingCircuitBreaker()
    var condition = DecoderCondition()
  }

  private let state = Lock(State())
  private let consulted: DecoderHealth?
  private let clock: @Sendable () -> FrameInstant

  /// Nothing is known yet.
  ///
  /// - Parameters:
  ///   - consulted: what others know, which is asked besides and told nothing; it is not to ask this one.
  ///   - clock: tells the time, which is real time but in tests.
  init(
    consulting consulted: DecoderHealth? = nil,
    clock: @escaping @Sendable () -> FrameInstant = { MonotonicClock.now() }
  ) {
    self.consulted = consulted
    self.clock = clock
  }

  /// How the decoders are now.
  var condition: DecoderCondition {
    let now = clock()
    return state.withLock { state in
      var condition = state.condition
      condition.isStopped = state.circuitBreaker.isStopped(at: now)
      return condition
    }
  }

  /// Whether decoding stands still.
  var isStopped: Bool {
    let now = clock()
    return state.withLock { $0.circuitBreaker.isStopped(at: now) } || consulted?.isStopped == true
  }

  /// Begins again after too many deaths.
  func resume() {
    let now = clock()
    state.withLock { $0.circuitBreaker.resume(at: now) }
  }

  /// Why a file is not to be tried; nothing when it is.
  func refusal(of file: FileIdentity) -> ImageFailure? {
    state.withLock { $0.files.refusal(of: file) } ?? consulted?.refusal(of: file)
  }

  /// A file gave its picture.
  func recordSuccess(of file: FileIdentity) { state.withLock { $0.files.recordSuccess(of: file) } }

  /// A process got ready.
  func recordStart(_ process: DecodingProcess) {
    let (layers, formats, readiness) = (process.layers, process.formats, process.readiness)
    state.withLock { state in
      state.condition.started += 1
      state.condition.layers = layers
      state.condition.formats = formats
      state.condition.readiness = readiness ?? .zero
    }
  }

  /// A process was replaced that had done nothing wrong.
  func recordRetirement() { state.withLock { $0.condition.retired += 1 } }

  /// A process is lost.
  ///
  /// - Parameters:
  ///   - error: how it was lost.
  ///   - ending: how it ended, where it did by itself.
  ///   - file: the file that it worked on; nothing where it had none.
  func recordLoss(_ error: DecodingProcessError, _ ending: ProcessTermination?, of file: FileIdentity?) {
    guard error != .interrupted else { return }
    let now = clock()
    let isFromOutside = error == .exited && ending?.isExternal == true
    state.withLock { state in
      state.condition.deaths += 1
      if let file, !isFromOutside { state.files.recordDeath(of: file, error.failure) }
      // One that was too slow has taken its time, and cannot come in storms.
      if error != .timedOut {
        state.circuitBreaker.recordDeath(isFromOutside ? .externalKill : .internalFailure, at: now)
      }
    }
  }
}
