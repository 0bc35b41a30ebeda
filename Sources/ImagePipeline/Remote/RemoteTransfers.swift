public import FramePacing
import Threads

/// Brings pictures and lists of them from the web onto this machine: one thread, a few connections to each server.
///
/// What was had is kept as it came, in a folder or in memory, and its server is asked from time to time whether it still
/// holds; where that cannot be had it is taken as it is. Everything ends within its time, with a picture or with a reason.
public final class RemoteTransfers: Sendable {
  private let mailbox = TransferMailbox()
  private let curl: CurlTransfers
  private let thread: WorkerThread

  /// Starts the thread.
  ///
  /// A folder that cannot be made or written to is no error: what is downloaded is then kept in memory.
  ///
  /// - Parameter configuration: how it is set up.
  /// - Throws: ``RemoteFailure/transport(_:)`` where libcurl cannot be had, ``ThreadError`` where no thread can.
  public init(_ configuration: RemoteConfiguration) throws {
    let curl = try CurlTransfers(configuration.transferSettings)
    let letters = mailbox
    self.curl = curl
    thread = try WorkerThread(name: "transfers") {
      TransferLoop(configuration, letters: letters, curl: curl).run()
    }
  }

  deinit {
    mailbox.close()
    curl.wake()
    thread.detach()
  }

  /// Brings what is at an address onto this machine; who wants the same waits for the same transfer.
  ///
  /// - Parameters:
  ///   - request: what from where.
  ///   - deadline: when it should be there, which is its place among all that waits for a connection.
  ///   - completion: called once, on a thread of its own choice, with where the bytes are, or why there are none; not once
  ///     it was given up, but for a call that is under way at that moment.
  /// - Returns: what moves it or gives it up.
  @discardableResult
  public func fetch(
    _ request: RemoteRequest, deadline: FrameInstant = .onScreen,
    completion: @escaping @Sendable (Result<RemoteContent, RemoteFailure>) -> Void
  ) -> RemoteTransfer {
    let ticket = mailbox.makeTicket()
    if mailbox.post(.fetch(request, ticket, deadline: deadline, completion)) {
      curl.wake()
    } else {
      completion(.failure(.shutDown))
    }
    return RemoteTransfer(self, ticket)
  }

  /// Brings what is at an address onto this machine; blocks until it is there, for threads of the caller's own.
  ///
  /// - Throws: why there is none.
  public func fetchSynchronously(_ request: RemoteRequest) throws(RemoteFailure) -> RemoteContent {
    let result = Lock<Result<RemoteContent, RemoteFailure>?>(nil)
    fetch(request) { answer in
      result.withLock { $0 = answer }
      result.wakeAll()
    }
    return try result.wait { $0 }.get()
  }

  /// Moves what waits for a connection to another place, earlier or later.
  func updateDeadline(_ deadline: FrameInstant, for ticket: ImageTicket) {
    if mailbox.post(.updateDeadline(ticket, deadline)) { curl.wake() }
  }

  /// Gives something up; others who want the same go on waiting.
  func cancel(_ ticket: ImageTicket) { if mailbox.post(.cancel(ticket)) { curl.wake() } }

  /// Ends all transfers, and the thread; those who wait are told ``RemoteFailure/shutDown``.
  ///
  /// Waits for the thread, which waits for its disk alone. Call it once.
  ///
  /// - Parameter time: how long the thread is waited for; default: nil, until it has ended.
  public func shutdown(within time: ShutdownBudget? = nil) {
    mailbox.close()
    curl.wake()
    if let time { thread.join(within: time.remaining) } else { thread.join() }
  }
}
