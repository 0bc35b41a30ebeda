import CollectionEngine
import FramePacing

extension PreparationOrder {
  /// Lists what is to be prepared where the items between two points are one range.
  func list(
    into list: inout [PreparationCandidate], _ situation: VisibilityForecast, cost: FrameDuration = .zero,
    items: (ClosedRange<Double>) -> Range<Int>, frame: (Int) -> (start: Double, end: Double), isWanted: (Int) -> Bool
  ) {
    var scratch: [Range<Int>] = []
    self.listCandidates(
      into: &list, situation, cost: cost, scratch: &scratch, runs: { $1.append(items($0)) }, frame: frame,
      isWanted: isWanted)
  }
}
