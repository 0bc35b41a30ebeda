/// How a display drew its frames since it was opened.
public nonisolated struct RedrawStatistics: Hashable, Sendable {
  /// Frames that were drawn whole.
  public internal(set) var wholeFrames = 0
  /// Frames of which pixels were moved and the rest drawn.
  public internal(set) var movedFrames = 0
  /// Frames of which rectangles were drawn, or nothing where nothing differed, and no pixels moved.
  public internal(set) var partialFrames = 0
  /// The pixels of the rectangles that were drawn; of whole frames none are counted.
  public internal(set) var damagedPixels = 0
}
