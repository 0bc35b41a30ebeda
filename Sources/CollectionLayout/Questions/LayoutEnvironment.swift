public import Geometry

/// What a layout is solved in: the room there is, and what a pixel is.
public struct LayoutEnvironment: Hashable, Sendable {
  /// The longest side of a container, in points.
  public static let longestSide = 1_000_000.0

  /// The viewport's size in points; no side is negative.
  public let containerSize: Size
  /// Room to leave free around the whole content, in points; none is negative.
  public let contentInsets: Insets
  /// Pixels a point, within 0.01...100.
  public let scale: DisplayScale
  /// On which side reading begins.
  public let layoutDirection: LayoutDirection

  /// Makes an environment.
  ///
  /// Sizes come from windows and may be anything: NaN and negative numbers count as 0, and more than ``longestSide``
  /// counts as that.
  public init(
    containerSize: Size, contentInsets: Insets = .zero, scale: DisplayScale = .one,
    layoutDirection: LayoutDirection = .leftToRight
  ) {
    func bounded(_ length: Double) -> Double { length > 0 ? min(length, LayoutEnvironment.longestSide) : 0 }
    self.containerSize = Size(width: bounded(containerSize.width), height: bounded(containerSize.height))
    self.contentInsets = Insets(
      top: bounded(contentInsets.top), left: bounded(contentInsets.left), bottom: bounded(contentInsets.bottom),
      right: bounded(contentInsets.right))
    self.scale = DisplayScale(pixelsPerPoint: min(100, max(0.01, scale.pixelsPerPoint)))
    self.layoutDirection = layoutDirection
  }

  /// The size that the insets leave of the container, in points; what a section provider chooses columns by.
  public var effectiveContentSize: Size {
    Size(
      width: max(0, containerSize.width - contentInsets.left - contentInsets.right),
      height: max(0, containerSize.height - contentInsets.top - contentInsets.bottom))
  }
}
