import VitrineFramePacing
import VitrineThreads

/// The mailbox of a pipeline, whose messages are handled in its next collect phase, and the replies to them.
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

  private struct Replies {
    var replies: [UInt64: PreparationReply] = [:]
    var lastNumber: UInt64 = 0
  }

  private let mailbox = Mailbox<Message>()
  private let replies = Lock(Replies())
  private let waker: any LoopWaker

  /// Creates an empty mailbox.
  init(waker: any LoopWaker) { self.waker = waker }

  /// Whether no message is waiting.
  var isEmpty: Bool { mailbox.isEmpty }

  /// Posts a request for an image.
  ///
  /// A closed mailbox resolves the reply immediately.
  ///
  /// - Returns: The number for ``cancelRequest(_:)``, or nil if the mailbox is closed.
  func postRequest(_ request: ImageRequest, deadline: FrameInstant, _ reply: PreparationReply) -> UInt64? {
    // Before it is posted, as it may be resolved at once.
    let number = replies.withLock { replies in
      replies.lastNumber += 1
      replies.replies[replies.lastNumber] = reply
      return replies.lastNumber
    }
    if mailbox.post(.request(number, request, deadline: deadline)) {
      waker.wake()
      return number
    }
    resolveReply(number, .failure(.interrupted))
    return nil
  }

  /// Cancels a request, whose reply the caller resolves.
  func cancelRequest(_ number: UInt64) {
    guard replies.withLock({ $0.replies.removeValue(forKey: number) }) != nil else { return }
    let isWaiting = mailbox.removeFirst { message in
      if case .request(number, _, _) = message { true } else { false }
    }
    if !isWaiting, mailbox.post(.cancel(number)) { waker.wake() }
  }

  /// Posts work for the next collect phase.
  ///
  /// Has no effect if the mailbox is closed.
  func postWork(_ work: @escaping @MainActor () -> Void) {
    if mailbox.post(.work(work)) { waker.wake() }
  }

  /// Removes and returns the waiting messages, in order.
  func takeMessages() -> [Message] { mailbox.takeMessages().messages }

  /// Resolves the reply with a number, outside of the lock.
  func resolveReply(_ number: UInt64, _ outcome: ImageOutcome) {
    replies.withLock { $0.replies.removeValue(forKey: number) }?.resolve(outcome)
  }

  /// Closes the mailbox and resolves every reply with ``ImageFailure/interrupted``.
  ///
  /// Has no effect when called again.
  func close() {
    mailbox.close()
    _ = mailbox.takeMessages()
    let open = replies.withLock { replies -> [PreparationReply] in
      defer { replies.replies = [:] }
      return replies.replies.sorted { $0.key < $1.key }.map(\.value)
    }
    for reply in open { reply.resolve(.failure(.interrupted)) }
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
