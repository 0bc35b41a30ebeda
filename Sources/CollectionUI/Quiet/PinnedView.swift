import CollectionLayout
import Geometry
import Views

/// A view beside the cells that stays where it is in the viewport, without a hold on it.
///
/// Of use only while the view is on screen, as it is held there.
struct PinnedView: BitwiseCopyable {
  private let view: Unmanaged<CollectionReusableView>
  private let drawing: KeptDrawing.Unheld
  /// How far it stands from the corner of what is seen, in points along the axis.
  private let distance: Double

  /// Notes where a view stands.
  init(_ view: CollectionReusableView, distance: Double) {
    self.view = .passUnretained(view)
    drawing = view.drawing.unheld
    self.distance = distance
  }

  /// The content was scrolled: goes along.
  func follow(to offset: Double, along axis: Axis) {
    view._withUnsafeGuaranteedRef { view in
      var corner = view.frame.origin
      corner[axis] = offset + distance
      view.putUnasked(at: corner)
      view.attributes?.frame.origin = corner
      drawing.setCorner(corner)
    }
  }
}
