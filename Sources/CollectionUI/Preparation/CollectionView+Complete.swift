import CollectionEngine
import CollectionLayout
import Views

/// Whether there is anything to prepare, told by numbers alone: most frames that ask have nothing, as the items around the
/// screen are the same for several frames.
extension CollectionView {
  /// Whether a list of candidates is empty for certain: every item and every view that may wait is on screen, or waits and
  /// needs no step.
  ///
  /// - Complexity: O(cells) comparisons of numbers; no cell is looked at.
  final func hasEverythingReady() -> Bool {
    let preparation = preparation
    guard let generation = preparation.drawnGeneration, generation == window?.resources.generation,
      preparation.waiting.readyCount == preparation.waiting.count, preparation.window.limits.landing == nil,
      preparation.order.listsAllItems, displayed.firstIndexWithoutCell == nil
    else { return false }
    var runs: [Range<Int>] = []
    swap(&runs, &preparation.runs)
    defer { swap(&runs, &preparation.runs) }
    runs.removeAll(keepingCapacity: true)
    let near = region(of: preparation.window.limits.aroundViewport)
    solution.visitItems(in: near) { runs.append($0) }
    guard preparation.waiting.covers(runs, beside: displayed.runs) else { return false }
    var scrollsAcross = false
    visitOrthogonalSections { _ in scrollsAcross = true }
    return !scrollsAcross && !hasUpcomingElements()
  }
}
