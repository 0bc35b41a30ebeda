public import FramePacing

extension FrameInstant {
  /// As a picture's deadline: it is on screen and waited for, so it comes before all that is not.
  public static let onScreen = FrameInstant(nanoseconds: -1)
}
