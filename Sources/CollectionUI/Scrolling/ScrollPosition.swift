import VitrineCollectionLayout
import VitrineDataStructures

/// The position in the viewport to scroll an item to: at most one for each axis.
public struct ScrollPosition: OptionSet, Hashable, Sendable {
  /// The raw value of the option set.
  public let rawValue: UInt16

  /// Creates an option set from its raw value.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The item's top edge at the top of the view.
  public static let top = ScrollPosition(rawValue: 1 << 0)
  /// The item's vertical center in the center of the view.
  public static let centeredVertically = ScrollPosition(rawValue: 1 << 1)
  /// The item's bottom edge at the bottom of the view.
  public static let bottom = ScrollPosition(rawValue: 1 << 2)
  /// The position that makes the item entirely visible with the least vertical scrolling.
  public static let nearestVerticalEdge = ScrollPosition(rawValue: 1 << 3)
  /// The item's left edge at the left of the view.
  public static let left = ScrollPosition(rawValue: 1 << 4)
  /// The item's horizontal center in the center of the view.
  public static let centeredHorizontally = ScrollPosition(rawValue: 1 << 5)
  /// The item's right edge at the right of the view.
  public static let right = ScrollPosition(rawValue: 1 << 6)
  /// The position that makes the item entirely visible with the least horizontal scrolling.
  public static let nearestHorizontalEdge = ScrollPosition(rawValue: 1 << 7)
  /// The item's leading edge at the leading edge of the view.
  public static let leadingEdge = ScrollPosition(rawValue: 1 << 8)
  /// The item's trailing edge at the trailing edge of the view.
  public static let trailingEdge = ScrollPosition(rawValue: 1 << 9)
  /// The position that makes the item entirely visible with the least scrolling on both axes.
  public static let nearest: ScrollPosition = [.nearestVerticalEdge, .nearestHorizontalEdge]

  static let vertical: ScrollPosition = [.top, .centeredVertically, .bottom, .nearestVerticalEdge]
  static let horizontal: ScrollPosition = [
    .left, .centeredHorizontally, .right, .nearestHorizontalEdge, .leadingEdge, .trailingEdge,
  ]
}

/// The edge of an item that is aligned with the same edge of the viewport, on one axis.
nonisolated enum ScrollEdge: Hashable, Sendable {
  case start, middle, end, nearest
  /// The end, or the start of an item that is longer than the viewport.
  case endOrStart
  /// The start, or the end of an item that is longer than the viewport.
  case startOrEnd
  /// The start and the end of the content, wherever the item is.
  case contentStart, contentEnd

  /// The edge in content that begins at the other end.
  var mirrored: ScrollEdge {
    switch self {
    case .start: .end
    case .end: .start
    case .endOrStart: .startOrEnd
    case .startOrEnd: .endOrStart
    case .contentStart: .contentEnd
    case .contentEnd: .contentStart
    case .middle, .nearest: self
    }
  }

  /// Whether the start of the item must not be beneath a pinned view.
  var isAtStart: Bool { self == .start || hasBothSides }
  /// Whether the end of the item must not be beneath a pinned view.
  var isAtEnd: Bool { self == .end || hasBothSides }
  private var hasBothSides: Bool { self == .nearest || self == .endOrStart || self == .startOrEnd }

  /// Creates the edge of an alignment.
  init(_ alignment: ScrollAlignment) {
    switch alignment {
    case .leading: self = .start
    case .center: self = .middle
    case .trailing: self = .end
    }
  }

  /// Returns the offset to scroll to.
  ///
  /// - Parameters:
  ///   - item: The start and end of the item in the content, in points.
  ///   - length: The length of the viewport.
  ///   - offset: The current offset.
  func offset(showing item: ClosedRange<Double>, in length: Double, from offset: Double) -> Double {
    switch self {
    case .start: item.lowerBound
    case .middle: (item.lowerBound + item.upperBound - length) / 2
    case .end: item.upperBound - length
    case .nearest: min(item.lowerBound, max(offset, item.upperBound - length))
    case .endOrStart: min(item.lowerBound, item.upperBound - length)
    case .startOrEnd: max(item.lowerBound, item.upperBound - length)
    case .contentStart: -.infinity
    case .contentEnd: .infinity
    }
  }
}
