public import Geometry

/// A section that scrolls across the layout's axis, as it stands.
public struct OrthogonalSection: Hashable, Sendable {
  /// Which one.
  public var section: Int
  /// Where its content is seen, in points.
  public var frame: Rect
  /// The axis along which it scrolls.
  public var axis: Axis
  /// How long its content is along that axis, in points.
  public var contentLength: Double
  /// How far it is scrolled, in points.
  public var offset: Double
  /// Where it comes to rest.
  public var behavior: OrthogonalScrollingBehavior

  /// Makes a description.
  public init(
    section: Int, frame: Rect, axis: Axis, contentLength: Double, offset: Double,
    behavior: OrthogonalScrollingBehavior
  ) {
    self.section = section
    self.frame = frame
    self.axis = axis
    self.contentLength = contentLength
    self.offset = offset
    self.behavior = behavior
  }

  /// The largest offset at which nothing is seen beyond the content, in points; at least 0.
  public var maximumOffset: Double { max(0, contentLength - frame.size[axis]) }
}
