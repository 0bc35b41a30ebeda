internal import VitrineDataStructures
public import VitrineGeometry

/// The rules of a layout, which are solved for an environment and a number of items.
///
/// A layout has no state: the same rules, environment and counts give the same frames.
public protocol CollectionLayout: Sendable {
  /// The type of the solved layout.
  associatedtype Solution: SolvedLayout

  /// Solves the layout for an environment and a number of items.
  ///
  /// No item is stored: the time to solve a layout does not depend on the number of items.
  func solved(in environment: LayoutEnvironment, for counts: ItemCounts) -> Solution
}

/// The environment in which a layout is solved: the container and the scale of the display.
public struct LayoutEnvironment: Hashable, Sendable {
  /// The maximum length of a side of the container, in points.
  public static let maximumLength = 1_000_000.0

  /// The size of the viewport in points, not negative.
  public let containerSize: Size
  /// The insets around the whole content in points, not negative.
  public let contentInsets: Insets
  /// The number of pixels per point, in 0.01...100.
  public let scale: DisplayScale
  /// The reading direction.
  public let layoutDirection: LayoutDirection

  /// Creates an environment.
  ///
  /// The values come from windows and are not trusted: NaN and negative numbers count as 0, larger numbers than
  /// ``maximumLength`` count as ``maximumLength``.
  public init(
    containerSize: Size, contentInsets: Insets = .zero, scale: DisplayScale = .one,
    layoutDirection: LayoutDirection = .leftToRight
  ) {
    func bounded(_ length: Double) -> Double { length > 0 ? min(length, LayoutEnvironment.maximumLength) : 0 }
    self.containerSize = Size(width: bounded(containerSize.width), height: bounded(containerSize.height))
    self.contentInsets = Insets(
      top: bounded(contentInsets.top), left: bounded(contentInsets.left), bottom: bounded(contentInsets.bottom),
      right: bounded(contentInsets.right))
    self.scale = DisplayScale(pixelsPerPoint: min(100, max(0.01, scale.pixelsPerPoint)))
    self.layoutDirection = layoutDirection
  }

  /// The size of the container without its insets, in points, by which a section provider chooses a number of columns.
  public var effectiveContentSize: Size {
    Size(
      width: max(0, containerSize.width - contentInsets.left - contentInsets.right),
      height: max(0, containerSize.height - contentInsets.top - contentInsets.bottom))
  }
}

/// The reading direction of a layout.
public enum LayoutDirection: Hashable, Sendable {
  /// Leading is left.
  case leftToRight
  /// Leading is right, and the layout is mirrored.
  case rightToLeft
}

/// The number of items in each section, with conversions between an index path and an index across all sections.
///
/// Layouts identify an item by its index across all sections, starting at 0.
public struct ItemCounts: Hashable, Sendable {
  /// The maximum number of items; items beyond it are not counted.
  public static let maximumTotal = 1_000_000_000_000

  /// The index of the first item of each section, followed by the total number of items.
  private let starts: [Int]

  /// Creates counts from the number of items in each section; negative numbers count as 0.
  ///
  /// - Complexity: O(s) for s sections.
  public init(_ counts: [Int]) {
    var starts: [Int] = [0]
    starts.reserveCapacity(counts.count + 1)
    var total = 0
    for count in counts {
      total += min(max(0, count), ItemCounts.maximumTotal - total)
      starts.append(total)
    }
    self.starts = starts
  }

  /// The number of items in all sections.
  public var total: Int { starts[starts.count - 1] }

  /// The number of sections.
  public var numberOfSections: Int { starts.count - 1 }

  /// Returns the indexes of a section's items.
  ///
  /// - Precondition: The section exists.
  /// - Complexity: O(1).
  public func items(inSection section: Int) -> Range<Int> {
    checkPrecondition(
      (0..<numberOfSections).contains(section), "There is no section \(section) among \(numberOfSections).")
    return starts[section]..<starts[section + 1]
  }

  /// Returns the index of an item across all sections, or nil if there is no such item.
  ///
  /// - Complexity: O(1).
  public func index(section: Int, item: Int) -> Int? {
    guard (0..<numberOfSections).contains(section), item >= 0, item < items(inSection: section).count else {
      return nil
    }
    return starts[section] + item
  }

  /// Returns the section of an item and its position in that section, or nil if there is no such item.
  ///
  /// - Complexity: O(log s) for s sections.
  public func position(of index: Int) -> (section: Int, item: Int)? {
    guard (0..<total).contains(index) else { return nil }
    // The last section that starts at or before the item is not empty, because the next section starts after the item.
    var low = 0
    var high = numberOfSections - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= index { low = middle } else { high = middle - 1 }
    }
    return (low, index - starts[low])
  }
}
