/// What goes on between a view and its layout.
package struct LayoutState {
  /// How places that are not final are made so, step by step.
  var refinementPacing = StepPacing()
  /// Whether items may have other places than the delegate was told.
  var hasNewFrames = false
  /// Whether the layout is being solved: what it says of items is not known then.
  var isSolving = false
  /// How often it was asked what is seen, and how often it was solved or told what changed: for measurements.
  package var (plans, solutions) = (0, 0)
}
