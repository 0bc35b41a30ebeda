import CVitrinePlatform
import Glibc
import VitrineThreads

/// A thread-safe way to interrupt the job of a worker's decoding process.
///
/// It applies from the moment the worker takes the job until its end, whatever is done in between: opening files,
/// waiting for a process to be ready, sending several requests.
final class DecodeInterrupter: Sendable {
  /// A running request, and the word that its process polls, which stays mapped until ``endRequest()``.
  private struct Request {
    let id: UInt32
    let word: UnsafeMutablePointer<UInt32>
  }

  private struct State {
    var isBusy = false
    var job: UInt64?
    var isInterrupted = false
    var request: Request?
    /// The last job to interrupt that was unknown.
    ///
    /// The worker may have taken it but not started it. As numbers are unique, one of a finished job has no effect.
    var pendingInterruption: UInt64?

    mutating func stop() {
      isInterrupted = true
      if let request { platform_write_shared_word(request.word, request.id) }
    }
  }

  private let state = Lock(State())

  /// Records the start of a decode.
  ///
  /// - Parameter job: The number of the job, if the decode belongs to one.
  func beginDecode(job: UInt64? = nil) {
    state.withLock { $0 = State(isBusy: true, job: job, isInterrupted: job != nil && $0.pendingInterruption == job) }
  }

  /// Records the end of a decode.
  func endDecode() { state.withLock { $0 = State(pendingInterruption: $0.pendingInterruption) } }

  /// Whether a decode is running.
  var isBusy: Bool { state.withLock { $0.isBusy } }

  /// Whether the running decode was interrupted.
  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// Records that a request is about to be sent.
  ///
  /// - Parameter word: A word in memory that stays mapped until ``endRequest()`` has returned.
  /// - Returns: Whether to send the request.
  func beginRequest(_ id: UInt32, word: UnsafeMutablePointer<UInt32>) -> Bool {
    state.withLock { state in
      guard !state.isInterrupted else { return false }
      state.request = Request(id: id, word: word)
      return true
    }
  }

  /// Records the end of the request.
  func endRequest() { state.withLock { $0.request = nil } }

  /// Interrupts a job at the next row of its process, or before it has one.
  func interrupt(job: UInt64) {
    state.withLock { state in
      if state.job == job { state.stop() } else { state.pendingInterruption = job }
    }
  }
}

/// A signal that wakes every thread waiting for a decoding process, and that stays raised.
package final class StopSignal: Sendable {
  private let descriptor: OwnedDescriptor

  /// Creates a signal that is not raised.
  ///
  /// The C function is `eventfd`.
  init() throws(DecodingProcessError) {
    let number = platform_eventfd()
    guard number >= 0 else { throw .system(call: "eventfd", error: errno) }
    descriptor = OwnedDescriptor(adopting: number)
  }

  /// The descriptor that `poll` reports as readable once the signal is raised.
  var number: Int32 { descriptor.number }

  /// Whether the signal was raised.
  ///
  /// The C function is `poll`.
  package var isRaised: Bool {
    var watched = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }

  /// Raises the signal.
  ///
  /// Has no effect when called again.
  ///
  /// The C function is `write`.
  package func raise() {
    var one: UInt64 = 1
    write(number, &one, MemoryLayout<UInt64>.size)
  }
}
