/// What became of the content since a layout was asked what is on screen.
public struct QuietCourse: Hashable, Sendable {
  /// Where it can move to without a cell entering or leaving.
  public var stretch = QuietStretch.none
  /// Whether it moved, and nobody looked at that yet.
  public var hasScrolled = false
  /// Whether it moved in this frame and stayed within the stretch.
  public var hasMoved = false

  /// The layout was not asked yet.
  public init() {}

  /// Takes in that the content moved to an offset, if it did and is within the stretch.
  ///
  /// - Returns: whether the frame needs nothing else.
  public mutating func takesMove(to offset: Double) -> Bool {
    guard hasScrolled, stretch.contains(offset) else { return false }
    hasScrolled = false
    hasMoved = true
    return true
  }

  /// Whether the content moved in this frame and stayed within the stretch; asked once a frame.
  public mutating func takesNotice() -> Bool {
    defer { hasMoved = false }
    return hasMoved
  }
}
