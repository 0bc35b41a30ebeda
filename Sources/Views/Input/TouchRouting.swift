import FramePacing
import Rendering

/// Which views fingers on the screen mean.
struct TouchRoutingState {
  /// What the fingers mean.
  var recognizer = TouchRecognizer()
  /// The view whose content a finger stopped.
  weak var stoppedView: View?
  /// The view that fingers are drawn over.
  weak var panTarget: View?
  /// The view that fingers pinch.
  weak var pinchTarget: View?
  /// A finger that is a pointer to the view that it touched.
  var pointerTouch: PointerTouch?
  /// Whether time is watched for long presses.
  var hasLongPressTimer = false

  /// A finger that is a pointer to the view that it touched.
  struct PointerTouch {
    /// Which finger.
    var finger: Int64
    /// The view.
    weak var view: View?
    /// When it was heard of last.
    var lastEventInstant: FrameInstant
  }
}
