internal import Geometry

/// A supplementary or decoration view in pixels from where reading begins.
struct PlacedElement: Sendable {
  var identity: ElementIdentity
  var frame: PixelFrame
  var zIndex: Int
  var isPinned = false

  /// The view in points.
  func attributes(in space: ContentSpace) -> ElementAttributes {
    ElementAttributes(identity: identity, frame: space.rect(frame), zIndex: zIndex, isPinned: isPinned)
  }
}
