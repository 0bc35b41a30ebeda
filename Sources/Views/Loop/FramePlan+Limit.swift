import FramePacing

extension FramePlan {
  /// A moment by which a phase should end: a share of what is left of the frame, and so many microseconds at most.
  ///
  /// What is over waits for the next frame.
  ///
  /// - Parameter reserved: what of the time is left for phases behind it.
  func limit(
    from now: FrameInstant, share: Double, atMostMicroseconds most: Double, reserving reserved: FrameDuration = .zero
  ) -> FrameInstant {
    now + min(max(.zero, deadline - reserved - now) * share, .microseconds(most))
  }
}
