package import struct FoundationEssentials.IndexPath
package import VitrineCollectionLayout
package import VitrineFramePacing
package import VitrineGeometry
package import VitrineScrollPhysics
package import VitrineViews

/// What every controller may ask of the collection view: its layout, its viewport, and when client code may run.
///
/// The protocols of the controllers refine this one by what each needs in addition. The collection view conforms to all
/// of them, and so do doubles in the tests of the controllers. Items are named by flat index, as of the displayed
/// layout. Frames and rectangles are in the content's coordinates, points in the view's.
package protocol ControllerHost: AnyObject {
  /// The layout of the displayed items.
  var solution: any SolvedLayout { get }
  /// The number of displayed items.
  var itemCount: Int { get }
  /// The bounds of the view.
  var bounds: Rect { get }
  /// The visible part of the content.
  var visibleRect: Rect { get }
  /// The axis along which the content scrolls.
  var scrollAxis: Axis { get }
  /// The offset of the content, in points.
  var contentOffset: Double { get }
  /// The scroll state of the content.
  var scroll: ScrollState { get }
  /// Whether the content, an orthogonal section or an item moves.
  var isTracked: Bool { get }
  /// The target time of the current frame.
  var lastInstant: FrameInstant { get }
  /// Returns the index path of an item.
  func indexPath(at index: Int) -> IndexPath

  /// Calls a closure that calls client code, whose updates are performed after it returns.
  func deferringUpdates(_ body: () -> Void)
  /// Performs an update now, or after running client code returned.
  func performWhenReady(_ update: @escaping () -> Void)
  /// Requests a frame.
  func setNeedsDisplay()
  /// Requests a frame in which the layout is queried again.
  func setNeedsVisibleUpdate()
}

/// What the owners of cells and of supplementary views need to prepare views ahead.
package protocol PreparationHost: ControllerHost {
  /// Whether views may be prepared and kept ahead of need.
  var preparesAhead: Bool { get }
  /// What drawings are recorded with, or nil without a window.
  var renderResources: RenderResources? { get }
  /// Requests slack time, because a view can be prepared.
  func setNeedsPreparation()
  /// Makes the view the superview of another one, without drawing it as a subview.
  func adoptChild(_ view: View)
}
