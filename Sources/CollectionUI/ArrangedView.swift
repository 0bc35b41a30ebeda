import CollectionEngine
import Geometry

/// A view as a section's handler, or motion, wants it shown.
struct PresentedView {
  /// The view; its drawing is shown.
  let view: CollectionReusableView
  /// Where it is shown, in the content's coordinates, before it is scaled; a size of its own stretches the drawing.
  let frame: Rect
  /// What lies over what.
  let zIndex: Int
  /// What lies over what among those of one level.
  let level: ElementTransition.Level
  /// How much of what is behind it it hides, 0 to 255.
  let opacity: UInt8
  /// How many times as large it is drawn, about its middle.
  let scale: Double
  /// How far it is lifted off what is behind it, from 0 to 1.
  var liftProgress = 0.0

  /// Takes what a handler or motion said; an alpha or a scale that is no number counts as 1, and a negative scale as
  /// nothing.
  init(
    view: CollectionReusableView, place: Rect, zIndex: Int, level: ElementTransition.Level = .staying,
    alpha: Double = 1,
    scale: Double = 1
  ) {
    self.view = view
    self.frame = place
    self.zIndex = zIndex
    self.level = level
    self.scale = scale.isFinite ? max(0, min(64, scale)) : 1
    opacity = UInt8((max(0, min(1, alpha.isNaN ? 1 : alpha)) * 255).rounded())
  }
}
