internal import DataStructures

/// How many items each section has, and the way between an item's place in its section and its index among all.
///
/// Layouts count items through all sections, from 0.
public struct ItemCounts: Hashable, Sendable {
  /// The most items there can be; those beyond are not counted.
  public static let most = 1_000_000_000_000

  /// The index of each section's first item, and behind them the number of all items.
  private let starts: [Int]

  /// Makes counts from the number of items in each section; negative ones count as 0.
  ///
  /// - Complexity: O(s) for s sections.
  public init(_ counts: [Int]) {
    var starts: [Int] = [0]
    starts.reserveCapacity(counts.count + 1)
    var total = 0
    for count in counts {
      total += min(max(0, count), ItemCounts.most - total)
      starts.append(total)
    }
    self.starts = starts
  }

  /// The number of items in all sections.
  public var total: Int { starts[starts.count - 1] }

  /// The number of sections.
  public var numberOfSections: Int { starts.count - 1 }

  /// The indexes of a section's items among all.
  ///
  /// - Precondition: There is such a section.
  /// - Complexity: O(1).
  public func items(inSection section: Int) -> Range<Int> {
    checkPrecondition(
      (0..<numberOfSections).contains(section), "There is no section \(section) among \(numberOfSections).")
    return starts[section]..<starts[section + 1]
  }

  /// The index among all of an item of a section, or nothing when there is no such item.
  ///
  /// - Complexity: O(1).
  public func index(section: Int, item: Int) -> Int? {
    guard (0..<numberOfSections).contains(section), item >= 0, item < items(inSection: section).count else {
      return nil
    }
    return starts[section] + item
  }

  /// The section of an item and its place there, or nothing when there is no such item.
  ///
  /// - Complexity: O(log s) for s sections.
  public func position(of index: Int) -> (section: Int, item: Int)? {
    guard (0..<total).contains(index) else { return nil }
    // The last section that begins at or before the item: it is not empty, as the next begins behind.
    var low = 0
    var high = numberOfSections - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= index { low = middle } else { high = middle - 1 }
    }
    return (low, index - starts[low])
  }
}
