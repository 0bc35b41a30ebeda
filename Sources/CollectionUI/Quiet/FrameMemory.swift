import CollectionLayout

/// What is kept from frame to frame for speed alone: memory for what a layout is asked, used again.
struct FrameScratch {
  /// Whether the drawings of the views beside the cells are those of what is on screen.
  var hasElementDisplayLists = false
  /// The views beside the cells that are on screen in the coming frame.
  var elements: [ElementAttributes] = []
  /// The items that are.
  var runs: [Range<Int>] = []
  /// The views beside the cells around the screen.
  var nearby: [ElementAttributes] = []
}
