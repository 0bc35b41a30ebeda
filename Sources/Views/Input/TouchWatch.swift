import FramePacing

/// Lets a window know how long a finger has stayed where it is.
final class LongPressTimer: FrameParticipant {
  private weak var window: Window?

  init(_ window: Window) { self.window = window }

  var nextFrame: FrameInstant? { window?.touchRouting.recognizer.longPressInstant }

  func update(at target: FrameInstant) { window?.advanceTouches(to: target) }
}
