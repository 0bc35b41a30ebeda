import VitrineDiffableData
package import VitrinePhotoLibrary

/// The owner of the filter over the library: the query, the photographs that it finds, and the arranged snapshot of all
/// photographs while the data source shows a part of them.
///
/// ``LibraryController`` passes it each new arrangement, and shows the snapshots that it returns.
///
/// Invariants:
/// - Without a query nothing is stored, and all photographs are shown.
/// - With a query, the shown snapshot is that of all photographs without those that the query does not find, as soon as no
///   answer is pending.
/// - A small library is filtered in the frame, and a large one in the background. The newest query cancels the search
///   for an older one.
/// - Without a thread, or if the system cannot create one, everything is filtered in the frame, with the same result.
package final class FilterController {
  typealias Snapshot = LibraryArrangement.Snapshot

  /// The photographs that a query finds, and their snapshot.
  private nonisolated struct Answer: Sendable {
    var matches: PhotoMatches
    var snapshot: Snapshot
  }

  /// What a search needs, as a value for any thread.
  private nonisolated struct Search: Sendable {
    let filter: PhotoFilter
    let all: Snapshot
    let records: any PhotoRecords
    /// The photographs that the query finds, as far as they have been tested.
    var matches: PhotoMatches
    /// The tested photographs that have changed since then.
    let changed: [PhotoID]

    /// Returns the answer, or nil if the search was cancelled.
    func answer(isCancelled: () -> Bool = { false }) -> Answer? {
      var matches = matches
      let isComplete = matches.update(with: filter, changed: changed, in: records) { !isCancelled() }
      guard isComplete, let snapshot = all.filteringItems(matches.contains, shouldContinue: { !isCancelled() }) else {
        return nil
      }
      return Answer(matches: matches, snapshot: snapshot)
    }
  }

  /// The maximum numbers of photographs that a frame tests, and that it goes through: a few milliseconds of work.
  static let (maximumTestedPerFrame, maximumFilteredPerFrame) = (2_000, 50_000)

  /// The query; empty without a filter.
  package private(set) var query = PhotoQuery("")
  /// The number of photographs that are shown because the last answered query finds them, or nil without a filter.
  package private(set) var matchCount: Int?
  /// The arranged snapshot of all photographs, or nil without a filter.
  private(set) var all: Snapshot?

  private var filter = PhotoFilter(PhotoQuery(""))
  /// The photographs that the query finds, as far as they have been tested.
  private var matches = PhotoMatches()
  /// The photographs that have changed since they were tested.
  private var changedItems: [PhotoID] = []
  /// Whether the query or the arrangement has changed since the last search began.
  private var isOutdated = false
  private var task: BackgroundTask<Answer?>?
  /// Whether photographs were removed since the task began, which its snapshot must not bring back.
  private var hasRemovals = false
  private let thread: ArrangementThread?

  /// Creates the controller of a library without a filter.
  ///
  /// - Parameter thread: The thread for searches that take longer than a frame. If nil, they are done in the frame.
  init(thread: ArrangementThread?) { self.thread = thread }

  /// Whether there is a query.
  var isActive: Bool { all != nil }

  /// Whether an answer is pending.
  package var isFiltering: Bool { task != nil || needsSearch }

  /// Whether ``advance(using:)`` has anything to do.
  var hasPendingWork: Bool { task?.hasResult ?? needsSearch }

  private var needsSearch: Bool { isActive && (isOutdated || !changedItems.isEmpty) }

  /// Sets the query, which ``advance(using:)`` answers.
  ///
  /// - Parameters:
  ///   - query: The query; empty to end the filter.
  ///   - roots: The roots of the library.
  ///   - shown: Returns the arranged snapshot, which is shown if there is no filter.
  /// - Returns: The snapshot to show if the filter has ended, otherwise nil.
  func setQuery(_ query: PhotoQuery, roots: [PhotoPath], shown: () -> Snapshot) -> Snapshot? {
    guard query != self.query else { return nil }
    cancelSearch()
    self.query = query
    guard !query.isEmpty else {
      let last = all
      removeFilter()
      return last
    }
    filter = PhotoFilter(query, roots: roots)
    if all == nil { all = shown() }
    isOutdated = true
    return nil
  }

  /// Removes the filter, because another library is shown.
  func libraryDidOpen() {
    cancelSearch()
    query = PhotoQuery("")
    removeFilter()
  }

  private func removeFilter() {
    filter = PhotoFilter(query)
    (all, matchCount, isOutdated) = (nil, nil, false)
  }

  private func cancelSearch() {
    task?.cancel()
    task = nil
    (matches, changedItems) = (PhotoMatches(), [])
  }

  /// Sets the arranged snapshot of all photographs, of which ``advance(using:)`` returns the part to show.
  func setArranged(_ snapshot: Snapshot) {
    if let all, snapshot.numberOfItems < all.numberOfItems { hasRemovals = true }
    all = snapshot
    isOutdated = true
  }

  /// Records that the data of photographs has changed.
  func photographsDidChange(_ items: [PhotoID]) { if isActive { changedItems += items } }

  /// Takes the answer from the background, and searches if the query or the library has changed.
  ///
  /// - Returns: The snapshot to show, if there is a new one.
  func advance(using records: any PhotoRecords) -> Snapshot? {
    let shown = takeAnswer()
    guard let all, needsSearch, task == nil else { return shown }
    let search = Search(
      filter: filter, all: all, records: records.readOnlyCopy, matches: matches, changed: changedItems)
    let untested = changedItems.count + records.count - matches.testedCount
    (isOutdated, hasRemovals, changedItems) = (false, false, [])
    if untested > FilterController.maximumTestedPerFrame || all.numberOfItems > FilterController.maximumFilteredPerFrame
    {
      task = thread?.makeTask { search.answer(isCancelled: $0) }
      if task != nil { return shown }
    }
    return search.answer().map(apply) ?? shown
  }

  private func takeAnswer() -> Snapshot? {
    guard let result = task?.takeResult() else { return nil }
    task = nil
    guard let answer = result else { return nil }
    guard hasRemovals else { return apply(answer) }
    matches = answer.matches
    return nil
  }

  private func apply(_ answer: Answer) -> Snapshot {
    matches = answer.matches
    matchCount = answer.snapshot.numberOfItems
    return answer.snapshot
  }
}
