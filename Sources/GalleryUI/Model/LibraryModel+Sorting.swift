import DiffableData
import PhotoLibrary

/// Where photographs are put, and in which order.
extension LibraryModel {
  /// More than these are sorted aside; so many take a few milliseconds.
  static var maximumSortedPerFrame: Int { LibraryArrangement.maximumSortedPerFrame }
  /// So many are looked at in a frame whether they stand where they belong.
  private static var maximumUpdatedPerFrame: Int { 4_000 }

  /// In which order photographs stand, or will as soon as they are sorted.
  public var sorting: GallerySorting { requestedSorting ?? arrangement.sorting }

  /// Whether photographs are being put into another order.
  var isSorting: Bool { requestedSorting != nil || changedDuringArrangement != nil }

  /// Photographs are to stand in another order, as soon as nothing else is done to their places.
  func requestSorting(by sorting: GallerySorting) { requestedSorting = sorting }

  /// Sorts the photographs if that was asked for and nothing else is done to their places.
  ///
  /// - Parameter shown: those in the grid.
  /// - Returns: what is to be shown; nothing where ``News/arranged`` brings it, or there is nothing to do yet.
  func sortIfRequested(from shown: () -> RescanDiff.Snapshot) -> RescanDiff.Snapshot? {
    guard let sorting = requestedSorting, changedDuringArrangement == nil, rescan == nil,
      arrangementThread?.isIdle ?? true,
      !(catalogue.isComputed && arrangement.hasChanges)
    else { return nil }
    guard sorting != arrangement.sorting else {
      requestedSorting = nil
      return nil
    }
    let snapshot = shown()
    // What is computed is not listed yet.
    if catalogue.isComputed, snapshot.numberOfItems < catalogue.count || catalogue.count == 0 { return nil }
    if let arrangementThread, snapshot.numberOfItems > LibraryModel.maximumSortedPerFrame {
      let isBegun = arrangementThread.start { [arrangement, catalogue = catalogue.readOnlyCopy] in
        let sorted = arrangement.sorted(by: sorting, snapshot, by: catalogue)
        return ArrangedLibrary(snapshot: sorted.snapshot, arrangement: sorted.arrangement, isSorted: true)
      }
      if isBegun {
        changedDuringArrangement = []
        return nil
      }
    }
    let sorted = arrangement.sorted(by: sorting, snapshot, by: catalogue)
    adoptArrangement(sorted.arrangement)
    return sorted.snapshot
  }

  /// Puts into a snapshot what was found, or belongs elsewhere, since the last time.
  ///
  /// What a frame has no time for is done aside: ``News/arranged`` brings the snapshot that has it, too.
  ///
  /// - Returns: whether the snapshot has anything new.
  func arrangeSnapshot(_ snapshot: inout RescanDiff.Snapshot) -> Bool {
    if arrangeInBackground(snapshot) { return false }
    arrangement.arrange(&snapshot, by: catalogue)
    guard let rest = arrangement.takeRemaining() else { return true }
    let isBegun = arrangementThread?.start { [snapshot, catalogue = catalogue.readOnlyCopy] in
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
  func arrangeInBackground(_ snapshot: RescanDiff.Snapshot) -> Bool {
    guard arrangement.exceedsFrameBudget, let arrangementThread, arrangementThread.isIdle else { return false }
    var rest = arrangement
    let next = rest.detachReadyItems()
    let isBegun = arrangementThread.start { [catalogue = catalogue.readOnlyCopy] in
      var (arrangement, snapshot) = (next, snapshot)
      arrangement.arrange(&snapshot, by: catalogue)
      return ArrangedLibrary(snapshot: snapshot, arrangement: arrangement)
    }
    guard isBegun else { return false }
    arrangement = rest
    changedDuringArrangement = []
    return true
  }

  /// Looks at some of what changed while photographs were placed aside.
  func applyPendingUpdates() {
    guard changedDuringArrangement == nil, !pendingUpdates.isEmpty else { return }
    let some = pendingUpdates.prefix(LibraryModel.maximumUpdatedPerFrame)
    pendingUpdates = pendingUpdates.dropFirst(some.count)
    arrangement.updatePhotos(Array(some), by: catalogue)
    if pendingUpdates.isEmpty { pendingUpdates = [] }
  }

  /// Takes in what was arranged aside.
  func applyArranged(_ arranged: ArrangedLibrary, _ news: inout Changes) {
    // It may be of photographs that are shown no more.
    if let arrangement = arranged.arrangement {
      guard let changed = changedDuringArrangement else { return }
      changedDuringArrangement = nil
      adoptArrangement(arrangement)
      pendingUpdates += changed
      news.isSorted = arranged.isSorted
    }
    news.arrangedSnapshot = arranged.snapshot
    news.hasEvents = true
  }

  private func adoptArrangement(_ next: LibraryArrangement) {
    let last = arrangement
    arrangement = next
    arrangement.takeWaiting(from: last, by: catalogue)
    if requestedSorting == next.sorting { requestedSorting = nil }
  }
}
