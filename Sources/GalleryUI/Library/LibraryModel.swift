import DiffableData
import Geometry
import ImagePipeline
public import ImageStore
public import PhotoLibrary

/// The photographs of the gallery and the data about each of them.
///
/// The model consumes the events of a feed and returns the resulting changes by identifier.
public final class LibraryModel {
  /// The changes that a batch of events made.
  struct Changes {
    /// The new photographs of the first scan, in its order.
    var added: [PhotoID] = []
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
  public private(set) var catalogue: any PhotoRecords
  /// The folders that could not be read, in the order of the scan.
  public private(set) var problems: [ScanProblem] = []
  /// The number of photographs that exist.
  public private(set) var count = 0
  /// The aspect ratios of the photographs.
  private(set) var aspectRatios = PhotoAspectRatios()

  /// The tiny previews.
  let previews: PhotoPreviewCache
  private(set) var feed: any LibraryFeed
  /// Photographs that cannot be shown because of their files.
  private(set) var failedItems: Set<PhotoID> = []

  /// The photograph that the user asked to open, once it has been found.
  private(set) var itemToReveal: PhotoID?
  private var pathToReveal: PhotoPath?
  /// The arrangement of the photographs.
  var arrangement: LibraryArrangement
  /// The requested order, until it is applied.
  var requestedSorting: GallerySorting?
  /// The photographs that changed during an arrangement in the background, or nil if there is none.
  var changedDuringArrangement: [PhotoID]?
  /// The photographs that changed during an arrangement in the background, and whose positions have not been updated.
  var pendingUpdates: ArraySlice<PhotoID> = []
  let arrangementThread: ArrangementThread?
  private let datesByFile: Bool
  /// The current rescan, or nil during the first scan.
  private(set) var rescan: Rescan?
  private var isRescanRequested = false
  /// The folders that the current rescan could not read.
  private var newProblems: [ScanProblem] = []

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
  public init(
    feed: any LibraryFeed, grouping: GalleryGrouping = .none, sorting: GallerySorting? = nil, datesByFile: Bool = true,
    pathToReveal: PhotoPath? = nil, archive: PreviewArchive? = nil, arrangementThread: ArrangementThread? = nil
  ) {
    self.feed = feed
    previews = PhotoPreviewCache(archive: archive)
    catalogue = feed.makeRecords(datesByFile: datesByFile)
    self.arrangementThread = arrangementThread
    self.datesByFile = datesByFile
    // Computed photographs arrive in their own order, and are sorted when all are present.
    arrangement = LibraryArrangement(grouping, by: catalogue.isComputed ? nil : sorting)
    requestedSorting = sorting == arrangement.sorting ? nil : sorting
    self.pathToReveal = pathToReveal
  }

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
    self.pathToReveal = pathToReveal
    catalogue = feed.makeRecords(datesByFile: datesByFile)
    arrangement = LibraryArrangement(arrangement.grouping, by: requestedSorting ?? arrangement.sorting)
    (requestedSorting, changedDuringArrangement, rescan, itemToReveal) = (nil, nil, nil, nil)
    pendingUpdates = []
    (problems, newProblems, failedItems, count) = ([], [], [], 0)
    aspectRatios = PhotoAspectRatios()
    isRescanRequested = false
  }

  /// Ends the feed.
  ///
  /// This must be the last call.
  public func end() { feed.end() }

  // MARK: Events

  /// Whether events are pending.
  var hasPendingEvents: Bool {
    feed.hasPendingEvents || arrangementThread?.hasResult == true || previews.hasLoadedArchive
      || !pendingUpdates.isEmpty
  }

  /// Whether all photographs are known.
  public var isComplete: Bool { feed.isComplete }

  /// Requests a rescan, which starts when the current scan is complete.
  func requestRescan() { isRescanRequested = true }

  /// Starts a rescan if one was requested and no scan is running.
  ///
  /// - Parameter shown: Returns the photographs in the grid.
  /// - Returns: Whether the title bar must be updated.
  func rescanIfRequested(from shown: () -> RescanDiff.Snapshot) -> Bool {
    guard isRescanRequested, feed.isComplete, changedDuringArrangement == nil else { return false }
    isRescanRequested = false
    guard feed.rescan() else { return true }
    catalogue.beginScan()
    newProblems = []
    rescan = Rescan(of: shown(), keepsListedOrder: arrangement.keepsListedOrder)
    return true
  }

