public import Geometry

/// Items of one size in rows, from left to right and from top to bottom, section after section.
///
/// Columns fill the width exactly in pixels. Every section that has items begins a row of its own, within its insets; a
/// section without items takes no room. Numbers that cannot be meant (NaN, negative, absurdly large) are moved to the
/// nearest that can.
public struct GridLayout: CollectionLayout, Hashable {
  /// How many columns there are.
  public enum Columns: Hashable, Sendable {
    /// A number of columns; fewer when not even a pixel is left for each.
    case count(Int)
    /// As many as fit when each is at least this wide, in points.
    case minimumWidth(Double)
  }

  /// Where pixels go that cannot be shared out evenly.
  public enum Remainder: Hashable, Sendable {
    /// Some columns are a pixel wider; the gaps are equal.
    case items
    /// Some gaps are a pixel wider; the columns are equal, so one size of picture fits all.
    case gaps
  }

  /// How many columns there are.
  public var columns: Columns
  /// The room between columns, in points.
  public var columnSpacing: Double
  /// The room between rows, in points.
  public var rowSpacing: Double
  /// The room around each section's items, in points.
  public var sectionInsets: Insets
  /// An item's height without its caption as a multiple of its width.
  public var heightRatio: Double
  /// The height of what stands below the picture of an item, in points.
  public var captionHeight: Double
  /// Where pixels go that cannot be shared out evenly.
  public var remainder: Remainder

  /// Makes a grid.
  public init(
    columns: Columns, columnSpacing: Double = 0, rowSpacing: Double = 0, sectionInsets: Insets = .zero,
    heightRatio: Double = 1, captionHeight: Double = 0, remainder: Remainder = .items
  ) {
    self.columns = columns
    self.columnSpacing = columnSpacing
    self.rowSpacing = rowSpacing
    self.sectionInsets = sectionInsets
    self.heightRatio = heightRatio
    self.captionHeight = captionHeight
    self.remainder = remainder
  }

  /// Solves the grid: a composition of sections that are alike.
  ///
  /// - Complexity: O(s) for s sections, whatever the number of items.
  public func solved(in environment: LayoutEnvironment, for counts: ItemCounts) -> SolvedComposition {
    var section = CollectionLayoutSection.grid(
      columns: columns, columnSpacing: columnSpacing, rowSpacing: rowSpacing, heightRatio: heightRatio,
      captionHeight: captionHeight, remainder: remainder)
    section.isHiddenWhenEmpty = true
    section.contentInsets = insets(in: environment.layoutDirection)
    return CompositionalLayout(section: section).solved(in: environment, for: counts)
  }

  /// The section's insets as they can be meant: left is left, wherever reading begins.
  private func insets(in direction: LayoutDirection) -> DirectionalInsets {
    func bounded(_ distance: Double) -> Double { distance > 0 ? min(distance, LayoutEnvironment.longestSide) : 0 }
    let (left, right) = (bounded(sectionInsets.left), bounded(sectionInsets.right))
    let isMirrored = direction == .rightToLeft
    return DirectionalInsets(
      top: bounded(sectionInsets.top), leading: isMirrored ? right : left, bottom: bounded(sectionInsets.bottom),
      trailing: isMirrored ? left : right)
  }
}
