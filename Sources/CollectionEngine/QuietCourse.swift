/// What became of the content since a layout was asked what is on screen.
public struct QuietCourse: Sendable {
  /// Where it can move to without a cell entering or leaving.
  public private(set) var stretch = QuietStretch.none
  /// Whether cells came or went since the stretch was found: it is to be found anew before the next frame.
  public private(set) var isStale = false
  /// Whether it moved, and nobody looked at that yet.
  public var hasScrolled = false
  /// Whether it moved in this frame and stayed within the stretch.
  public var hasMoved = false

  /// The layout was not asked yet.
  public init() {}

  /// Cells come or go.
  public mutating func loseStretch() {
    stretch = .none
    isStale = true
  }

  /// It is known where the content can move to.
  public mutating func take(_ stretch: QuietStretch) {
    self.stretch = stretch
    isStale = false
  }

  /// Whether the content moved, and only within the stretch.
  public func isQuiet(at offset: Double) -> Bool { hasScrolled && stretch.contains(offset) }

  /// A quiet move was taken in.
  public mutating func noteMove() {
    hasScrolled = false
    hasMoved = true
  }

  /// Whether the content moved in this frame and stayed within the stretch; asked once a frame.
  public mutating func takesNotice() -> Bool {
    defer { hasMoved = false }
    return hasMoved
  }
}