  /// Takes the feed's next events and returns the changes.
  ///
  /// During a rescan, changes of known photographs are reported immediately; added and removed ones at its end.
  func takeChanges() -> Changes {
    var changes = Changes()
    // First, because a found photograph may have a preview.
    changes.hasPreviews = previews.takeLoadedArchive()
    for event in feed.takePendingEvents() {
      changes.hasEvents = true
      let change = catalogue.apply(event)
      changes.changed += change.changed
      changes.replaced += change.replaced
      if rescan == nil {
        changes.added += change.added
        arrangement.addPhotos(change.added, using: catalogue)
      }
      for item in change.listed { rescan?.addListed(item) }
      if changedDuringArrangement == nil, pendingUpdates.isEmpty {
        arrangement.updatePhotos(change.changed, using: catalogue)
      } else if changedDuringArrangement == nil {
        pendingUpdates += change.changed
      } else {
        changedDuringArrangement? += change.changed
      }
      for item in change.added + change.changed where aspectRatios.recordSize(item, size(of: item)) {
        changes.reshaped.append(item)
      }
      switch event {
      case .listed(let end):
        arrangement.addListed(upTo: end)
        count = end
        aspectRatios.setSource(catalogue)
      case .problem(let problem) where rescan == nil: problems.append(problem)
      case .problem(let problem): newProblems.append(problem)
      case .finished(let summary):
        arrangement.finishScan()
        changes.rescanOutcome = finishRescan(summary)
      default: break
      }
    }
    if changes.changed.count > 1 {
      // A replaced file is reported twice: when it is found and when it is read.
      var seen: Set<PhotoID> = []
      changes.changed.removeAll { !seen.insert($0).inserted }
    }
    count += changes.added.count
    if let arranged = arrangementThread?.takeResult() { applyArranged(arranged, &changes) }
    applyPendingUpdates()
    // Changes of positions wait for the end of a rescan, and for the end of a sort in the background.
    changes.isArranged = rescan == nil && changedDuringArrangement == nil && arrangement.hasChanges
    if itemToReveal == nil, let pathToReveal, let item = catalogue.id(at: pathToReveal) {
      itemToReveal = item
      changes.itemToReveal = item
    }
    for item in changes.changed + changes.added + (changes.rescanOutcome?.arrived ?? []) {
      if catalogue.failure(of: item) == nil { failedItems.remove(item) } else { failedItems.insert(item) }
    }
    return changes
  }

  /// Returns the changes of a finished rescan.
  ///
  /// A cancelled rescan changes nothing.
  private func finishRescan(_ summary: ScanSummary) -> RescanDiff.Outcome? {
    guard let rescan else { return nil }
    self.rescan = nil
    guard !summary.wasCancelled else { return nil }
    problems = newProblems
    let outcome = rescan.outcome(in: &arrangement, using: catalogue) { item in
      // Unreadable photographs are offline, not deleted.
      guard !problems.isEmpty, let folder = catalogue.folder(of: item) else { return false }
      return problems.contains { folder.isWithin($0.folder) }
    }
    guard let outcome else { return nil }
    count = outcome.snapshot.numberOfItems
    failedItems.subtract(outcome.removed)
    return outcome
  }

  // MARK: Status texts

  var title: String { feed.title }
  var progress: Double? { feed.progress }

  /// The current activity, or the number of problems.
  var status: String {
    if let activity = feed.activity {
      let waiting = arrangement.waitingCount
      return waiting == 0 ? activity : "\(activity) \(CountFormat.number(waiting)) to be dated"
    }
    return problems.isEmpty ? "" : CountFormat.quantity(problems.count, "folder") + " could not be read"
  }

  var emptyTexts: (headline: String, hint: String) {
    if let problem = problems.first {
      return ("The folder cannot be read", problem.description)
    }
    return feed.emptyTexts
  }
}

// MARK: - Aspect ratios

/// The aspect ratios, width divided by height, of the photographs after orientation.
nonisolated struct PhotoAspectRatios: Sendable {
  /// The most common aspect ratio, used for photographs of unknown size.
  static let defaultAspectRatio: Float = 1.5

  private var recordedRatios = PhotoColumn<Float>(unset: PhotoAspectRatios.defaultAspectRatio)
  /// The records that compute aspect ratios, or nil if they are recorded.
  private var computingRecords: (any PhotoRecords)?

  /// Returns the aspect ratio of a photograph.
  subscript(item: PhotoID) -> Float {
    computingRecords.map { PhotoAspectRatios.aspectRatio(of: $0.size(of: item)) } ?? recordedRatios[item]
  }

  /// Records the size of a photograph, if it is known.
  ///
  /// - Returns: Whether the aspect ratio changed.
  mutating func recordSize(_ item: PhotoID, _ size: PixelSize?) -> Bool {
    let shape = PhotoAspectRatios.aspectRatio(of: size)
    guard shape != recordedRatios[item] else { return false }
    recordedRatios[item] = shape
    return true
  }

  /// Computes aspect ratios from the given records from now on.
  mutating func setSource(_ records: any PhotoRecords) { computingRecords = records }

  private static func aspectRatio(of size: PixelSize?) -> Float {
    size.map { Float($0.width) / Float($0.height) } ?? defaultAspectRatio
  }
}
