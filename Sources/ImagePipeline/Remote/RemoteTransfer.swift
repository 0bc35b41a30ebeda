public import FramePacing

/// One asking for something on the web: what moves it, or gives it up while others who want the same go on waiting.
public nonisolated final class RemoteTransfer: Deferrable, Sendable {
  private let transfers: RemoteTransfers
  private let ticket: ImageTicket

  /// Names what was asked for.
  init(_ transfers: RemoteTransfers, _ ticket: ImageTicket) {
    self.transfers = transfers
    self.ticket = ticket
  }

  /// Moves it to another place among all that waits for a connection, earlier or later; from any thread.
  ///
  /// Nothing where it does not wait any more.
  public func updateDeadline(_ deadline: FrameInstant) { transfers.updateDeadline(deadline, for: ticket) }

  /// Gives it up, from any thread: the completion is not called any more, but for a call that is under way.
  ///
  /// Nothing where it has ended or was given up before. Letting go of this object does not give it up.
  public func cancel() { transfers.cancel(ticket) }
}
