import CPlatform
import Threads

/// Stops what a worker's decoding process works on, from any thread.
///
/// It holds from the moment at which the worker takes a job up to the job's end, whatever is done for it meanwhile: files that
/// are opened, a process that gets ready, one request after another.
final class DecodeInterrupter: Sendable {
  /// A request under way, and the word that its process looks at; the memory is there until ``endRequest()``.
  private struct Request {
    let id: UInt32
    let word: UnsafeMutablePointer<UInt32>
  }

  private struct State {
    var key: ImageKey?
    var job: UInt64?
    var isInterrupted = false
    var request: Request?
    /// The last job that was to be stopped and was not known.
    ///
    /// It may have been taken up and not have begun. No number is used twice, so that of one that has ended nothing comes.
    var pendingInterruption: UInt64?

    mutating func stop() {
      isInterrupted = true
      if let request { platform_write_shared_word(request.word, request.id) }
    }
  }

  private let state = Lock(State())

  /// A picture is about to be made.
  ///
  /// - Parameter job: the number of the job that it is, where it is one.
  func beginDecode(_ key: ImageKey, job: UInt64? = nil) {
    state.withLock { $0 = State(key: key, job: job, isInterrupted: job != nil && $0.pendingInterruption == job) }
  }

  /// The picture is made, or is not to be had.
  func endDecode() { state.withLock { $0 = State(pendingInterruption: $0.pendingInterruption) } }

  /// Whether something is being made.
  var isBusy: Bool { state.withLock { $0.key != nil } }

  /// Whether nobody waits for what is being made.
  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// A request is about to be sent.
  ///
  /// - Parameter word: in memory that stays mapped until ``endRequest()`` has returned.
  /// - Returns: whether to send it.
  func beginRequest(_ id: UInt32, word: UnsafeMutablePointer<UInt32>) -> Bool {
    state.withLock { state in
      guard !state.isInterrupted else { return false }
      state.request = Request(id: id, word: word)
      return true
    }
  }

  /// The request is over.
  func endRequest() { state.withLock { $0.request = nil } }

  /// Has a job end soon: at its process's next row, or before it has one.
  func interrupt(job: UInt64) {
    state.withLock { state in
      if state.job == job { state.stop() } else { state.pendingInterruption = job }
    }
  }

  /// Has what is being made end soon, where it is this.
  func interrupt(_ key: ImageKey) { state.withLock { if $0.key == key { $0.stop() } } }
}
