import FramePacing
import Threads

/// What threads outside of the loop want of a pipeline, until its next collect phase takes it in.
///
/// The main thread is told by the waker and never by a task: a loop that blocks on events runs none.
final class PipelineMailbox: Sendable {
  /// One thing that is wanted.
  enum Message: Sendable {
    /// A picture, for the reply of this number.
    case request(UInt64, ImageRequest, deadline: FrameInstant)
    /// Nothing any more for this number.
    case withdraw(UInt64)
    /// Something that belongs into the collect phase.
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

  /// Makes an empty inbox.
  init(waker: any LoopWaker) { self.waker = waker }

  /// Whether nothing waits to be taken.
  var isEmpty: Bool { state.withLock { $0.messages.isEmpty } }

  /// Asks for a picture; a closed inbox ends the reply at once.
  ///
  /// - Returns: the number by which the asking can be withdrawn.
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

  /// Wants nothing any more for a number; its reply is the caller's to end.
  func withdrawRequest(_ number: UInt64) {
    let isNews = state.withLock { state -> Bool in
      guard state.replies.removeValue(forKey: number) != nil else { return false }
      let place = state.messages.firstIndex { if case .request(number, _, _) = $0 { true } else { false } }
      if let place {
        state.messages.remove(at: place)
        return false
      }
      state.messages.append(.withdraw(number))
      return true
    }
    if isNews { waker.wake() }
  }

  /// Has something done in the next collect phase; nothing once it is closed.
  func postWork(_ work: @escaping @MainActor () -> Void) {
    let isOpen = state.withLock { state -> Bool in
      if !state.isClosed { state.messages.append(.work(work)) }
      return !state.isClosed
    }
    if isOpen { waker.wake() }
  }

  /// Takes what is wanted, in the order in which it came.
  func takeMessages() -> [Message] {
    state.withLock { state -> [Message] in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Ends the reply of a number, outside of the lock.
  func resolveReply(_ number: UInt64, _ outcome: ImageOutcome) {
    state.withLock { $0.replies.removeValue(forKey: number) }?.resolve(outcome)
  }

  /// Takes nothing in any more: ends every reply with ``ImageFailure/interrupted``.
  ///
  /// Again is no error.
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
