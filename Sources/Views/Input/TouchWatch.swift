import FramePacing

/// Lets a window know in every frame how long a finger has stayed where it is.
final class TouchWatch: FrameParticipant {
  private weak var window: Window?

  init(_ window: Window) { self.window = window }

  var needsFrames: Bool { window?.touches.recognizer.awaitsTime ?? false }

  func update(at target: FrameInstant) { window?.advanceTouches(to: target) }
}
