internal import DataStructures

extension CollectionLayoutSection {
  /// Pictures in rows that fill the width exactly, each with its own aspect ratio, near a wished height.
  ///
  /// Rows are broken so that their heights are as near to the target as they can be together, by the sum of the squares
  /// of (height / target - target / height). Where the pictures allow it, each is within a factor of 1.6 of the target;
  /// next to panoramas and slivers, within one of 2.25. The last row of the section is not stretched: it ends where its
  /// pictures end. Where a picture is too wide or too narrow for that, its frame differs from its ratio, and the cell is
  /// to crop it.
  ///
  /// A place is estimated, from rows of equal ratio, until the layout settles there. In a section that scrolls across,
  /// the same holds for columns: the target is their width, and they fill the height.
  ///
  /// - Parameters:
  ///   - targetRowHeight: the wished height of a picture in points, without its caption.
  ///   - spacing: points between the pictures of a row.
  ///   - lineSpacing: points between rows; it is the section's ``interGroupSpacing``.
  ///   - captionHeight: points that stand below each picture.
  ///   - aspectRatio: the width of an item divided by its height, by the item's place in the section. It is asked once
  ///     when the layout settles where the item is, so it should answer from memory. What is not a finite number above 0
  ///     counts as 1.
  /// - Precondition: The target is finite and positive; spacings and the caption are finite and not negative.
  /// - Complexity: Solving is O(n / 256) for n items and asks no ratio; settling is O(what is settled), and so is an
  ///   update O(what it changed); questions are O(log n).
  public static func justified(
    targetRowHeight: Double, spacing: Double, lineSpacing: Double, captionHeight: Double = 0,
    aspectRatio: @escaping @Sendable (Int) -> Double
  ) -> CollectionLayoutSection {
    checkPrecondition(
      targetRowHeight.isFinite && targetRowHeight > 0,
      "A justified section has a target row height of \(targetRowHeight). It must be finite and positive.")
    for (name, length) in [("spacing", spacing), ("line spacing", lineSpacing), ("caption height", captionHeight)] {
      checkPrecondition(
        length.isFinite && length >= 0,
        "A justified section has a \(name) of \(length). It must be a finite number that is not negative.")
    }
    var section = CollectionLayoutSection(
      content: JustifiedContent(
        targetRowHeight: targetRowHeight, spacing: spacing, captionHeight: captionHeight, aspectRatio: aspectRatio))
    section.interGroupSpacing = lineSpacing
    return section
  }
}
