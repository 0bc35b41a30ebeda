import VitrineDiffableData
import VitrinePhotoLibrary

/// The owner of the library's arrangement: the current and the requested order, the arrangement in the background, and
/// the photographs whose positions must be updated.
///
/// It stores no snapshot. Clients pass the shown one, and show those that the methods return.
///
/// Invariants:
/// - At most one arrangement is in progress in the background. Its result is taken before the next one starts.
/// - While a result is expected that replaces the current arrangement, no photograph is inserted or moved. Those that
///   are found meanwhile are inserted afterwards, and those that change have their positions updated afterwards, some
///   per frame.
/// - A requested order stays requested until it is the current one. Another request replaces it.
/// - A result that belongs to a library that is no longer shown is discarded.
/// - Without a thread, or if the system cannot create one, everything is arranged in the frame, with the same result.
final class ArrangementController {
  typealias Snapshot = LibraryArrangement.Snapshot

  /// The arrangement in progress in the background.
  private enum BackgroundTask {
    /// Pictures of an album are appended to a snapshot. The current arrangement stays.
    case appending
    /// The result will replace the current arrangement.
    case replacing
    /// The result belongs to a library that is no longer shown.
    case discarded
  }

  /// The maximum number of changed photographs whose positions are checked in a frame.
  static let maximumUpdatedPerFrame = 4_000

  private var arrangement: LibraryArrangement
  /// The requested order, until it is applied.
  private var requestedOrder: LibraryOrder?
  /// The order within sections that was chosen, or nil for the one that suits the grouping.
  private var chosenSorting: GallerySorting?
  private var backgroundTask: BackgroundTask?
  /// Changed photographs whose positions have not been updated.
  private var pendingUpdates: ArraySlice<PhotoID> = []
  /// Photographs that are no longer in the library, and have not been removed from the snapshot.
  private var removedItems: Set<PhotoID> = []
  private let thread: ArrangementThread?

  /// Creates the controller of an empty library.
  ///
  /// - Parameters:
  ///   - grouping: How photographs are grouped into sections.
  ///   - sorting: The order within a section. Default: by date for months, otherwise by name.
  ///   - isComputed: Whether the photographs are computed. They arrive in an order of their own, and are sorted when all
  ///     of them are listed.
  ///   - listingOrder: The order of folders.
  ///   - thread: The thread for arrangements that take longer than a frame. If nil, they are done in the frame.
  init(
    _ grouping: GalleryGrouping, by sorting: GallerySorting? = nil, isComputed: Bool,
    listingOrder: ListingOrder = ListingOrder(), thread: ArrangementThread?
  ) {
    chosenSorting = sorting
    let order = LibraryOrder(grouping, by: sorting)
    arrangement = LibraryArrangement(grouping, by: isComputed ? nil : sorting, listingOrder: listingOrder)
    requestedOrder = order == arrangement.order ? nil : order
    self.thread = thread
  }

  /// Starts with another library, in the same order.
  ///
  /// - Parameters:
  ///   - isComputed: Whether its photographs are computed.
  ///   - listingOrder: The order of its folders.
  func libraryDidOpen(isComputed: Bool, listingOrder: ListingOrder = ListingOrder()) {
    let order = order
    arrangement = LibraryArrangement(order.grouping, by: isComputed ? nil : order.sorting, listingOrder: listingOrder)
    requestedOrder = order == arrangement.order ? nil : order
    if backgroundTask != nil { backgroundTask = .discarded }
    pendingUpdates = []
    removedItems = []
  }

  // MARK: State

  /// The current order, or the requested one if it is not yet applied.
  var order: LibraryOrder { requestedOrder ?? arrangement.order }

  /// The current order.
  var currentOrder: LibraryOrder { arrangement.order }

  /// Whether photographs are in the order in which the scan lists them.
  var keepsListedOrder: Bool { arrangement.keepsListedOrder }

  /// Whether another order is requested and not yet applied.
  var isSortRequested: Bool { requestedOrder != nil }

  /// Whether photographs are being sorted, or will be.
  var isSorting: Bool { isSortRequested || isReplacing }

