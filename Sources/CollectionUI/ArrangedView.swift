/// A view as a section's handler wants it shown.
struct ArrangedView {
  /// The view; its drawing stands where it is to be.
  let view: CollectionReusableView
  /// What lies over what.
  let zIndex: Int
  /// How much of what is behind it it hides, 0 to 255.
  let opacity: UInt8

  /// Takes what a handler said; an alpha that is no number counts as 1.
  init(view: CollectionReusableView, zIndex: Int, alpha: Double) {
    self.view = view
    self.zIndex = zIndex
    opacity = UInt8((max(0, min(1, alpha.isNaN ? 1 : alpha)) * 255).rounded())
  }
}
