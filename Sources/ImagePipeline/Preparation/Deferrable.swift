public import FramePacing

/// Something under way that may wait in a line, and can be moved there.
@MainActor
public protocol Deferrable: Cancellable {
  /// Moves it to another place in the line, earlier or later; nothing where it does not wait.
  ///
  /// - Parameter deadline: when it should be there, by the frames' clock.
  func updateDeadline(_ deadline: FrameInstant)
}