  /// Whether the current arrangement will be replaced by a result from the background.
  var isReplacing: Bool { backgroundTask == .replacing }

  /// Whether ``arrangeSnapshot(_:using:)`` has anything to do.
  var hasChanges: Bool { !isReplacing && (arrangement.hasChanges || !removedItems.isEmpty) }

  /// Whether ``advance(using:)`` has anything to do.
  var hasPendingWork: Bool {
    backgroundTask != nil && thread?.hasResult == true || !isReplacing && !pendingUpdates.isEmpty
  }

  /// The number of photographs that are waiting for their header.
  var waitingCount: Int { arrangement.waitingCount }

  // MARK: Photographs

  /// Adds photographs that the scan found, in its order.
  func addPhotos(_ items: [PhotoID], using records: any PhotoRecords) {
    guard !removedItems.isEmpty else { return arrangement.addPhotos(items, using: records) }
    // Those that came back before they were removed are still in the snapshot, or will be.
    var (added, returned): ([PhotoID], [PhotoID]) = ([], [])
    for item in items {
      if removedItems.remove(item) == nil { added.append(item) } else { returned.append(item) }
    }
    arrangement.addPhotos(added, using: records)
    updatePhotos(returned, using: records)
  }

  /// Removes photographs that are no longer in the library, when the snapshot is arranged next.
  func removePhotos(_ items: [PhotoID]) { removedItems.formUnion(items) }

  /// Begins an update after the scan: the headers of photographs that arrive will be read.
  func beginUpdate() { arrangement.beginUpdate() }

  /// Adds all pictures of an album with numbers below the given one.
  func addListed(upTo end: Int) { arrangement.addListed(upTo: end) }

  /// Updates the positions of photographs whose data has changed, or later if other updates are pending.
  func updatePhotos(_ items: [PhotoID], using records: any PhotoRecords) {
    if isReplacing || !pendingUpdates.isEmpty {
      pendingUpdates += items
    } else {
      arrangement.updatePhotos(items, using: records)
    }
  }

  /// Ends the scan: photographs that are waiting for a header are arranged by their file date.
  func finishScan() { arrangement.finishScan() }

  /// Returns the changes of a finished rescan, and arranges its photographs.
  ///
  /// - Parameters:
  ///   - rescan: The rescan. The current arrangement must not have been replaced since its start.
  ///   - records: The records of the photographs.
  ///   - isOffline: Returns whether a photograph that was not listed stays.
  func outcome(
    of rescan: Rescan, using records: any PhotoRecords, isOffline: (PhotoID) -> Bool
  ) -> RescanDiff.Outcome? {
    rescan.outcome(in: &arrangement, using: records, isOffline: isOffline)
  }

  // MARK: Sorting

  /// Requests another order within sections, which ``sortIfRequested(using:from:)`` applies.
  func requestSorting(by sorting: GallerySorting) {
    chosenSorting = sorting
    requestedOrder = LibraryOrder(order.grouping, by: sorting)
  }

  /// Requests other sections, which ``sortIfRequested(using:from:)`` makes.
  ///
  /// The order within sections is the chosen one, or the one that suits the grouping.
  func requestGrouping(by grouping: GalleryGrouping) {
    requestedOrder = LibraryOrder(grouping, by: chosenSorting)
  }

  /// Sorts and groups the photographs if that was requested and no other arrangement is in progress.
  ///
  /// - Parameters:
  ///   - records: The records of the photographs.
  ///   - all: Returns the arranged photographs.
  /// - Returns: The new snapshot, or nil if there is nothing to do yet or ``advance(using:)`` will return it.
  func sortIfRequested(using records: any PhotoRecords, from all: () -> Snapshot) -> Snapshot? {
    guard let order = requestedOrder, backgroundTask == nil, !(records.isComputed && arrangement.hasChanges) else {
      return nil
    }
    guard order != arrangement.order else {
      requestedOrder = nil
      return nil
    }
    let snapshot = all()
    // Computed photographs are not listed yet.
    if records.isComputed, snapshot.numberOfItems < records.count || records.count == 0 { return nil }
    if snapshot.numberOfItems > LibraryArrangement.maximumSortedPerFrame {
      let isStarted = start(.replacing) { [arrangement, records = records.readOnlyCopy] in
        let sorted = arrangement.sorted(by: order, snapshot, using: records)
        return ArrangedLibrary(snapshot: sorted.snapshot, arrangement: sorted.arrangement, isSorted: true)
      }
      if isStarted { return nil }
    }
    let sorted = arrangement.sorted(by: order, snapshot, using: records)
    replaceArrangement(by: sorted.arrangement, using: records)
    return sorted.snapshot
  }

