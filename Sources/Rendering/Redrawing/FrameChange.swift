/// What has to be done to the pixels of one frame to make them those of the next.
public enum FrameChange: Hashable, Sendable {
  /// Draw all of it.
  case whole
  /// Move pixels, where a move is given, and then draw the damaged rectangles anew, where there are any.
  case parts(PixelMove?)
}
