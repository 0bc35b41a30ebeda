import DiffableData
import PhotoLibrary

/// The photographs in another order.
extension LibraryModel {
  /// More than these are sorted aside; so many take a few milliseconds.
  static let mostSortedInFrame = 2_000

  /// In which order photographs stand, or will as soon as they are sorted.
  public var sorting: GallerySorting { sortingAsked ?? arrangement.sorting }

  /// Whether photographs are being put into another order.
  var isSorting: Bool { sortingAsked != nil || changedMeanwhile != nil }

  /// Photographs are to stand in another order, as soon as nothing else is done to their places.
  func askForSorting(by sorting: GallerySorting) { sortingAsked = sorting }

  /// Sorts the photographs if that was asked for and nothing else is done to their places.
  ///
  /// - Parameter shown: those in the grid.
  /// - Returns: what is to be shown; nothing where ``News/arranged`` brings it, or there is nothing to do yet.
  func sortIfAsked(from shown: () -> RescanEdits.Snapshot) -> RescanEdits.Snapshot? {
    guard let sorting = sortingAsked, changedMeanwhile == nil, rescan == nil, aside?.isIdle ?? true,
      !(catalogue.isComputed && arrangement.hasNews)
    else { return nil }
    guard sorting != arrangement.sorting else {
      sortingAsked = nil
      return nil
    }
    let snapshot = shown()
    // What is computed is not listed yet.
    if catalogue.isComputed, snapshot.numberOfItems < catalogue.count || catalogue.count == 0 { return nil }
    if let aside, snapshot.numberOfItems > LibraryModel.mostSortedInFrame {
      let isBegun = aside.start { [arrangement, catalogue] in
        let sorted = arrangement.sorted(by: sorting, snapshot, by: catalogue)
        return ArrangedLibrary(snapshot: sorted.snapshot, arrangement: sorted.arrangement)
      }
      if isBegun {
        changedMeanwhile = []
        return nil
      }
    }
    let sorted = arrangement.sorted(by: sorting, snapshot, by: catalogue)
    takeOver(sorted.arrangement)
    return sorted.snapshot
  }

  /// Takes in what was arranged aside.
  func takeArranged(_ arranged: ArrangedLibrary, _ news: inout News) {
    // It may be of photographs that are shown no more.
    if let arrangement = arranged.arrangement {
      guard let changed = changedMeanwhile else { return }
      changedMeanwhile = nil
      takeOver(arrangement)
      self.arrangement.learn(changed, by: catalogue)
      news.isSorted = true
    }
    news.arranged = arranged.snapshot
    news.isNews = true
  }

  private func takeOver(_ next: LibraryArrangement) {
    let last = arrangement
    arrangement = next
    arrangement.takeWaiting(of: last, by: catalogue)
    if sortingAsked == next.sorting { sortingAsked = nil }
  }
}
