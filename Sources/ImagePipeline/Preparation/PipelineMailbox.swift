import FramePacing
import Threads

/// A thread-safe queue of messages to a pipeline, handled in its next collect phase.
///
/// The waker wakes the render thread. A task could not, as a loop that blocks on events runs no tasks.
final class PipelineMailbox: Sendable {
  /// A message to the pipeline.
  enum Message: Sendable {
    /// Make an image for the reply with this number.
    case request(UInt64, ImageRequest, deadline: FrameInstant)
    /// Cancel the request with this number.
    case cancel(UInt64)
    /// Perform work in the collect phase.
    case work(@MainActor () -> Void)
  }

  private struct State {
    var messages: [Message] = []
    var replies: [UInt64: PreparationReply] = [:]
    var nextNumber: UInt64 = 1
    var isClosed = false
  }

  private let state = Lock(State())
  private let waker: any LoopWaker

  /// Creates an empty mailbox.
  init(waker: any LoopWaker) { self.waker = waker }

  /// Whether no message is waiting.
  var isEmpty: Bool { state.withLock { $0.messages.isEmpty } }

  /// Posts a request for an image.
  ///
  /// A closed mailbox resolves the reply immediately.
  ///
  /// - Returns: The number for ``cancelRequest(_:)``, or nil if the mailbox is closed.
  func postRequest(_ request: ImageRequest, deadline: FrameInstant, _ reply: PreparationReply) -> UInt64? {
    let number = state.withLock { state -> UInt64? in
      guard !state.isClosed else { return nil }
      let number = state.nextNumber
      state.nextNumber += 1
      state.messages.append(.request(number, request, deadline: deadline))
      state.replies[number] = reply
      return number
    }
    if number == nil { reply.resolve(.failure(.interrupted)) } else { waker.wake() }
    return number
  }

  /// Cancels a request, whose reply the caller resolves.
  func cancelRequest(_ number: UInt64) {
    let needsWake = state.withLock { state -> Bool in
      guard state.replies.removeValue(forKey: number) != nil else { return false }
      let index = state.messages.firstIndex { if case .request(number, _, _) = $0 { true } else { false } }
      if let index {
        state.messages.remove(at: index)
        return false
      }
      state.messages.append(.cancel(number))
      return true
    }
    if needsWake { waker.wake() }
  }

  /// Posts work for the next collect phase.
  ///
  /// Has no effect if the mailbox is closed.
  func postWork(_ work: @escaping @MainActor () -> Void) {
    let isOpen = state.withLock { state -> Bool in
      if !state.isClosed { state.messages.append(.work(work)) }
      return !state.isClosed
    }
    if isOpen { waker.wake() }
  }

  /// Removes and returns the waiting messages, in order.
  func takeMessages() -> [Message] {
    state.withLock { state -> [Message] in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Resolves the reply with a number, outside of the lock.
  func resolveReply(_ number: UInt64, _ outcome: ImageOutcome) {
    state.withLock { $0.replies.removeValue(forKey: number) }?.resolve(outcome)
  }

  /// Closes the mailbox and resolves every reply with ``ImageFailure/interrupted``.
  ///
  /// Has no effect when called again.
  func close() {
    let replies = state.withLock { state -> [PreparationReply] in
      state.isClosed = true
      state.messages = []
      defer { state.replies = [:] }
      return state.replies.sorted { $0.key < $1.key }.map(\.value)
    }
    for reply in replies { reply.resolve(.failure(.interrupted)) }
  }
}

/// A one-shot result that a thread or a task waits for.
final class PreparationReply: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<ImageOutcome?, Never>)
    case ended(ImageOutcome?)
  }

  private let state = Lock(State.open)

  /// Resolves the reply, with nil if it was cancelled.
  ///
  /// - Returns: Whether this was the first call.
  @discardableResult
  func resolve(_ outcome: ImageOutcome?) -> Bool {
    let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<ImageOutcome?, Never>?) in
      switch state {
      case .open:
        state = .ended(outcome)
        return (true, nil)
      case .awaited(let continuation):
        state = .ended(outcome)
        return (true, continuation)
      case .ended: return (false, nil)
      }
    }
    if isFirst { state.wakeAll() }
    continuation?.resume(returning: outcome)
    return isFirst
  }

  /// Blocks until the reply is resolved.
  func wait() -> ImageOutcome? {
    state.wait { state -> ImageOutcome?? in
      if case .ended(let outcome) = state { .some(outcome) } else { .none }
    }
  }

  /// Returns the result once the reply is resolved.
  ///
  /// Supports a single waiting task.
  func outcome() async -> ImageOutcome? {
    await withCheckedContinuation { continuation in
      let ended = state.withLock { state -> ImageOutcome?? in
        if case .ended(let outcome) = state { return .some(outcome) }
        state = .awaited(continuation)
        return .none
      }
      if let ended { continuation.resume(returning: ended) }
    }
  }
}
