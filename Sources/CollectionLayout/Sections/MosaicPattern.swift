internal import VitrineDataStructures

/// The pattern of a mosaic for a number of units along the cross axis.
///
/// It consists of a band with its hero item at the start, a plain row, a band with its hero at the end, and a plain
/// row.
enum MosaicPattern {
  /// A part of the pattern along the flow axis: blocks next to each other, or a row of single units.
  enum Band: Hashable, Sendable {
    case blocks([MosaicBlock])
    case row(Int)

    /// The number of items.
    var itemCount: Int {
      switch self {
      case .blocks(let blocks): blocks.reduce(0) { $0 + $1.itemCount }
      case .row(let units): units
      }
    }

    /// The length along the flow axis, in units.
    var units: Int {
      switch self {
      case .blocks: 2
      case .row: 1
      }
    }
  }

  /// Returns the bands for a number of units, at least 1.
  static func bands(_ units: Int) -> [Band] {
    guard units > 1 else { return [.row(1)] }
    let blocks = blocks(units)
    return [.blocks(blocks), .row(units), .blocks(blocks.reversed().map(\.mirrored)), .row(units)]
  }

  /// Returns a band that starts with its hero, which is three units broad if other blocks fit next to it, otherwise
  /// two.
  private static func blocks(_ units: Int) -> [MosaicBlock] {
    let hero = units < 5 ? 2 : 3
    var blocks = [MosaicBlock.hero(hero)]
    var remaining = units - hero
    let fillers: [MosaicBlock] = [.wideOverPair, .column, .hero(2), .column, .pairOverWide]
    var index = 0
    while remaining > 0 {
      let next = fillers[index % fillers.count]
      let block = next.units <= remaining ? next : .column
      blocks.append(block)
      remaining -= block.units
      index += 1
    }
    return blocks
  }
}

/// A part of a band that is two units long along the flow axis.
enum MosaicBlock: Hashable, Sendable {
  /// One item of the given breadth in units.
  case hero(Int)
  /// Two items of one unit, one after the other.
  case column
  /// One item of two units, followed by two items of one unit.
  case wideOverPair
  /// Two items of one unit, followed by one item of two units.
  case pairOverWide

  /// The breadth in units.
  var units: Int {
    switch self {
    case .hero(let units): units
    case .column: 1
    case .wideOverPair, .pairOverWide: 2
    }
  }

  /// The number of items.
  var itemCount: Int {
    switch self {
    case .hero: 1
    case .column: 2
    case .wideOverPair, .pairOverWide: 3
    }
  }

  /// The block with its parts in reverse order along the flow axis.
  var mirrored: MosaicBlock {
    switch self {
    case .hero, .column: self
    case .wideOverPair: .pairOverWide
    case .pairOverWide: .wideOverPair
    }
  }
}

extension CollectionLayoutSection {
  /// Returns a mosaic section: large items among small ones, in a pattern without holes.
  ///
  /// The pattern consists of square units. A hero of two units in height is at the left with smaller items next to it,
  /// followed by a row of single units. Then a hero is at the right, followed by another row. The number of units per
  /// line depends on the container: with two units the hero fills the line, with three it takes two thirds next to two
  /// items, with five or more it is three units broad next to items of several shapes. Where the items end within a
  /// band, its items are laid out in plain rows, so that there are no holes. All gaps are equal, in whole pixels.
  ///
  /// - Parameters:
  ///   - spacing: The space between items along both axes, in points. Default: 4.
  ///   - minimumUnitWidth: The minimum width of a unit in points, which determines the number of units per line.
  ///     Default: 140.
  ///   - heightRatio: The height of a unit as a multiple of its width. Default: 1.
  /// - Precondition: The spacing is finite and not negative. The width and the ratio are finite and positive.
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