  // MARK: Arranging

  /// Inserts and moves the photographs that were found or changed since the last call.
  ///
  /// What takes longer than a frame is done in the background; ``advance(using:)`` returns the result.
  ///
  /// - Returns: Whether the snapshot changed.
  func arrangeSnapshot(_ snapshot: inout Snapshot, using records: any PhotoRecords) -> Bool {
    guard hasChanges else { return false }
    if !removedItems.isEmpty {
      arrangement.removeItems(removedItems.sorted { $0.rawValue < $1.rawValue }, from: &snapshot)
      removedItems = []
    }
    if arrangeInBackground(snapshot, using: records) { return false }
    arrangement.arrange(&snapshot, using: records)
    guard let rest = arrangement.takeRemaining() else { return true }
    let isStarted = start(.appending) { [snapshot, records = records.readOnlyCopy] in
      var snapshot = snapshot
      rest.append(to: &snapshot, using: records)
      return ArrangedLibrary(snapshot: snapshot)
    }
    if !isStarted { rest.append(to: &snapshot, using: records) }
    return true
  }

  /// Starts to arrange the found photographs in the background, if they are too many for a frame.
  ///
  /// - Returns: Whether the arrangement was started.
  private func arrangeInBackground(_ snapshot: Snapshot, using records: any PhotoRecords) -> Bool {
    guard arrangement.exceedsFrameBudget, backgroundTask == nil else { return false }
    var rest = arrangement
    let next = rest.detachReadyItems()
    let isStarted = start(.replacing) { [records = records.readOnlyCopy] in
      var (arrangement, snapshot) = (next, snapshot)
      arrangement.arrange(&snapshot, using: records)
      return ArrangedLibrary(snapshot: snapshot, arrangement: arrangement)
    }
    if isStarted { arrangement = rest }
    return isStarted
  }

  /// Starts an arrangement in the background.
  ///
  /// - Returns: False if there is no thread, if it is busy, or if the system cannot create one.
  private func start(_ task: BackgroundTask, _ body: @escaping @Sendable () -> ArrangedLibrary) -> Bool {
    guard backgroundTask == nil, thread?.start(body) == true else { return false }
    backgroundTask = task
    return true
  }

  /// Applies the result of an arrangement in the background, and updates the positions of some photographs that
  /// changed meanwhile.
  ///
  /// - Returns: The result, if it must be shown.
  func advance(using records: any PhotoRecords) -> ArrangedLibrary? {
    let arranged = takeResult()
    if let next = arranged?.arrangement { replaceArrangement(by: next, using: records) }
    applyPendingUpdates(using: records)
    return arranged
  }

  /// Takes the result of the arrangement in the background, or nil if there is none for the current library.
  private func takeResult() -> ArrangedLibrary? {
    guard let task = backgroundTask, let arranged = thread?.takeResult() else { return nil }
    backgroundTask = nil
    return task == .discarded ? nil : arranged
  }

  private func applyPendingUpdates(using records: any PhotoRecords) {
    guard !isReplacing, !pendingUpdates.isEmpty else { return }
    let batch = pendingUpdates.prefix(ArrangementController.maximumUpdatedPerFrame)
    pendingUpdates = pendingUpdates.dropFirst(batch.count)
    arrangement.updatePhotos(Array(batch), using: records)
    // An empty slice would keep the memory of all.
    if pendingUpdates.isEmpty { pendingUpdates = [] }
  }

  private func replaceArrangement(by next: LibraryArrangement, using records: any PhotoRecords) {
    let last = arrangement
    arrangement = next
    arrangement.adoptPendingItems(from: last, using: records)
    if requestedOrder == next.order { requestedOrder = nil }
  }
}
