import CollectionEngine
import Geometry

/// A rubber band and the hand that draws it.
struct RubberBandDrag {
  /// What lies under it.
  var band: RubberBand
  /// Where the pointer went down, in the view's coordinates.
  let start: Point
  /// Where the pointer is.
  var pointer: Point
  /// Whether the pointer moved since the last frame.
  var needsUpdate = true

  /// Whether there is something to do in a frame.
  var needsFrame: Bool { needsUpdate || !band.isComplete }
}
