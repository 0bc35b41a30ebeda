import FramePacing
import Threads

/// What other threads want of the transfers.
final class TransferMailbox: Sendable {
  /// What is told when something has ended.
  typealias Completion = @Sendable (Result<RemoteContent, RemoteFailure>) -> Void

  /// One wish.
  enum Message: Sendable {
    case fetch(RemoteRequest, ImageTicket, deadline: FrameInstant, Completion)
    case updateDeadline(ImageTicket, FrameInstant)
    case cancel(ImageTicket)
  }

  private struct State: Sendable {
    var messages: [Message] = []
    var isClosed = false
    var nextTicket: UInt64 = 1
  }

  private let state = Lock(State())

  /// The name of another asking.
  func makeTicket() -> ImageTicket {
    state.withLock { contents in
      defer { contents.nextTicket += 1 }
      return ImageTicket(number: contents.nextTicket)
    }
  }

  /// Puts a wish in.
  /// - Returns: whether somebody will read it.
  func post(_ letter: Message) -> Bool {
    state.withLock { contents in
      if !contents.isClosed { contents.messages.append(letter) }
      return !contents.isClosed
    }
  }

  /// Takes all wishes.
  /// - Returns: the wishes, and whether they were the last.
  func takeMessages() -> (wishes: [Message], areLast: Bool) {
    state.withLock { contents in
      defer { contents.messages = [] }
      return (contents.messages, contents.isClosed)
    }
  }

  /// Takes no more wishes.
  func close() { state.withLock { $0.isClosed = true } }
}
