import FramePacing

extension TransferScheduler {
  /// What the scheduler is told, at a moment.
  enum Event: Sendable {
    /// Something is wanted, and by when; what is known here of it.
    case request(RemoteRequest, ImageTicket, deadline: FrameInstant, validator: RemoteValidator)
    /// It is needed at another time.
    case updateDeadline(ImageTicket, FrameInstant)
    /// It is no longer wanted by one who asked.
    case cancel(ImageTicket)
    /// The body of an answer has come so far.
    case progressed(UInt64, TransferProgress)
    /// A try has ended; whether at a server that everybody can ask.
    case ended(UInt64, TransferOutcome, atPublicServer: Bool)
    /// Time has passed.
    case tick
  }

  /// What the scheduler wants done.
  enum Effect: Hashable, Sendable {
    /// Begin a try.
    case start(TransferAttempt)
    /// Let a try take in so many bytes of a body altogether.
    case grant(UInt64, bytes: Int)
    /// Leave a try; nothing that it ends with matters any more.
    case stop(UInt64)
    /// Tell those who asked that this try brought it.
    case succeed([ImageTicket], RemoteRequest, by: UInt64)
    /// Tell those who asked why it is not to be had.
    case fail([ImageTicket], RemoteRequest, RemoteFailure)
  }
}
