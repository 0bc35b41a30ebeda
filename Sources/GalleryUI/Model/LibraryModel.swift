import DecodingProtocol
import DiffableData
import Geometry
import ImageMetadata
public import ImagePipeline
public import PhotoLibrary
import Rendering

/// The photographs of the gallery and what is known of each.
///
/// A feed's events go in; what changed comes out, by identifier.
public final class LibraryModel {
  /// What a portion of events changed.
  struct Changes {
    /// New photographs of the first scan, in its order.
    var added: [PhotoID] = []
    /// Whether photographs are to be put into the grid, or elsewhere in it.
    var isArranged = false
    /// A snapshot of more photographs than a frame has time for, once it was made.
    var arrangedSnapshot: LibraryArrangement.Snapshot?
    /// Whether that is all photographs in another order.
    var isSorted = false
    /// What another scan changed about which photographs there are, once it is over.
    var rescanOutcome: RescanDiff.Outcome?
    /// Photographs whose facts changed.
    var changed: [PhotoID] = []
    /// Of these the ones whose files are others.
    var replaced: [PhotoID] = []
    /// Photographs whose shape is known now, or is another one.
    var reshaped: [PhotoID] = []
    /// Whether previews of other runs are there now.
    var hasPreviews = false
    /// Whether anything at all came, counts and progress included.
    var hasEvents = false
    /// The photograph that the program was asked to open, if it is among the new ones.
    var wantedItem: PhotoID?

