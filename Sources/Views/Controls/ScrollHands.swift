import FramePacing
import Rendering
import ScrollPhysics

/// What a person does with a scroll view at the moment.
struct ScrollInteraction {
  /// Tells wheels from trackpads.
  var classifier = WheelClassifier()
  /// The key that is held.
  var heldKey: (key: Key, state: HeldKey)?
  /// The pointer that says how fast content goes, from where the wheel was pressed.
  var autoscroll: AutoscrollSession?
  /// Whether fingers that are drawn over the screen are the content's.
  var isPanning = false
  /// Whether a hand held the content since it was last seen to where it comes to rest.
  var wasTracking = false
  /// When the hand that holds the content is thought to leave it, or did.
  var releaseInstant: FrameInstant?

  /// What a frame has to look at: whether a key is held, and whether a hand held the content.
  var pendingChecks: (holdsKey: Bool, wasHolding: Bool) { (heldKey != nil, wasTracking) }
}
