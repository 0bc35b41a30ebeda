internal import DataStructures
public import Geometry

/// The place of one cell in a group whose client computes places itself.
public struct CollectionLayoutGroupCustomItem: Hashable, Sendable {
  /// The place in points from the corner of the group within its insets; what reaches out of the group is cut.
  public let frame: Rect
  /// What lies over what.
  public let zIndex: Int

  /// Makes an item.
  ///
  /// - Precondition: the frame's numbers are finite, and its extents are not negative.
  public init(frame: Rect, zIndex: Int = 0) {
    checkPrecondition(
      frame.minX.isFinite && frame.minY.isFinite && frame.width.isFinite && frame.height.isFinite
        && frame.width >= 0 && frame.height >= 0,
      "A custom layout item was placed at \(frame.minX), \(frame.minY) with an extent of \(frame.width) by"
        + " \(frame.height). All must be finite numbers, and the extents not negative.")
    self.frame = frame
    self.zIndex = zIndex
  }
}
