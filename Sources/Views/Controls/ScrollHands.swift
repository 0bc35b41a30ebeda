import FramePacing
import Rendering
import ScrollPhysics

/// What a person does with a scroll view at the moment.
struct ScrollHands {
  /// Tells wheels from trackpads.
  var classifier = WheelClassifier()
  /// The key that is held.
  var held: (key: Key, state: HeldKey)?
  /// The pointer that says how fast content goes, from where the wheel was pressed.
  var autoscroll: AutoscrollGrip?
  /// Whether fingers that are drawn over the screen are the content's.
  var isPanned = false
  /// Whether a hand held the content since it was last seen to where it comes to rest.
  var wasHolding = false
  /// When the hand that holds the content is thought to leave it, or did.
  var release: FrameInstant?

  /// What a frame has to look at: whether a key is held, and whether a hand held the content.
  var inFrame: (holdsKey: Bool, wasHolding: Bool) { (held != nil, wasHolding) }
}
