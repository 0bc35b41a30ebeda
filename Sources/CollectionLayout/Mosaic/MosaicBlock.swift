/// A part of a mosaic's band, two units high along the flow.
enum MosaicBlock: Hashable, Sendable {
  /// One picture as broad as so many units.
  case hero(Int)
  /// Two pictures of a unit, one behind the other.
  case column
  /// One picture two units broad, and behind it two of a unit.
  case wideOverPair
  /// Two pictures of a unit, and behind them one two units broad.
  case pairOverWide

  /// How many units it is broad.
  var units: Int {
    switch self {
    case .hero(let units): units
    case .column: 1
    case .wideOverPair, .pairOverWide: 2
    }
  }

  /// How many pictures it has.
  var pictures: Int {
    switch self {
    case .hero: 1
    case .column: 2
    case .wideOverPair, .pairOverWide: 3
    }
  }

  /// The block as seen from behind.
  var turned: MosaicBlock {
    switch self {
    case .hero, .column: self
    case .wideOverPair: .pairOverWide
    case .pairOverWide: .wideOverPair
    }
  }
}
