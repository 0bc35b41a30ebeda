import VitrineDiffableData
package import VitrineFileReading
import VitrineGeometry
import VitrineImagePipeline
package import VitrineImageStore
package import VitrinePhotoLibrary

/// The photographs of the gallery and the data about each of them.
///
/// The model consumes the events of a feed and returns the resulting changes by identifier. It owns the feed, the records
/// of the photographs, their tiny previews and aspect ratios. ``ArrangementController`` owns their order, ``RescanState``
/// the rescan and the problems, and ``PhotoDescriptions`` reads what is shown of a photograph.
///
/// Invariants:
/// - An event is applied to the records first, then to the arrangement and the rescan.
/// - During a rescan no photograph is added, removed, moved or sorted. That happens at its end.
/// - No rescan starts while a result from the background is expected that replaces the arrangement.
/// - A feed reports no update while it scans. Photographs that an update adds or removes are inserted and removed as it
///   goes on.
package final class LibraryModel {
  /// The changes that a batch of events made.
  struct Changes {
    /// The new photographs of the first scan or an update, in its order.
    var added: [PhotoID] = []
    /// The photographs that an update found missing.
    var removed: [PhotoID] = []
    /// Whether there were events of an update, whose changes are animated.
    var isUpdate = false
    /// Whether photographs must be inserted into the grid or moved.
    var isArranged = false
    /// A snapshot that was arranged in the background.
    var arrangedSnapshot: LibraryArrangement.Snapshot?
    /// Whether that snapshot contains all photographs in another order.
    var isSorted = false
    /// The changes of a rescan, at its end.
    var rescanOutcome: RescanDiff.Outcome?
    /// Photographs whose data has changed.
    var changed: [PhotoID] = []
    /// The changed photographs whose file is different now.
    var replaced: [PhotoID] = []
    /// Photographs whose aspect ratio has become known or has changed.
    var reshaped: [PhotoID] = []
    /// Whether the previews of earlier runs have been loaded.
    var hasPreviews = false
    /// Whether there were any events, including progress.
    var hasEvents = false
    /// The photograph that the user asked to open, if it is new.
    var itemToReveal: PhotoID?

    /// Merges the changes of the next batch into this one.
    mutating func merge(_ next: Changes) {
      added += next.added
      removed += next.removed
      isUpdate = isUpdate || next.isUpdate
      rescanOutcome = next.rescanOutcome ?? rescanOutcome
      arrangedSnapshot = next.arrangedSnapshot ?? arrangedSnapshot
      isSorted = isSorted || next.isSorted
      changed += next.changed
      replaced += next.replaced
      reshaped += next.reshaped
      isArranged = isArranged || next.isArranged
      hasPreviews = hasPreviews || next.hasPreviews
      hasEvents = hasEvents || next.hasEvents
      itemToReveal = itemToReveal ?? next.itemToReveal
    }
  }

  /// The records of all photographs.
  package private(set) var catalogue: any PhotoRecords
  /// The number of photographs that exist.
  package private(set) var count = 0
  /// The aspect ratios of the photographs.
  private(set) var aspectRatios = PhotoAspectRatios()

  /// The tiny previews.
  let previews: PhotoPreviewCache
  private var feed: any LibraryFeed
  /// Photographs that cannot be shown because of their files.
  private(set) var failedItems: Set<PhotoID> = []
  /// Whether a scan or an update has ended in the current call of ``takeChanges()``.
  private var hasFinishedReading = false

  /// The photograph that the user asked to open, unless it has been listed in its folder.
  private(set) var unlistedItem: PhotoID?
  /// Whether that photograph is among the restored ones, until they are compared with the files.
  private var isUnlistedItemRestored = false
  /// The photograph that the user asked to open, once it has been found.
  private var itemToReveal: PhotoID?
  private var pathToReveal: PhotoPath?
  private let arrangementController: ArrangementController
  /// The thread for work that takes longer than a frame, or nil if all is done in the frame.
  let arrangementThread: ArrangementThread?
  /// The reader of single files.
  let reader: FileReader
  private var rescanState = RescanState()
  /// Whether the events belong to an update.
  private var isUpdating = false
  /// Whether photographs of the catalogue were removed from the library.
  private var isRemoved = PhotoColumn<Bool>(unset: false)
  /// The rows of restored photographs that have not been added.
  private var restoredRows = 0..<0
  private let datesByFile: Bool
  /// The titles of the library's folders.
  private(set) var folderTitles: FolderTitles
  /// The photographs whose names are repeated in other folders.
  var repeatedNames = RepeatedNames()

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - grouping: How photographs are grouped into sections.
  ///   - sorting: The order within a section. Default: by date for months, otherwise by name.
  ///   - datesByFile: Whether the modification date of a file is used as its capture date if the file has none. Pass
  ///     false for runs that must be equal for equal names and contents. Default: true.
  ///   - pathToReveal: The photograph to scroll to once it is found.
  ///   - archive: The archive that stores previews between runs.
  ///   - arrangementThread: The thread for arrangements that take longer than a frame. If nil, they are done in the
  ///     frame.
  ///   - reader: The reader of single files. Default: one of its own.
  package init(
    feed: any LibraryFeed, grouping: GalleryGrouping = .none, sorting: GallerySorting? = nil, datesByFile: Bool = true,
    pathToReveal: PhotoPath? = nil, archive: PreviewArchive? = nil, arrangementThread: ArrangementThread? = nil,
    reader: FileReader = FileReader()
  ) {
    self.feed = feed
    folderTitles = FolderTitles(roots: feed.roots)
    previews = PhotoPreviewCache(archive: archive)
    catalogue = feed.makeRecords(datesByFile: datesByFile)
    self.datesByFile = datesByFile
    arrangementController = ArrangementController(
      grouping, by: sorting, isComputed: catalogue.isComputed, listingOrder: ListingOrder(roots: feed.roots),
      thread: arrangementThread)
    self.pathToReveal = pathToReveal
    self.arrangementThread = arrangementThread
    self.reader = reader
    unlistedItem = pathToReveal.flatMap { catalogue.id(at: $0) }
  }

  /// Returns whether a photograph can be viewed although its folder has not been listed.
  func isUnlisted(_ item: PhotoID) -> Bool { item == unlistedItem }

  /// The roots of the library; empty if it has no folders.
  var roots: [PhotoPath] { feed.roots }

  /// Replaces the library by another one, in the same order.
  ///
  /// All data about the last one is discarded.
  ///
  /// - Parameters:
  ///   - feed: The new feed.
  ///   - pathToReveal: The photograph to scroll to once it is found.
  func open(_ feed: any LibraryFeed, pathToReveal: PhotoPath?) {
    self.feed.end()
    self.feed = feed
    folderTitles = FolderTitles(roots: feed.roots)
    self.pathToReveal = pathToReveal
    catalogue = feed.makeRecords(datesByFile: datesByFile)
    arrangementController.libraryDidOpen(
      isComputed: catalogue.isComputed, listingOrder: ListingOrder(roots: feed.roots))
    rescanState = RescanState()
    repeatedNames = RepeatedNames()
    (isUpdating, isRemoved, restoredRows) = (false, PhotoColumn(unset: false), 0..<0)
    (itemToReveal, failedItems, count) = (nil, [], 0)
    (unlistedItem, isUnlistedItemRestored) = (pathToReveal.flatMap { catalogue.id(at: $0) }, false)
    aspectRatios = PhotoAspectRatios()
  }

  /// Ends the feed.
  ///
  /// This must be the last call.
  package func end() { feed.end() }

  // MARK: Events

  /// Whether events are pending.
  var hasPendingEvents: Bool {
    feed.hasPendingEvents || arrangementController.hasPendingWork || previews.hasLoadedArchive || isRestoring
      || unlistedItem != nil && itemToReveal == nil
  }

  /// Whether all photographs are known.
  package var isComplete: Bool { feed.isComplete }

  /// Takes the feed's next events and returns the changes.
  ///
  /// During a rescan, changes of known photographs are reported immediately; added and removed ones at its end.
  func takeChanges() -> Changes {
    var changes = Changes()
    // First, because a found photograph may have a preview.
    changes.hasPreviews = previews.takeLoadedArchive()
    takeRestored(&changes)
    // What was restored is complete before anything else is applied to it.
    if isRestoring { return finish(changes) }
    for event in feed.takePendingEvents() { apply(event, &changes) }
    if changes.changed.count > 1 {
      // A replaced file is reported twice: when it is found and when it is read.
      var seen: Set<PhotoID> = []
      changes.changed.removeAll { !seen.insert($0).inserted }
    }
    return finish(changes)
  }

  /// Returns changes with what follows from them.
  private func finish(_ changes: Changes) -> Changes {
    var changes = changes
    count += changes.added.count - changes.removed.count
    if arrangementController.hasPendingWork, let arranged = arrangementController.advance(using: catalogue) {
      changes.arrangedSnapshot = arranged.snapshot
      changes.isSorted = arranged.isSorted
      changes.hasEvents = true
    }
    changes.isArranged = !rescanState.isRunning && arrangementController.hasChanges
    if itemToReveal == nil, let pathToReveal, let item = catalogue.id(at: pathToReveal) {
      itemToReveal = item
      changes.itemToReveal = item
    }
    for item in changes.changed + changes.added + (changes.rescanOutcome?.arrived ?? []) {
      if catalogue.failure(of: item) != nil {
        failedItems.insert(item)
      } else if !failedItems.isEmpty {
        failedItems.remove(item)
      }
    }
    failedItems.subtract(changes.removed)
    if hasFinishedReading { retryUnreadablePhotos() }
    if feed.needsRescan, !isRestoring { rescanState.request() }
    return changes
  }

  /// Lets the feed read the folders of photographs again whose files could not be read, or were not there.
  private func retryUnreadablePhotos() {
    hasFinishedReading = false
    var folders: Set<PhotoPath> = []
    for item in failedItems {
      guard let failure = catalogue.failure(of: item), failure == .unreadable || failure == .missing,
        let folder = catalogue.folder(of: item)
      else { continue }
      folders.insert(folder)
    }
    if !folders.isEmpty { feed.retry(folders) }
  }

  // MARK: Restoring

  /// The maximum number of restored photographs that are added per call: some milliseconds of work.
  private static let restoredBatchSize = 4_000

  /// Whether restored photographs have not been added yet.
  private var isRestoring: Bool { !restoredRows.isEmpty }

  /// Adds the next photographs that are known from an earlier run.
  private func takeRestored(_ changes: inout Changes) {
    if let records = feed.takeRestoredRecords() {
      catalogue = records
      restoredRows = restoredRows.lowerBound..<records.count
    }
    guard isRestoring else { return }
    changes.hasEvents = true
    let rows = restoredRows.prefix(LibraryModel.restoredBatchSize)
    let items = withUnlistedItem(rows.map { PhotoID(rawValue: UInt32($0) + 1) })
    restoredRows = rows.upperBound..<restoredRows.upperBound
    let descriptions = descriptions
    // The layout queries the aspect ratios of new photographs anyway.
    for item in items { _ = aspectRatios.recordSize(item, descriptions.size(of: item)) }
    changes.added += items
    arrangementController.addPhotos(items, using: catalogue)
    if !isRestoring, feed.isComplete { arrangementController.finishScan() }
  }

  /// Returns restored photographs with the one that the user asked to open at its place.
  private func withUnlistedItem(_ items: [PhotoID]) -> [PhotoID] {
    guard let unlistedItem, !isUnlistedItemRestored, let folder = catalogue.folder(of: unlistedItem),
      let name = catalogue.name(of: unlistedItem)
    else { return items }
    var others = items.filter { $0 != unlistedItem }
    guard
      let first = others.firstIndex(where: { item in
        catalogue.folder(of: item) == folder
          && catalogue.name(of: item).map { NaturalOrder.precedes(name, $0) } ?? false
      }) ?? others.lastIndex(where: { catalogue.folder(of: $0) == folder }).map({ $0 + 1 }),
      // The folder may go on in the next batch.
      first < others.count || restoredRows.upperBound <= (items.last.map { Int($0.rawValue) } ?? 0)
    else { return others }
    others.insert(unlistedItem, at: first)
    isUnlistedItemRestored = true
    return others
  }

  /// Returns the photographs that an event of the first scan adds, in its order.
  private func added(by change: CatalogueChange) -> [PhotoID] {
    guard let unlistedItem, change.listed.contains(unlistedItem) else { return change.added }
    self.unlistedItem = nil
    _ = aspectRatios.recordSize(unlistedItem, descriptions.size(of: unlistedItem))
    let added = Set(change.added)
    return change.listed.filter { $0 == unlistedItem || added.contains($0) }
  }

  /// Applies an event of the feed.
  private func apply(_ event: LibraryEvent, _ changes: inout Changes) {
    changes.hasEvents = true
    changes.isUpdate = changes.isUpdate || isUpdating
    // Before the list is compared with what is offline.
    if case .relisted(let listing) = event { rescanState.resolveProblems(with: listing.folder) }
    let change = catalogue.apply(event)
    changes.changed += change.changed
    changes.replaced += change.replaced
    if rescanState.isRunning {
      rescanState.addListed(change.listed)
    } else if isUpdating {
      applyUpdate(change, &changes)
    } else {
      let added = added(by: change)
      changes.added += added
      arrangementController.addPhotos(added, using: catalogue)
    }
    arrangementController.updatePhotos(change.changed, using: catalogue)
    let descriptions = descriptions
    for item in change.added + change.changed where aspectRatios.recordSize(item, descriptions.size(of: item)) {
      changes.reshaped.append(item)
    }
    switch event {
    case .listed(let end):
      arrangementController.addListed(upTo: end)
      count = end
      aspectRatios.setSource(catalogue)
    case .problem(let problem): rescanState.addProblem(problem)
    case .unread(let list): rescanState.addUnreadList(list)
    case .updating:
      isUpdating = true
      arrangementController.beginUpdate()
    case .finished(let summary):
      hasFinishedReading = !summary.wasCancelled
      arrangementController.finishScan()
      // A hidden file, a link, or one that has been deleted. If it appears, an update adds it.
      if let unlistedItem, !isUnlistedItemRestored { isRemoved[unlistedItem] = true }
      if isUpdating {
        isUpdating = false
        return
      }
      if let rescan = rescanState.finish(summary) { changes.rescanOutcome = apply(rescan) }
    default: break
    }
  }

  /// Adds and removes the photographs that an update found and missed.
  private func applyUpdate(_ change: CatalogueChange, _ changes: inout Changes) {
    var (came, went): ([PhotoID], [PhotoID]) = ([], [])
    for item in change.added { isRemoved[item] = true }
    // One by one, because a file and a link to it are the same photograph.
    for item in change.listed where isRemoved[item] {
      if item == unlistedItem { unlistedItem = nil }
      isRemoved[item] = false
      came.append(item)
    }
    for item in change.unlisted where !isRemoved[item] && !rescanState.isOffline(item, using: catalogue) {
      isRemoved[item] = true
      went.append(item)
    }
    changes.added += came
    changes.removed += went
    arrangementController.addPhotos(came, using: catalogue)
    if !went.isEmpty { arrangementController.removePhotos(went) }
  }

  // MARK: Rescans

  /// The folders that could not be read, in the order of the scan.
  package var problems: [ScanProblem] { rescanState.problems }

  /// Returns whether the folder of a photograph is out of reach: it, or one that contains it, could not be read.
  func isOffline(_ item: PhotoID) -> Bool { rescanState.isOffline(item, using: catalogue) }

  /// Whether pictures stay because their list could not be read to its end.
  var keepsUnlisted: Bool { rescanState.keepsUnlisted }

  /// Returns whether photographs of a folder, or of those within, are known.
  ///
  /// - Complexity: O(*n*) in the number of folders.
  func hasPhotos(within folder: PhotoPath) -> Bool {
    catalogue.containsPhoto(within: folder) { !isRemoved[$0] }
  }

  /// Requests a rescan, which starts when the current scan is complete.
  func requestRescan() { rescanState.request() }

  /// Starts a rescan if one was requested and no scan is running.
  ///
  /// - Parameter all: Returns the arranged photographs.
  /// - Returns: Whether the title bar must be updated.
  func rescanIfRequested(from all: () -> RescanDiff.Snapshot) -> Bool {
    guard
      rescanState.takeRequest(if: feed.isComplete && !isRestoring && !arrangementController.isReplacing)
    else { return false }
    guard feed.rescan() else { return true }
    // The rest of an update is dropped, because all folders are listed again.
    isUpdating = false
    catalogue.beginScan()
    rescanState.start(from: all(), keepsListedOrder: arrangementController.keepsListedOrder)
    return true
  }

  /// Returns the changes of a finished rescan.
  private func apply(_ rescan: Rescan) -> RescanDiff.Outcome? {
    let outcome = arrangementController.outcome(of: rescan, using: catalogue) { item in
      rescanState.staysUnlisted(item, using: catalogue)
    }
    guard let outcome else { return nil }
    count = outcome.snapshot.numberOfItems
    failedItems.subtract(outcome.removed)
    for item in outcome.removed { isRemoved[item] = true }
    for item in outcome.arrived {
      if item == unlistedItem { unlistedItem = nil }
      isRemoved[item] = false
    }
    if isUnlistedItemRestored, let item = unlistedItem, !isRemoved[item] { unlistedItem = nil }
    isUnlistedItemRestored = false
    return outcome
  }

  // MARK: Order

  /// How photographs are grouped into sections, and their current order.
  var arrangement: LibraryOrder { arrangementController.currentOrder }

  /// The current order, or the requested one if it is not yet applied.
  package var sorting: GallerySorting { arrangementController.order.sorting }

  /// How photographs are grouped into sections, or will be if that is requested and not yet applied.
  package var grouping: GalleryGrouping { arrangementController.order.grouping }

  /// Whether photographs are being sorted.
  var isSorting: Bool { arrangementController.isSorting }

  /// Requests another order, which is applied when no other arrangement is in progress.
  func requestSorting(by sorting: GallerySorting) { arrangementController.requestSorting(by: sorting) }

  /// Requests other sections, which are made when no other arrangement is in progress.
  func requestGrouping(by grouping: GalleryGrouping) { arrangementController.requestGrouping(by: grouping) }

  /// Sorts and groups the photographs if that was requested and no rescan or other arrangement is in progress.
  ///
  /// - Parameter all: Returns the arranged photographs.
  /// - Returns: The new snapshot, or nil if there is nothing to do yet or ``Changes/arrangedSnapshot`` will contain it.
  func sortIfRequested(from all: () -> RescanDiff.Snapshot) -> RescanDiff.Snapshot? {
    guard arrangementController.isSortRequested, !rescanState.isRunning else { return nil }
    return arrangementController.sortIfRequested(using: catalogue, from: all)
  }

  /// Inserts and moves the photographs that were found or changed since the last call.
  ///
  /// What takes longer than a frame is done in the background; ``Changes/arrangedSnapshot`` will contain the result.
  ///
  /// - Returns: Whether the snapshot changed.
  func arrangeSnapshot(_ snapshot: inout RescanDiff.Snapshot) -> Bool {
    arrangementController.arrangeSnapshot(&snapshot, using: catalogue)
  }

  // MARK: Photographs

  /// The texts, locations and pixel sources of the photographs, for a few reads.
  var descriptions: PhotoDescriptions { PhotoDescriptions(catalogue, previews: previews) }

  /// Returns the name of a photograph for display.
  func caption(of item: PhotoID) -> String { descriptions.caption(of: item) }

  /// Returns the title of the folder that a photograph's caption names in addition, or nil if the name suffices: if it is
  /// unique, or if sections are folders.
  func captionFolder(of item: PhotoID) -> String? {
    guard arrangement.grouping != .folder, repeatedNames.contains(item) else { return nil }
    return catalogue.folder(of: item).map(folderTitles.title)
  }

  /// Returns the name of a photograph for display, followed by the folder if the name is repeated.
  func fullCaption(of item: PhotoID) -> String {
    PictureCell.caption(name: caption(of: item), folder: captionFolder(of: item))
  }

  /// Returns the data of a photograph that the image pipeline needs, or nil if the photograph cannot be shown.
  func reference(to item: PhotoID) -> PhotoReference? { descriptions.reference(to: item) }

  /// Returns a short reason why a picture could not be loaded.
  func failureText(for failure: ImageFailure, of item: PhotoID) -> String {
    if case .cannotOpen(let code) = failure, !FileError(.open, code: code).isPermissionDenied, isOffline(item) {
      return "out of reach"
    }
    return descriptions.failureText(for: failure, of: item)
  }

  /// Returns the recorded or computed tiny preview of a photograph, or nil if there is none.
  func tinyPreview(of item: PhotoID) -> TinyPreview? { descriptions.tinyPreview(of: item) }

  /// Returns the location of a photograph, or nil if it has no file.
  func location(of item: PhotoID) -> PictureLocation? { descriptions.location(of: item) }

  /// Returns the size of a photograph's file in bytes, or 0 if it has no file.
  func byteCount(of item: PhotoID) -> Int64 { descriptions.byteCount(of: item) }

  /// The memory used per photograph, including previews, in bytes, or nil if there are no photographs.
  package var bytesPerItem: Int? {
    catalogue.count > 0 ? catalogue.bytesPerItem + previews.memoryBytes / catalogue.count : nil
  }

  /// Writes new previews to the archive, if there is one.
  ///
  /// Call it once more before the program quits.
  package func writePreviews() { previews.writePreviews() }

  // MARK: Status texts

  /// Whether changes in some folders are found late.
  var hasReachedWatchLimit: Bool { feed.isComplete && feed.hasReachedWatchLimit }

  /// Whether the whole file system is being read.
  var isReadingWholeFileSystem: Bool { !feed.isComplete && feed.readsWholeFileSystem }

  /// Stops the reading of the library, which then contains what was found.
  func stopReading() { feed.stopReading() }

  var title: String { feed.title }
  var progress: Double? { feed.progress }

  /// What could not be read besides folders, as a sentence without a full stop, or nil.
  var feedProblem: String? { feed.problem }

  /// The current activity, or the number of problems.
  var status: String {
    if let activity = feed.activity {
      let waiting = arrangementController.waitingCount
      return waiting == 0 ? activity : "\(activity) \(CountFormat.number(waiting)) to be dated"
    }
    let unread = problems.count { !$0.isLeftOut }
    if unread > 0 { return CountFormat.quantity(unread, "folder") + " could not be read" }
    return problems.isEmpty ? "" : CountFormat.quantity(problems.count, "folder") + " left out"
  }

  var emptyTexts: (headline: String, hint: String) {
    if let problem = problems.first(where: { !$0.isLeftOut }) { return ("The folder cannot be read", "\(problem).") }
    if let problem = problems.first { return (feed.emptyTexts.headline, "\(problem).") }
    return feed.emptyTexts
  }
}
