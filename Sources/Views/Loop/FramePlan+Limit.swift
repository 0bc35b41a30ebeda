import FramePacing

extension FramePlan {
  /// A moment by which a phase should end: a share of what is left of the frame, and so many microseconds at most.
  ///
  /// What is over waits for the next frame.
  func limit(from now: FrameInstant, share: Double, atMostMicroseconds most: Double) -> FrameInstant {
    now + min(max(.zero, deadline - now) * share, .microseconds(most))
  }
}
