/// What a frame has to keep.
public struct FramePlan: Hashable, Sendable {
  /// The number of the frame, from 0.
  public var index: Int
  /// V: the refresh at which the frame is due.
  ///
  /// Physics and animations are evaluated here.
  public var target: FrameInstant
  /// The moment by which phases 1 to 7 must end for the frame to be shown at its target.
  public var deadline: FrameInstant
  /// When presenting may begin, on a clock where it does not block.
  public var presentNotBefore: FrameInstant
  /// Whether the loop had rested before.
  public var isFirstAfterIdle: Bool
  /// How long nobody worked on frames before this one though something moved: the process was stopped, say, or a present was
  /// held back; none after a rest.
  ///
  /// Whole intervals; zero but after long ones. Motion is to go on from where it was shown last.
  public var stallDuration = FrameDuration.zero
}
