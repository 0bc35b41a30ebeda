import Threads

/// What a thread or task outside of the loop waits for: ends once, whoever ends it first.
final class PreparationReply: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<ImageOutcome?, Never>)
    case ended(ImageOutcome?)
  }

  private let state = Lock(State.open)

  /// Ends it, with nothing where it was given up.
  ///
  /// - Returns: whether this was the first to end it.
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

  /// Blocks until it has ended.
  func wait() -> ImageOutcome? {
    state.wait { state -> ImageOutcome?? in
      if case .ended(let outcome) = state { .some(outcome) } else { .none }
    }
  }

  /// How it ended, once it has; for one waiter alone.
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
