public import CollectionUI

extension RunFigures {
  /// The figures of a run that shows one collection view: its items, its cells' lives, the slack, and what was wanted ahead,
  /// in the report and in the overlay.
  ///
  /// What failed is for the program to add, who knows it.
  ///
  /// - Parameter view: what shows the items; not kept alive.
  public init(of view: CollectionView) {
    library = { [weak view] in
      view.map { LibraryFigures(items: $0.itemCount, sections: $0.numberOfSections, failed: nil) }
    }
    cells = { [weak view] in (view?.statistics).map(CellFigures.init) }
    slack = { [weak view] in (view?.slackStatistics).map(SlackFigures.init) }
    prefetch = { [weak view] in (view?.prefetchStatistics).map(PrefetchFigures.init) }
    overlay = { [weak view] in view.map(OverlayFigures.init(of:)) ?? OverlayFigures() }
    isFullyShown = { [weak view] in view?.visibleCells.isEmpty == false }
  }
}
