import DataStructures

/// Places spread over a value at random, to be gone round.
struct SpreadPlaces {
  private let places: [Int]

  /// Draws 256 numbers below a count by lot, the same ones each time.
  init(below count: Int) {
    var random = SplitMix64(seed: 5)
    places = (0..<256).map { _ in Int.random(in: 0..<count, using: &random) }
  }

  /// The place for a turn.
  subscript(turn: Int) -> Int { places[turn & 255] }
}
