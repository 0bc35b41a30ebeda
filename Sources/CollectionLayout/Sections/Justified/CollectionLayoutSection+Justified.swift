internal import VitrineDataStructures
internal import VitrineGeometry

extension CollectionLayoutSection {
  /// Returns a section of justified rows: images fill the width exactly, keep their aspect ratios and have similar
  /// heights.
  ///
  /// Row breaks minimize the sum of the squares of (height / target - target / height) over all rows. Where the images
  /// allow it, each height is within a factor of 1.6 of the target; next to very wide or very narrow images, within a
  /// factor of 2.25. The last row of the section is not stretched. If an image is too wide or too narrow for these
  /// limits, its frame differs from its aspect ratio, and the cell has to crop it.
  ///
  /// Frames are estimated from rows of equal aspect ratios until the layout is finalized there. In an orthogonal
  /// section the rows are columns: the target is their width, and they fill the height.
  ///
  /// - Parameters:
  ///   - targetRowHeight: The target height of an image in points, without its caption.
  ///   - spacing: The space between the items of a row, in points.
  ///   - lineSpacing: The space between rows in points, which is the section's ``interGroupSpacing``.
  ///   - captionHeight: The height of the caption below each image, in points. Default: 0.
  ///   - aspectRatio: Returns the width of an item divided by its height, by the index of the item in the section. It
  ///     is called once per item when the layout is finalized there and should return a value in memory. A ratio that
  ///     is not finite or not positive counts as 1.
  /// - Precondition: The target is finite and positive. The spacings and the caption height are finite and not
  ///   negative.
  /// - Complexity: Solving is O(n / 256) for n items and requests no aspect ratios. Finalizing is linear in the
  ///   finalized items, updates in the changed items. Queries are O(log n).
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

/// The rules of a justified section.
struct JustifiedContent: SectionContent {
  /// The target height of a row in points, without captions.
  var targetRowHeight: Double
  /// The space between the items of a row, in points.
  var spacing: Double
  /// The height of the caption below each image, in points.
  var captionHeight: Double
  /// Returns the width of an item divided by its height, by the index of the item in the section.
  var aspectRatio: @Sendable (Int) -> Double

  func dependsOnVisibleLength(along flow: Axis) -> Bool { false }

  func body(of itemCount: Int, in container: SectionContainer) -> any SectionBody {
    justifiedBody(of: itemCount, in: container)
  }

  /// Returns the body with its concrete type.
  func justifiedBody(of itemCount: Int, in container: SectionContainer) -> JustifiedBody {
    JustifiedBody(self, of: itemCount, rules: JustifiedRules(self, in: container))
  }
}
