import CollectionLayout
import Geometry

/// What stays where it is over changes of layout, and why it was chosen.
struct KeptAnchor {
  /// By what an anchor was chosen.
  enum Choice: Equatable {
    /// It was the first item seen.
    case standing
    /// The items were zoomed around a point of the view, or none in particular.
    case zoom(Point?)
  }

  /// The anchor.
  var anchor: ContentAnchor
  /// By what it was chosen.
  var choice = Choice.standing
}
