/// A queue of messages from any thread to one thread, which takes all of them at once.
///
/// The mailbox wakes no thread: the caller of ``post(_:)`` does, in the way in which the receiver waits.
public final class Mailbox<Message: Sendable>: Sendable {
  private struct State {
    var messages: [Message] = []
    var isClosed = false
  }

  private let state = Lock(State())

  /// Creates an empty mailbox.
  public init() {}

  /// Whether no message is waiting.
  public var isEmpty: Bool { state.withLock { $0.messages.isEmpty } }

  /// Appends a message.
  ///
  /// - Returns: Whether the mailbox is open, so that the message will be taken.
  @discardableResult
  public func post(_ message: Message) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.messages.append(message) }
      return !state.isClosed
    }
  }

  /// Removes the first message that satisfies a predicate, if it was not taken yet.
  ///
  /// - Parameter predicate: A closure that must not use the mailbox.
  /// - Returns: Whether a message was removed.
  /// - Complexity: O(messages).
  public func removeFirst(where predicate: (Message) -> Bool) -> Bool {
    state.withLock { state in
      guard let index = state.messages.firstIndex(where: predicate) else { return false }
      state.messages.remove(at: index)
      return true
    }
  }

  /// Removes and returns the waiting messages, in the order in which they were posted.
  ///
  /// - Returns: The messages, and whether the mailbox is closed, so that there will be no others.
  public func takeMessages() -> (messages: [Message], isClosed: Bool) {
    state.withLock { state in
      defer { state.messages = [] }
      return (state.messages, state.isClosed)
    }
  }

  /// Closes the mailbox, which then rejects messages; those that wait can still be taken.
  ///
  /// Has no effect when called again.
  public func close() { state.withLock { $0.isClosed = true } }
}
