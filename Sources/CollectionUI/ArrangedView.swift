/// A view as a section's handler wants it shown.
struct ArrangedView {
  /// The view; its drawing stands where it is to be.
  let view: CollectionReusableView
  /// What lies over what.
  let zIndex: Int
  /// How much of what is behind it it hides, 0 to 255.
  let opacity: UInt8
  /// How many times as large it is drawn, about its middle.
  let scale: Double

  /// Takes what a handler said; an alpha or a scale that is no number counts as 1, and a negative scale as nothing.
  init(view: CollectionReusableView, zIndex: Int, alpha: Double, scale: Double) {
    self.view = view
    self.zIndex = zIndex
    self.scale = scale.isFinite ? max(0, min(64, scale)) : 1
    opacity = UInt8((max(0, min(1, alpha.isNaN ? 1 : alpha)) * 255).rounded())
  }
}
