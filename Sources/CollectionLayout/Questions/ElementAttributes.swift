public import Geometry

/// Where a supplementary or decoration view is seen, and over what.
public struct ElementAttributes: Hashable, Sendable {
  /// Which one it is.
  public var identity: ElementIdentity
  /// Its place in the content, in points, on edges of pixels.
  public var frame: Rect
  /// Elements with larger numbers lie over those with smaller ones; cells have ``LayoutAttributes/zIndex``.
  public var zIndex: Int
  /// Whether it stands at an edge of the viewport and not where its section has it.
  ///
  /// The place of such a view alone depends on what is seen. Where it stands the same in the viewport at two offsets, it
  /// does so at all between them.
  public var isPinned: Bool

  /// Makes attributes.
  public init(identity: ElementIdentity, frame: Rect, zIndex: Int = 0, isPinned: Bool = false) {
    self.identity = identity
    self.frame = frame
    self.zIndex = zIndex
    self.isPinned = isPinned
  }
}
