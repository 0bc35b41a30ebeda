import Synchronization
public import VitrineFramePacing
public import VitrineImagePipeline
import VitrineThreads

/// Downloads images and manifests from the web, on one thread with a few connections per server.
///
/// Downloads are cached as they were received, in a folder or in memory, and periodically revalidated. If a server
/// cannot be reached, the cached bytes are used without revalidation. Time and size are limited, so that every download
/// ends with the bytes or a failure.
public final class RemoteTransfers: Sendable {
  private let mailbox = Mailbox<TransferMessage>()
  private let lastTicket = Atomic<UInt64>(0)
  private let curl: CurlTransfers
  private let thread: WorkerThread

  /// Starts the transfers' thread.
  ///
  /// A folder that cannot be created or written is not an error. Downloads are then cached in memory.
  ///
  /// - Parameter configuration: The configuration.
  /// - Throws: ``RemoteFailure/transport(_:)`` if libcurl is not available, or `ThreadError`.
  public init(_ configuration: RemoteConfiguration) throws {
    let curl = try CurlTransfers(configuration.transferSettings)
    let mailbox = mailbox
    self.curl = curl
    thread = try WorkerThread(name: "transfers") {
      TransferLoop(configuration, mailbox: mailbox, curl: curl).run()
    }
  }

  deinit {
    mailbox.close()
    curl.wake()
    thread.detach()
  }

  /// Downloads a file, or finds it in the cache.
  ///
  /// Equal requests share one transfer.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - deadline: The time at which the file is needed. Downloads with earlier deadlines get connections first.
  ///     Default: `.onScreen`.
  ///   - completion: A closure that is called once, on an unspecified thread, with the content or the failure. After a
  ///     cancellation it is not called, except for a call that is already in progress.
  /// - Returns: An object that changes the deadline of the download or cancels it.
  @discardableResult
  public func fetch(
    _ request: RemoteRequest, deadline: FrameInstant = .onScreen,
    completion: @escaping @Sendable (Result<RemoteContent, RemoteFailure>) -> Void
  ) -> RemoteTransfer {
    let ticket = ImageTicket(number: lastTicket.add(1, ordering: .relaxed).newValue)
    if mailbox.post(.fetch(request, ticket, deadline: deadline, completion)) {
      curl.wake()
    } else {
      completion(.failure(.shutDown))
    }
    return RemoteTransfer(self, ticket)
  }

  /// Downloads a file and blocks until it is available.
  ///
  /// - Throws: The failure of the download.
  public func fetchSynchronously(_ request: RemoteRequest) throws(RemoteFailure) -> RemoteContent {
    let result = Lock<Result<RemoteContent, RemoteFailure>?>(nil)
    fetch(request) { value in
      result.withLock { $0 = value }
      result.wakeAll()
    }
    return try result.wait { $0 }.get()
  }

  /// Lets servers be contacted again that could not be reached, for example because the user asks for it.
  ///
  /// After failures a server is not contacted for up to a minute. A pause that a server asked for does not end.
  public func endPauses() { if mailbox.post(.endPauses) { curl.wake() } }

  /// Changes the deadline of a request.
  func updateDeadline(_ deadline: FrameInstant, for ticket: ImageTicket) {
    if mailbox.post(.updateDeadline(ticket, deadline)) { curl.wake() }
  }

  /// Cancels a request.
  ///
  /// Other requests for the same file continue.
  func cancel(_ ticket: ImageTicket) { if mailbox.post(.cancel(ticket)) { curl.wake() } }

  /// Cancels all transfers with ``RemoteFailure/shutDown`` and ends the thread.
  ///
  /// Waits for the thread, which can block only on the disk. Call it once.
  ///
  /// - Parameter budget: The maximum time to wait for the thread. Default: nil, which waits until it has ended.
  public func shutdown(within budget: ShutdownBudget? = nil) {
    mailbox.close()
    curl.wake()
    if let budget { thread.join(within: budget.remaining) } else { thread.join() }
  }
}

/// A download request, which can be rescheduled or cancelled without affecting other requests for the same file.
public nonisolated final class RemoteTransfer: Deferrable, Sendable {
  private let transfers: RemoteTransfers
  private let ticket: ImageTicket

  /// Creates a handle of a request.
  init(_ transfers: RemoteTransfers, _ ticket: ImageTicket) {
    self.transfers = transfers
    self.ticket = ticket
  }

  /// Changes the deadline and thereby the priority of the download, from any thread.
  ///
  /// Does nothing if the download has ended.
  public func updateDeadline(_ deadline: FrameInstant) { transfers.updateDeadline(deadline, for: ticket) }

  /// Cancels the download, from any thread.
  ///
  /// The completion is not called afterwards, except for a call that is already in progress. Does nothing if the
  /// download has ended or is cancelled. Releasing this object does not cancel the download.
  public func cancel() { transfers.cancel(ticket) }
}

/// A message to the transfers' thread.
enum TransferMessage: Sendable {
  /// A closure that receives the result of a download.
  typealias Completion = @Sendable (Result<RemoteContent, RemoteFailure>) -> Void

  case fetch(RemoteRequest, ImageTicket, deadline: FrameInstant, Completion)
  case updateDeadline(ImageTicket, FrameInstant)
  case cancel(ImageTicket)
  case endPauses
}
