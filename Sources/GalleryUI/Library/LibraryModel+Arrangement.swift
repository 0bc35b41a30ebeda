import DiffableData
import PhotoLibrary

extension LibraryModel {
  /// The maximum number of photographs to sort in a frame: some milliseconds of work.
  ///
  /// More are sorted in the background.
  static var maximumSortedPerFrame: Int { LibraryArrangement.maximumSortedPerFrame }
  /// The maximum number of changed photographs whose positions are checked in a frame.
  private static var maximumUpdatedPerFrame: Int { 4_000 }

  /// The current order, or the requested one if it is not yet applied.
  public var sorting: GallerySorting { requestedSorting ?? arrangement.sorting }

  /// Whether photographs are being sorted.
  var isSorting: Bool { requestedSorting != nil || changedDuringArrangement != nil }

  /// Requests another order, which is applied when no other arrangement is in progress.
  func requestSorting(by sorting: GallerySorting) { requestedSorting = sorting }

  /// Sorts the photographs if that was requested and no other arrangement is in progress.
  ///
  /// - Parameter shown: Returns the photographs in the grid.
  /// - Returns: The snapshot to show, or nil if there is nothing to do yet or ``Changes/arrangedSnapshot`` will contain
  ///   it.
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
    // Computed photographs are not listed yet.
    if catalogue.isComputed, snapshot.numberOfItems < catalogue.count || catalogue.count == 0 { return nil }
    if let arrangementThread, snapshot.numberOfItems > LibraryModel.maximumSortedPerFrame {
      let isStarted = arrangementThread.start { [arrangement, catalogue = catalogue.readOnlyCopy] in
        let sorted = arrangement.sorted(by: sorting, snapshot, using: catalogue)
        return ArrangedLibrary(snapshot: sorted.snapshot, arrangement: sorted.arrangement, isSorted: true)
      }
      if isStarted {
        changedDuringArrangement = []
        return nil
      }
    }
    let sorted = arrangement.sorted(by: sorting, snapshot, using: catalogue)
    adoptArrangement(sorted.arrangement)
    return sorted.snapshot
  }

  /// Inserts and moves the photographs that were found or changed since the last call.
  ///
  /// What takes longer than a frame is done in the background; ``Changes/arrangedSnapshot`` will contain the result.
  ///
  /// - Returns: Whether the snapshot changed.
  func arrangeSnapshot(_ snapshot: inout RescanDiff.Snapshot) -> Bool {
    if arrangeInBackground(snapshot) { return false }
    arrangement.arrange(&snapshot, using: catalogue)
    guard let rest = arrangement.takeRemaining() else { return true }
    let isStarted = arrangementThread?.start { [snapshot, catalogue = catalogue.readOnlyCopy] in
      var snapshot = snapshot
      rest.append(to: &snapshot, using: catalogue)
      return ArrangedLibrary(snapshot: snapshot)
    }
    if isStarted != true { rest.append(to: &snapshot, using: catalogue) }
    return true
  }

  /// Starts to arrange the found photographs in the background, if they are too many for a frame.
  ///
  /// - Returns: Whether the arrangement was started. ``applyArranged(_:_:)`` receives the result.
  func arrangeInBackground(_ snapshot: RescanDiff.Snapshot) -> Bool {
    guard arrangement.exceedsFrameBudget, let arrangementThread, arrangementThread.isIdle else { return false }
    var rest = arrangement
    let next = rest.detachReadyItems()
    let isStarted = arrangementThread.start { [catalogue = catalogue.readOnlyCopy] in
      var (arrangement, snapshot) = (next, snapshot)
      arrangement.arrange(&snapshot, using: catalogue)
      return ArrangedLibrary(snapshot: snapshot, arrangement: arrangement)
    }
    guard isStarted else { return false }
    arrangement = rest
    changedDuringArrangement = []
    return true
  }

  /// Updates the positions of some photographs that changed during an arrangement in the background.
  func applyPendingUpdates() {
    guard changedDuringArrangement == nil, !pendingUpdates.isEmpty else { return }
    let batch = pendingUpdates.prefix(LibraryModel.maximumUpdatedPerFrame)
    pendingUpdates = pendingUpdates.dropFirst(batch.count)
    arrangement.updatePhotos(Array(batch), using: catalogue)
    if pendingUpdates.isEmpty { pendingUpdates = [] }
  }

  /// Applies the result of an arrangement in the background.
  func applyArranged(_ arranged: ArrangedLibrary, _ changes: inout Changes) {
    // The result may belong to a library that is no longer shown.
    if let arrangement = arranged.arrangement {
      guard let changed = changedDuringArrangement else { return }
      changedDuringArrangement = nil
      adoptArrangement(arrangement)
      pendingUpdates += changed
      changes.isSorted = arranged.isSorted
    }
    changes.arrangedSnapshot = arranged.snapshot
    changes.hasEvents = true
  }

  private func adoptArrangement(_ next: LibraryArrangement) {
    let last = arrangement
    arrangement = next
    arrangement.adoptPendingItems(from: last, using: catalogue)
    if requestedSorting == next.sorting { requestedSorting = nil }
  }
}
