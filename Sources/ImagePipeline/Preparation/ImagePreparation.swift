public import FramePacing

/// A picture that is being prepared: what moves the preparation in the line, or gives it up.
@MainActor
public final class ImagePreparation: Deferrable {
  private let pipeline: ImagePipeline
  private let ticket: ImageTicket

  /// Makes a handle of a request.
  init(_ ticket: ImageTicket, of pipeline: ImagePipeline) {
    self.ticket = ticket
    self.pipeline = pipeline
  }

  /// Moves it to another place in the line, earlier or later; nothing where it runs or has ended.
  /// - Complexity: O(log requests).
  public func updateDeadline(_ deadline: FrameInstant) { pipeline.updateDeadline(deadline, for: ticket) }

  /// Gives it up: its completion is not called any more, and nobody else who wants the picture learns of it.
  ///
  /// A decode that nobody else waits for stops at its next row.
  /// - Complexity: O(log requests).
  public func cancel() { pipeline.cancel(ticket) }
}
