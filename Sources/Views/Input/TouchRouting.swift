import FramePacing
import Rendering

/// Which views fingers on the screen mean.
struct TouchRouting {
  /// What the fingers mean.
  var recognizer = TouchRecognizer()
  /// The view whose content a finger stopped.
  weak var holder: View?
  /// The view that fingers are drawn over.
  weak var panned: View?
  /// The view that fingers pinch.
  weak var pinched: View?
  /// A finger that is a pointer to the view that it touched.
  var follower: Follower?
  /// Whether time is watched for long presses.
  var isWatched = false

  /// A finger that is a pointer to the view that it touched.
  struct Follower {
    /// Which finger.
    var finger: Int64
    /// The view.
    weak var view: View?
    /// When it was heard of last.
    var heard: FrameInstant
  }
}
