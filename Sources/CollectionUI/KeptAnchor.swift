import CollectionLayout
import Geometry

/// What stays where it is over changes of layout, and why it was chosen.
struct PreservedAnchor {
  /// By what an anchor was chosen.
  enum Reason: Equatable {
    /// It was the first item seen.
    case firstVisible
    /// The items were zoomed around a point of the view, or none in particular.
    case zoom(Point?)
  }

  /// The anchor.
  var anchor: ContentAnchor
  /// By what it was chosen.
  var reason = Reason.firstVisible
}
