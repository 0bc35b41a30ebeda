/// Which pictures of a mosaic stand beside each other, for a number of units across.
///
/// A band with its hero at the left, a plain row, a band with its hero at the right, a plain row; and again.
enum MosaicPattern {
  /// A stretch of the pattern: blocks beside each other, or a row of single units.
  enum Band: Hashable, Sendable {
    case blocks([MosaicBlock])
    case row(Int)

    /// How many pictures it has.
    var pictures: Int {
      switch self {
      case .blocks(let blocks): blocks.reduce(0) { $0 + $1.pictures }
      case .row(let units): units
      }
    }

    /// How many units it is long along the flow.
    var units: Int {
      switch self {
      case .blocks: 2
      case .row: 1
      }
    }
  }

  /// The bands for so many units across, at least 1.
  static func bands(_ units: Int) -> [Band] {
    guard units > 1 else { return [.row(1)] }
    let blocks = blocks(units)
    return [.blocks(blocks), .row(units), .blocks(blocks.reversed().map(\.turned)), .row(units)]
  }

  /// A band with its hero first: two units broad, three where there is room for what is beside it.
  private static func blocks(_ units: Int) -> [MosaicBlock] {
    let hero = units < 5 ? 2 : 3
    var blocks = [MosaicBlock.hero(hero)]
    var left = units - hero
    let beside: [MosaicBlock] = [.wideOverPair, .column, .hero(2), .column, .pairOverWide]
    var index = 0
    while left > 0 {
      let next = beside[index % beside.count]
      let block = next.units <= left ? next : .column
      blocks.append(block)
      left -= block.units
      index += 1
    }
    return blocks
  }
}
