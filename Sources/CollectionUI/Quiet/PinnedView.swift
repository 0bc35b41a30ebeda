import CollectionLayout
import Geometry
import Views

/// A view beside the cells that stays where it is in the viewport, without a hold on it.
///
/// Of use only while the view is on screen, as it is held there.
struct PinnedView: BitwiseCopyable {
  private unowned(unsafe) let view: CollectionReusableView
  /// How far it stands from the corner of what is seen, in points along the axis.
  private let distance: Double

  /// Notes where a view stands.
  init(_ view: CollectionReusableView, distance: Double) {
    self.view = view
    self.distance = distance
  }

  /// The content was scrolled: goes along.
  func updatePosition(to offset: Double, along axis: Axis) {
    // One call: each counts a reference.
    view.pin(at: offset + distance, along: axis)
  }
}
