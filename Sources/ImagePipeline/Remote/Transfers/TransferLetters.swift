import FramePacing
import Threads

/// What other threads want of the transfers.
final class TransferLetters: Sendable {
  /// What is told when something has ended.
  typealias Completion = @Sendable (Result<RemoteContent, RemoteFailure>) -> Void

  /// One wish.
  enum Letter: Sendable {
    case fetch(RemoteRequest, ImageTicket, deadline: FrameInstant, Completion)
    case updateDeadline(ImageTicket, FrameInstant)
    case cancel(ImageTicket)
  }

  private struct Contents: Sendable {
    var letters: [Letter] = []
    var isClosed = false
    var nextTicket: UInt64 = 1
  }

  private let contents = Lock(Contents())

  /// The name of another asking.
  func takeTicket() -> ImageTicket {
    contents.withLock { contents in
      defer { contents.nextTicket += 1 }
      return ImageTicket(number: contents.nextTicket)
    }
  }

  /// Puts a wish in.
  /// - Returns: whether somebody will read it.
  func post(_ letter: Letter) -> Bool {
    contents.withLock { contents in
      if !contents.isClosed { contents.letters.append(letter) }
      return !contents.isClosed
    }
  }

  /// Takes all wishes.
  /// - Returns: the wishes, and whether they were the last.
  func take() -> (wishes: [Letter], areLast: Bool) {
    contents.withLock { contents in
      defer { contents.letters = [] }
      return (contents.letters, contents.isClosed)
    }
  }

  /// Takes no more wishes.
  func close() { contents.withLock { $0.isClosed = true } }
}
