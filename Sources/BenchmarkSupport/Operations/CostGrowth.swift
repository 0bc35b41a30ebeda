/// How the cost of a call grows with the number of items, by what its documentation states.
public enum CostGrowth: Hashable, Sendable {
  /// Hardly: constant, logarithmic, or by something that the number of items does not change.
  case flat
  /// In proportion.
  case linear
  /// In proportion, times a logarithm.
  case linearithmic

  /// How many times dearer ten times the items may make a call, in the mean over all sizes.
  ///
  /// By the stated growth 1 or a little more, 10, and at most 13.4 from a thousand items on. The rest is for caches, which
  /// small values fit into and large ones do not.
  public var mostInTheMean: Double {
    switch self {
    case .flat: 3
    case .linear: 15
    case .linearithmic: 20
    }
  }

  /// How many times dearer a single tenfold step may make a call: the one that leaves a cache, say.
  public var mostInOneStep: Double { 2 * mostInTheMean }
}
