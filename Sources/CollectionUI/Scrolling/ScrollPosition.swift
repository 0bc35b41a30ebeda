import DataStructures

/// Where in the view an item is to be seen that is scrolled to: one place on each axis, or none.
public struct ScrollPosition: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt16

  /// Makes a set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Its top at the view's top.
  public static let top = ScrollPosition(rawValue: 1 << 0)
  /// In the middle from top to bottom.
  public static let centeredVertically = ScrollPosition(rawValue: 1 << 1)
  /// Its bottom at the view's bottom.
  public static let bottom = ScrollPosition(rawValue: 1 << 2)
  /// Wherever it is whole with the least movement up or down.
  public static let nearestVerticalEdge = ScrollPosition(rawValue: 1 << 3)
  /// Its left at the view's left.
  public static let left = ScrollPosition(rawValue: 1 << 4)
  /// In the middle from left to right.
  public static let centeredHorizontally = ScrollPosition(rawValue: 1 << 5)
  /// Its right at the view's right.
  public static let right = ScrollPosition(rawValue: 1 << 6)
  /// Wherever it is whole with the least movement to a side.
  public static let nearestHorizontalEdge = ScrollPosition(rawValue: 1 << 7)
  /// Where reading begins, at that side of the view.
  public static let leadingEdge = ScrollPosition(rawValue: 1 << 8)
  /// Where reading ends, at that side of the view.
  public static let trailingEdge = ScrollPosition(rawValue: 1 << 9)
  /// Whole with the least movement on both axes.
  public static let nearest: ScrollPosition = [.nearestVerticalEdge, .nearestHorizontalEdge]

  static let vertical: ScrollPosition = [.top, .centeredVertically, .bottom, .nearestVerticalEdge]
  static let horizontal: ScrollPosition = [
    .left, .centeredHorizontally, .right, .nearestHorizontalEdge, .leadingEdge, .trailingEdge,
  ]
}