    /// Joins the news of the portion after this one.
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
      wantedItem = wantedItem ?? next.wantedItem
    }
  }

  /// All photographs, by identifier.
  public private(set) var catalogue: any PhotoRecords
  /// Folders that could not be read, in the order of the scan.
  public private(set) var problems: [ScanProblem] = []
  /// Photographs that were found and are there.
  public private(set) var count = 0
  /// The shape of each photograph.
  private(set) var aspectRatios = PhotoAspectRatios()

  /// What is remembered of how photographs look.
  let previews: PhotoPreviewCache
  private(set) var feed: any LibraryFeed
  /// Photographs that cannot be shown, as far as their files tell.
  private(set) var failedItems: Set<PhotoID> = []

  /// The photograph that the program was asked to open, once it was found.
  private(set) var wantedItem: PhotoID?
  private var wantedPath: PhotoPath?
  /// Where photographs stand.
  var arrangement: LibraryArrangement
  /// In which order they are to stand, and do not yet.
  var requestedSorting: GallerySorting?
  /// What changed while they are put into that order, aside; nothing where they are not.
  var changedDuringArrangement: [PhotoID]?
  /// What changed while photographs were placed aside, and was not taken in yet.
  var pendingUpdates: ArraySlice<PhotoID> = []
  let arrangementThread: ArrangementThread?
  private let datesByFile: Bool
  /// What the scan that goes on changes; nothing during the first.
  private(set) var rescan: Rescan?
  private var isRescanRequested = false
  /// Folders that the scan that goes on could not read.
  private var newProblems: [ScanProblem] = []

  /// Makes the model of a feed.
  ///
  /// - Parameters:
  ///   - feed: what fills it.
  ///   - grouping: by what photographs are put into sections.
  ///   - sorting: in which order they stand there; months by time unless told, others by name.
  ///   - datesByFile: whether a photograph without a date of its own has that of its file; a run that is to be equal to
  ///     others of the same names and bytes does without.
  ///   - wantedPath: the photograph to bring into view once it is found.
  ///   - archive: what keeps previews of photographs beyond the run.
  ///   - aside: who arranges what a frame has no time for; where nobody does, it is arranged in the frame.
  public init(
    feed: any LibraryFeed, grouping: GalleryGrouping = .none, sorting: GallerySorting? = nil, datesByFile: Bool = true,
    wantedPath: PhotoPath? = nil, archive: PreviewArchive? = nil, arrangementThread: ArrangementThread? = nil
  ) {
    self.feed = feed
    previews = PhotoPreviewCache(archive: archive)
    catalogue = feed.makeRecords(datesByFile: datesByFile)
    self.arrangementThread = arrangementThread
    self.datesByFile = datesByFile
    // What is computed comes in its own order, and is sorted when it is there.
    arrangement = LibraryArrangement(grouping, by: catalogue.isComputed ? nil : sorting)
    requestedSorting = sorting == arrangement.sorting ? nil : sorting
    self.wantedPath = wantedPath
  }

  /// Shows other photographs from now on, in the same order; nothing of the last ones is known any more.
  ///
  /// - Parameters:
  ///   - feed: what fills the library.
  ///   - wantedPath: the photograph to bring into view once it is found.
  func open(_ feed: any LibraryFeed, wantedPath: PhotoPath?) {
    self.feed.end()
    self.feed = feed
    self.wantedPath = wantedPath
    catalogue = feed.makeRecords(datesByFile: datesByFile)
    arrangement = LibraryArrangement(arrangement.grouping, by: requestedSorting ?? arrangement.sorting)
    (requestedSorting, changedDuringArrangement, rescan, wantedItem) = (nil, nil, nil, nil)
    pendingUpdates = []
    (problems, newProblems, failedItems, count) = ([], [], [], 0)
    aspectRatios = PhotoAspectRatios()
    isRescanRequested = false
  }

  /// Ends what fills the library: the last call.
  public func end() { feed.end() }

  // MARK: Events

  /// Whether events wait to be taken.
  var hasPendingEvents: Bool {
    feed.hasPendingEvents || arrangementThread?.hasResult == true || previews.hasLoadedArchive
      || !pendingUpdates.isEmpty
  }

  /// Whether all photographs are known.
  public var isComplete: Bool { feed.isComplete }

  /// The folders are to be read again, once the scan that goes on is over.
  func requestRescan() { isRescanRequested = true }

  /// Begins another scan where one was asked for and none goes on.
  ///
  /// - Parameter shown: the photographs in the grid.
  /// - Returns: whether the title tells something else now.
  func rescanIfRequested(from shown: () -> RescanDiff.Snapshot) -> Bool {
    guard isRescanRequested, feed.isComplete, changedDuringArrangement == nil else { return false }
    isRescanRequested = false
    guard feed.rescan() else { return true }
    catalogue.beginScan()
    newProblems = []
    rescan = Rescan(of: shown(), keepsListedOrder: arrangement.keepsListedOrder)
    return true
  }

  /// Takes the feed's next events.
  ///
  /// Photographs that another scan finds or misses are told of at its end, changes of known ones as they come.
  func takeChanges() -> Changes {
    var news = Changes()
    // First, as what is found may be known.
    news.hasPreviews = previews.takeLoadedArchive()
    for event in feed.takePendingEvents() {
      news.hasEvents = true
      let change = catalogue.apply(event)
      news.changed += change.changed
      news.replaced += change.replaced
      if rescan == nil {
        news.added += change.added
        arrangement.addPhotos(change.added, by: catalogue)
      }
      for item in change.listed { rescan?.addListed(item) }
      if changedDuringArrangement == nil, pendingUpdates.isEmpty {
        arrangement.updatePhotos(change.changed, by: catalogue)
      } else if changedDuringArrangement == nil {
        pendingUpdates += change.changed
      } else {
        changedDuringArrangement? += change.changed
      }
      for item in change.added + change.changed where aspectRatios.recordSize(item, size(of: item)) {
        news.reshaped.append(item)
      }
      switch event {
      case .listed(let end):
        arrangement.addListed(upTo: end)
        count = end
        aspectRatios.setSource(by: catalogue)
      case .problem(let problem) where rescan == nil: problems.append(problem)
      case .problem(let problem): newProblems.append(problem)
      case .finished(let summary):
        arrangement.finishScan()
        news.rescanOutcome = finishRescan(summary)
      default: break
      }
    }
    if news.changed.count > 1 {
      // A file that was exchanged is told of when it is found and when it was read.
      var seen: Set<PhotoID> = []
      news.changed.removeAll { !seen.insert($0).inserted }
    }
    count += news.added.count
    if let arranged = arrangementThread?.takeResult() { applyArranged(arranged, &news) }
    applyPendingUpdates()
    // What another scan tells of places is carried out at its end, and so is what is found while all are sorted.
    news.isArranged = rescan == nil && changedDuringArrangement == nil && arrangement.hasChanges
    if wantedItem == nil, let wantedPath, let item = catalogue.id(at: wantedPath) {
      wantedItem = item
      news.wantedItem = item
    }
    for item in news.changed + news.added + (news.rescanOutcome?.arrived ?? []) {
      if catalogue.failure(of: item) == nil { failedItems.remove(item) } else { failedItems.insert(item) }
    }
    return news
  }

  /// Settles what another scan has changed; one that was stopped changes nothing.
  private func finishRescan(_ summary: ScanSummary) -> RescanDiff.Outcome? {
    guard let rescan else { return nil }
    self.rescan = nil
    guard !summary.wasCancelled else { return nil }
    problems = newProblems
    let outcome = rescan.outcome(in: &arrangement, by: catalogue) { item in
      // What cannot be read is offline, and not gone.
      guard !problems.isEmpty, let folder = catalogue.folder(of: item) else { return false }
      return problems.contains { folder.isWithin($0.folder) }
    }
    guard let outcome else { return nil }
    count = outcome.snapshot.numberOfItems
    failedItems.subtract(outcome.removed)
    return outcome
  }

  // MARK: Photographs

  /// When a photograph was taken, as a list shows it; nothing where nobody knows.
  func dateText(of item: PhotoID) -> String {
    catalogue.time(of: item).map { CalendarMoment(secondsSince1970: $0).text } ?? ""
  }

  /// A photograph's extent in pixels, as a list shows it; nothing while nobody knows.
  func extentText(of item: PhotoID) -> String {
    catalogue.size(of: item).map { "\($0.width) × \($0.height)" } ?? ""
  }

  /// The section of a photograph by months.
  func month(of item: PhotoID) -> GallerySection {
    catalogue.time(of: item).map { .month(CalendarMonth(containing: $0)) } ?? .undated
  }

  /// The day on which a photograph was taken, such as `3 July 2024`; nothing where nobody knows.
  func dayText(of item: PhotoID) -> String? {
    catalogue.time(of: item).map { CalendarMoment(secondsSince1970: $0) }.map { "\($0.day) \($0.month.name)" }
  }

  /// The first letter of a photograph's name, in capitals; `#` for whatever is no letter, nothing for no name.
  func initial(of item: PhotoID) -> String? {
    guard let name = catalogue.name(of: item), !name.isEmpty else { return nil }
    let first = String(decoding: name.prefix(4), as: UTF8.self).unicodeScalars.first
    return first.map { $0.properties.isAlphabetic ? $0.properties.uppercaseMapping : "#" }
  }

  /// A photograph's name as a caption shows it.
  func caption(of item: PhotoID) -> String {
    catalogue.name(of: item).map { SanitizedText(bytes: $0).string } ?? ""
  }

  /// Why a photograph cannot be shown, in a few words, as far as its file tells.
  func failure(of item: PhotoID) -> String? { catalogue.failure(of: item)?.description }

  /// Why a photograph's picture cannot be had, in a few words; a format without a decoder by its name.
  func failureText(for failure: ImageFailure, of item: PhotoID) -> String {
    if case .refused(.unsupportedFormat) = failure, let format = catalogue.format(of: item) {
      return "no preview for \(format.name)"
    }
    return failure.description
  }

  /// What the image pipeline needs to know of a photograph; nothing of one that is known not to be shown.
  func reference(to item: PhotoID) -> PhotoReference? {
    guard catalogue.failure(of: item) == nil, let pixels = catalogue.imageSource(of: item) else { return nil }
    return PhotoReference(
      source: pixels, sourceID: LibraryModel.sourceID(of: item, version: catalogue.version(of: item)),
      fileBytes: catalogue.byteCount(of: item), hasPreview: catalogue.hasPreview(item),
      fingerprint: catalogue.fingerprint(of: item))
  }

  /// The item and its file's version in one number: files that change are other pictures, and so are two items.
  private static func sourceID(of item: PhotoID, version: UInt64) -> UInt64 {
    (version ^ UInt64(item.rawValue)) &* 0x9E37_79B9_7F4A_7C15
  }

  // MARK: Texts

  var title: String { feed.title }
  var progress: Double? { feed.progress }

  /// What goes on, or what went wrong.
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
