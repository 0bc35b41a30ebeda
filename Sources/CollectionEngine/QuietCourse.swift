/// What became of the content since a layout was asked what is on screen.
public struct SteadyScrollState: Sendable {
  /// Where it can move to without a cell entering or leaving.
  public private(set) var range = SteadyScrollRange.none
  /// Whether cells came or went since the stretch was found: it is to be found anew before the next frame.
  public private(set) var isStale = false
  /// Whether it moved, and nobody looked at that yet.
  public var hasScrolled = false
  /// Whether it moved in this frame and stayed within the stretch.
  public var hasMoved = false

  /// The layout was not asked yet.
  public init() {}

  /// Cells come or go.
  public mutating func invalidateRange() {
    range = .none
    isStale = true
  }

  /// It is known where the content can move to.
  public mutating func setRange(_ stretch: SteadyScrollRange) {
    self.range = stretch
    isStale = false
  }

  /// Whether the content moved, and only within the stretch.
  public func isSteady(at offset: Double) -> Bool { hasScrolled && range.contains(offset) }

  /// A quiet move was taken in.
  public mutating func recordMove() {
    hasScrolled = false
    hasMoved = true
  }

  /// Whether the content moved in this frame and stayed within the stretch; asked once a frame.
  public mutating func takeHasMoved() -> Bool {
    defer { hasMoved = false }
    return hasMoved
  }
}
