import CollectionLayout

/// Memory for what a layout is asked in frames, used again.
struct FrameMemory {
  /// The views beside the cells that are on screen in the coming frame.
  var elements: [ElementAttributes] = []
  /// The items that are.
  var runs: [Range<Int>] = []
  /// The views beside the cells around the screen.
  var nearby: [ElementAttributes] = []
}
