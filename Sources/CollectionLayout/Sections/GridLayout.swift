public import VitrineGeometry

/// A layout of equally sized items in rows, section after section.
///
/// The columns fill the width exactly in pixels. Each section starts a new row inside its insets; an empty section
/// takes no space. Negative and very large numbers are clamped; NaN counts as 0, as a height ratio as 1.
public struct GridLayout: CollectionLayout, Hashable {
  /// The number of columns.
  public enum Columns: Hashable, Sendable {
    /// A fixed number of columns, reduced if there is less than a pixel for each.
    case count(Int)
    /// As many columns as fit with at least the given width in points, at least one.
    case minimumWidth(Double)
  }

  /// The distribution of pixels that cannot be divided evenly among the columns.
  public enum Remainder: Hashable, Sendable {
    /// Some columns are a pixel wider; the gaps are equal.
    case items
    /// Some gaps are a pixel wider; the columns are equal, so that one image size fits all.
    case gaps
  }

  /// The number of columns.
  public var columns: Columns
  /// The space between columns, in points.
  public var columnSpacing: Double
  /// The space between rows, in points.
  public var rowSpacing: Double
  /// The insets around the items of each section, in points.
  public var sectionInsets: Insets
  /// The height of an item without its caption as a multiple of its width.
  public var heightRatio: Double
  /// The height of the caption below an item's image, in points.
  public var captionHeight: Double
  /// The distribution of pixels that cannot be divided evenly among the columns.
  public var remainder: Remainder

  /// Creates a grid.
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

  /// Returns the solved grid, a composition of sections with the same rules.
  ///
  /// - Complexity: O(s) for s sections, independent of the number of items.
  public func solved(in environment: LayoutEnvironment, for counts: ItemCounts) -> SolvedComposition {
    var section = CollectionLayoutSection.grid(
      columns: columns, columnSpacing: columnSpacing, rowSpacing: rowSpacing, heightRatio: heightRatio,
      captionHeight: captionHeight, remainder: remainder)
    section.isHiddenWhenEmpty = true
    section.contentInsets = insets(in: environment.layoutDirection)
    return CompositionalLayout(section: section).solved(in: environment, for: counts)
  }

  /// Returns the valid insets of a section; left stays left in right-to-left layouts.
  private func insets(in direction: LayoutDirection) -> DirectionalEdgeInsets {
    func bounded(_ distance: Double) -> Double { distance > 0 ? min(distance, LayoutEnvironment.maximumLength) : 0 }
    let (left, right) = (bounded(sectionInsets.left), bounded(sectionInsets.right))
    let isMirrored = direction == .rightToLeft
    return DirectionalEdgeInsets(
      top: bounded(sectionInsets.top), leading: isMirrored ? right : left, bottom: bounded(sectionInsets.bottom),
      trailing: isMirrored ? left : right)
  }
}

extension CollectionLayoutSection {
  /// Returns a section of equally sized items in rows.
  ///
  /// The columns fill the width exactly in pixels. Negative and very large numbers are clamped; NaN counts as 0,
  /// as a height ratio as 1. If the flow axis is horizontal, `columns` is the number of rows, which fill the height, and
  /// the width of an item follows from its height.
  ///
  /// - Parameters:
  ///   - columns: The number of columns.
  ///   - columnSpacing: The space between columns, in points. Default: 0.
  ///   - rowSpacing: The space between rows, in points, at least the section's ``interGroupSpacing``. Default: 0.
  ///   - heightRatio: The height of an item without its caption as a multiple of its width. Default: 1.
  ///   - captionHeight: The height of the caption below an item's image, in points. Default: 0.
  ///   - remainder: The distribution of pixels that cannot be divided evenly. Default: `.items`.
  public static func grid(
    columns: GridLayout.Columns, columnSpacing: Double = 0, rowSpacing: Double = 0, heightRatio: Double = 1,
    captionHeight: Double = 0, remainder: GridLayout.Remainder = .items
  ) -> CollectionLayoutSection {
    CollectionLayoutSection(
      content: GridRules(
        columns: columns, columnSpacing: columnSpacing, rowSpacing: rowSpacing, heightRatio: heightRatio,
        captionHeight: captionHeight, remainder: remainder))
  }
}
