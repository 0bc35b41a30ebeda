internal import DataStructures

extension CollectionLayoutSection {
  /// Makes a section of a mosaic: large pictures among small ones, in a pattern that fills every line.
  ///
  /// The pattern is built of square units. A hero two units high stands at the left with smaller pictures beside it, below
  /// them a row of single units; then the hero stands at the right, and a row follows again. How many units there are
  /// across depends on the room: with two the hero fills the line, with three it takes two thirds beside two pictures,
  /// with more it is three units broad beside pictures of several shapes. Where the items end within a band, its pictures
  /// stand in plain rows, so that there are no holes. All gaps are equal, in whole pixels.
  ///
  /// - Parameters:
  ///   - spacing: between pictures, both ways, in points.
  ///   - minimumUnitWidth: what a unit is wide at least, in points; as many as fit stand across.
  ///   - heightRatio: a unit's height as a multiple of its width.
  /// - Precondition: the spacing is finite and not negative; the width and the ratio are finite and positive.
  public static func mosaic(
    spacing: Double = 4, minimumUnitWidth: Double = 140, heightRatio: Double = 1
  ) -> CollectionLayoutSection {
    checkPrecondition(
      spacing.isFinite && spacing >= 0,
      "A mosaic was made with a spacing of \(spacing). It must be a finite number that is not negative.")
    checkPrecondition(
      minimumUnitWidth.isFinite && minimumUnitWidth > 0,
      "A mosaic was made with units \(minimumUnitWidth) wide. It must be a finite number that is positive.")
    checkPrecondition(
      heightRatio.isFinite && heightRatio > 0,
      "A mosaic was made with a height ratio of \(heightRatio). It must be a finite number that is positive.")
    var section = CollectionLayoutSection(
      content: MosaicContent(spacing: spacing, minimumUnit: minimumUnitWidth, ratio: heightRatio))
    section.interGroupSpacing = spacing
    return section
  }
}
