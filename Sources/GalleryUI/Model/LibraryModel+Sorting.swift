import DiffableData
import PhotoLibrary

/// Where photographs are put, and in which order.
extension LibraryModel {
  /// More than these are sorted aside; so many take a few milliseconds.
  static var mostSortedInFrame: Int { LibraryArrangement.mostSorted }
  /// So many are looked at in a frame whether they stand where they belong.
  private static var mostLearnedInFrame: Int { 4_000 }

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
      let isBegun = aside.start { [arrangement, catalogue = catalogue.readOnly] in
        let sorted = arrangement.sorted(by: sorting, snapshot, by: catalogue)
        return ArrangedLibrary(snapshot: sorted.snapshot, arrangement: sorted.arrangement, isSorted: true)
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

  /// Puts into a snapshot what was found, or belongs elsewhere, since the last time.
  ///
  /// What a frame has no time for is done aside: ``News/arranged`` brings the snapshot that has it, too.
  ///
  /// - Returns: whether the snapshot has anything new.
  func arrange(_ snapshot: inout RescanEdits.Snapshot) -> Bool {
    if arrangeAside(snapshot) { return false }
    arrangement.arrange(&snapshot, by: catalogue)
    guard let rest = arrangement.takeRest() else { return true }
    let isBegun = aside?.start { [snapshot, catalogue = catalogue.readOnly] in
      var snapshot = snapshot
      rest.append(to: &snapshot, by: catalogue)
      return ArrangedLibrary(snapshot: snapshot)
    }
    if isBegun != true { rest.append(to: &snapshot, by: catalogue) }
    return true
  }

  /// Begins to place aside what was found, where it is more than a frame has time for.
  ///
  /// - Returns: whether that was begun; ``takeArranged(_:_:)`` goes on from there.
  func arrangeAside(_ snapshot: RescanEdits.Snapshot) -> Bool {
    guard arrangement.isMoreThanAFrame, let aside, aside.isIdle else { return false }
    var rest = arrangement
    let next = rest.handOver()
    let isBegun = aside.start { [catalogue = catalogue.readOnly] in
      var (arrangement, snapshot) = (next, snapshot)
      arrangement.arrange(&snapshot, by: catalogue)
      return ArrangedLibrary(snapshot: snapshot, arrangement: arrangement)
    }
    guard isBegun else { return false }
    arrangement = rest
    changedMeanwhile = []
    return true
  }

  /// Looks at some of what changed while photographs were placed aside.
  func learnSome() {
    guard changedMeanwhile == nil, !unlearned.isEmpty else { return }
    let some = unlearned.prefix(LibraryModel.mostLearnedInFrame)
    unlearned = unlearned.dropFirst(some.count)
    arrangement.learn(Array(some), by: catalogue)
    if unlearned.isEmpty { unlearned = [] }
  }

  /// Takes in what was arranged aside.
  func takeArranged(_ arranged: ArrangedLibrary, _ news: inout News) {
    // It may be of photographs that are shown no more.
    if let arrangement = arranged.arrangement {
      guard let changed = changedMeanwhile else { return }
      changedMeanwhile = nil
      takeOver(arrangement)
      unlearned += changed
      news.isSorted = arranged.isSorted
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
