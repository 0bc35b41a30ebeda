extension CollectionLayoutSection {
  /// Items of one size in rows.
  ///
  /// Columns fill the width exactly in pixels. Numbers that cannot be meant (NaN, negative, absurdly large) are moved to
  /// the nearest that can. In a section whose items flow to the side, columns are rows that fill the height, and an
  /// item's width follows from its height.
  ///
  /// - Parameters:
  ///   - columns: how many columns there are.
  ///   - columnSpacing: the room between columns, in points.
  ///   - rowSpacing: the room between rows, in points; not less than the section's ``interGroupSpacing``.
  ///   - heightRatio: an item's height without its caption as a multiple of its width.
  ///   - captionHeight: the height of what stands below the picture of an item, in points.
  ///   - remainder: where pixels go that cannot be shared out evenly.
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
