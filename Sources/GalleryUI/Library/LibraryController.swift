import CollectionUI
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineViews

/// What ``LibraryController`` needs from the screen.
protocol LibraryHost: AnyObject {
  /// Whether the layout depends on the aspect ratios of the photographs.
  var layoutDependsOnAspectRatios: Bool { get }
  /// Updates what depends on the library, after photographs were found, changed or removed.
  func libraryDidChange()
  /// Ends the work on the photographs of the last library, which are still in the grid.
  func libraryDidClose()
  /// Updates what shows or counts photographs whose data has changed.
  ///
  /// - Parameters:
  ///   - changed: The photographs.
  ///   - replaced: Those of them whose file is different now.
  func photographsDidChange(_ changed: [PhotoID], replaced: [PhotoID])
  /// Discards what belongs to photographs that are no longer in the library.
  func photographsWereRemoved(_ items: [PhotoID])
  /// Updates what is shown of the library's activity.
  func libraryActivityDidChange()
  /// Updates the captions, because other ones name a folder.
  func captionsDidChange()
  /// Opens the photograph that the user asked for.
  func openWantedPhotograph(_ item: PhotoID)
  /// Returns whether a photograph is viewed in the whole window.
  func isViewing(_ item: PhotoID) -> Bool
}

/// The owner of the order and the changes of the photographs in the grid.
///
/// It owns the filter, the photograph to scroll to once it has been found or shown, and the times of the user's actions,
/// on which the scroll position after a sort depends. It applies the changes of the library model to the data source.
///
/// Invariants:
/// - A frame applies the changes of as many events as fit, in this order: the end of a rescan, an arrangement made in the
///   background, and the photographs found meanwhile.
/// - An order and a rescan that are requested while another arrangement or scan is in progress start after it.
/// - A sort scrolls to the focused photograph, or without one to the top, unless the user did anything since.
/// - Arrangements go on from the snapshot of all photographs. The data source shows it, or what the filter finds in it.
/// - After a change of the query or the grouping the focused photograph stays in view if it was visible and is still
///   shown, otherwise the first visible one that is.
final class LibraryController {
  /// The screen, which owns the controller.
  unowned var host: (any LibraryHost)!
  private let library: LibraryModel
  private let grid: CollectionView
  private let dataSource: DiffableDataSource<GallerySection, PhotoID>
  /// The photograph to scroll to once it is in the grid.
  private var itemToReveal: PhotoID?
  /// The photograph that was first in view when the folder was shown last, until the user acts or all are found.
  var placeToRestore: PhotoPath?
  /// The photograph that was opened and to which the grid has not scrolled yet, or nil.
  private var openedItem: PhotoID?
  /// The time of the last user action other than pointer movements, and its value when sorting was requested.
  private var lastActionInstant = FrameInstant.zero
  private var actionInstantBeforeSorting = FrameInstant.zero
  /// The owner of the filter.
  private let filter: FilterController
  private let repeatedNames: RepeatedNameController
  /// The effect of the next filtered snapshot on the scroll position.
  private var nextTransition = Transition.change(isAnimated: false)
  /// Whether other sections are requested and not yet shown.
  private var isGrouping = false
  /// Where to scroll as soon as the applied snapshot is displayed.
  private var pendingPlace: HeldPlace?
  /// Whether the first photographs were in view when the place was held, and stay in view.
  private var startsAtStart = false
  /// Whether photographs were filtered in the last snapshot, and whether the first ones were in view before that.
  private var isFiltered = false
  private var searchBeganAtStart = false

  /// Creates the controller of a screen.
  ///
  /// - Parameters:
  ///   - library: The model of the library.
  ///   - grid: The grid that shows the photographs.
  ///   - dataSource: The photographs of the grid.
  init(library: LibraryModel, grid: CollectionView, dataSource: DiffableDataSource<GallerySection, PhotoID>) {
    self.library = library
    self.grid = grid
    self.dataSource = dataSource
    filter = FilterController(thread: library.arrangementThread)
    repeatedNames = RepeatedNameController(thread: library.arrangementThread)
  }

  /// The arranged snapshot of all photographs.
  var arrangedSnapshot: LibraryArrangement.Snapshot { filter.all ?? dataSource.snapshot() }

  /// Replaces the library by another one.
  ///
  /// - Parameters:
  ///   - feed: The new feed. The last one is ended.
  ///   - pathToReveal: The photograph to select and scroll to once it is found.
  func open(_ feed: any LibraryFeed, pathToReveal: PhotoPath?) {
    (itemToReveal, openedItem, placeToRestore) = (nil, nil, nil)
    (pendingPlace, isGrouping, isFiltered) = (nil, false, false)
    filter.libraryDidOpen()
    repeatedNames.namesDidChange()
    library.open(feed, pathToReveal: pathToReveal)
    host.libraryDidClose()
    dataSource.applySnapshotUsingReloadData(LibraryArrangement.Snapshot())
    scrollToStart(animated: false)
  }

  // MARK: - Changes

  /// Takes the changes that events made, and applies them to the grid.
  ///
  /// - Returns: The changes.
  func collectChanges(_ budget: FrameBudget) -> LibraryModel.Changes {
    var changes = budget.clock.performUncounted { library.takeChanges() }
    // A simulation takes equal batches; with a live window the time budget of the frame decides.
    budget.clock.repeatInRealTime(while: library.hasPendingEvents && budget.remaining > .zero) {
      changes.merge(library.takeChanges())
    }
    applyArrangement(changes)
    sortIfRequested()
    filter.photographsDidChange(changes.changed)
    advanceFilter()
    updateRepeatedNames(changes)
    if let item = changes.itemToReveal { itemToReveal = item }
    openWantedItem()
    if !changes.changed.isEmpty {
      dataSource.reconfigureItems(changes.changed)
      host.photographsDidChange(changes.changed, replaced: changes.replaced)
    }
    if changes.hasEvents { host.libraryDidChange() }
    return changes
  }

  /// Inserts, moves and removes photographs in the grid, and invalidates the layout of those whose aspect ratio
  /// changed.
  private func applyArrangement(_ changes: LibraryModel.Changes) {
    // The layout queries the aspect ratios of new items anyway.
    let reshaped =
      changes.reshaped.isEmpty || !host.layoutDependsOnAspectRatios
      ? [] : changes.reshaped.filter(dataSource.displayedSnapshot().contains)
    if let outcome = changes.rescanOutcome, outcome.hasChanges {
      show(outcome.snapshot, .change(isAnimated: true))
      host.photographsWereRemoved(outcome.removed)
    }
    // First, because the photographs found meanwhile are inserted into it.
    if let snapshot = changes.arrangedSnapshot {
      if changes.isSorted {
        showSorted(snapshot, isAnimated: false)
      } else {
        show(snapshot, .change(isAnimated: false))
      }
    }
    if changes.isArranged {
      var snapshot = arrangedSnapshot
      // A scan is not animated: too many photographs stream in to follow their movements.
      if library.arrangeSnapshot(&snapshot) { show(snapshot, .change(isAnimated: changes.isUpdate)) }
    }
    if !changes.removed.isEmpty { host.photographsWereRemoved(changes.removed) }
    if !reshaped.isEmpty { dataSource.invalidateLayout(ofItems: reshaped) }
  }

  /// Finds the repeated names of a complete library after photographs were added or removed.
  private func updateRepeatedNames(_ changes: LibraryModel.Changes) {
    if !changes.added.isEmpty || !changes.removed.isEmpty || changes.rescanOutcome != nil {
      repeatedNames.namesDidChange()
    }
    guard library.isComplete, !library.hasPendingEvents,
      let names = repeatedNames.advance(using: library.catalogue, all: { arrangedSnapshot }),
      names != library.repeatedNames
    else { return }
    library.repeatedNames = names
    host.captionsDidChange()
  }

  // MARK: - Showing

  /// The effect of a new snapshot on the scroll position.
  private enum Transition {
    /// The first visible photograph stays.
    case change(isAnimated: Bool)
    /// Scrolls to the focused photograph or to the top.
    case sorting(isAnimated: Bool)
    /// The focused photograph or the first visible one stays in view.
    case grouping(isAnimated: Bool)
    /// As ``grouping(isAnimated:)``, or if none of them is left scrolls to the top. Animated if little changes on
    /// screen.
    case query
  }

  /// Shows an arranged snapshot of all photographs, or what the filter finds in it.
  private func show(_ snapshot: LibraryArrangement.Snapshot, _ transition: Transition) {
    guard filter.isActive else { return apply(snapshot, transition) }
    filter.setArranged(snapshot)
    switch (nextTransition, transition) {
    // The answer to a new query is more important than a change that is shown with it.
    case (.query, _), (.grouping, .change), (.sorting, .change): break
    default: nextTransition = transition
    }
    advanceFilter()
  }

  /// Applies a snapshot to the data source.
  private func apply(_ snapshot: LibraryArrangement.Snapshot, _ transition: Transition) {
    switch transition {
    case .change(let isAnimated): dataSource.apply(snapshot, animatingDifferences: isAnimated)
    case .sorting(let isAnimated):
      dataSource.apply(snapshot, animatingDifferences: isAnimated) { [weak self] in
        self?.didShowSorted(isAnimated: isAnimated)
      }
    case .grouping(let isAnimated):
      let isAtStart = isAtStart
      let place = HeldPlace(in: visibleItems, focused: focusedItem, after: snapshot)
      dataSource.apply(snapshot, animatingDifferences: isAnimated)
      pendingPlace = place
      startsAtStart = isAtStart
    case .query:
      if !isFiltered { searchBeganAtStart = isAtStart }
      isFiltered = filter.isActive
      // Without the search, the photograph that was found stays in view, unless the user was at the beginning before it.
      let isAtStart = isAtStart && (isFiltered || searchBeganAtStart)
      let place = HeldPlace(in: visibleItems, focused: focusedItem, after: snapshot)
      dataSource.apply(snapshot, animatingDifferences: place.changesLittle)
      pendingPlace = place
      startsAtStart = isAtStart
    }
  }

  /// The visible photographs, in order.
  private var visibleItems: [PhotoID] { grid.visibleRange.compactMap { dataSource.itemIdentifier(atFlatIndex: $0) } }

  private var focusedItem: PhotoID? { grid.selection.lead.flatMap { dataSource.itemIdentifier(atFlatIndex: $0) } }

  /// Scrolls to the photograph that stays in view, once the applied snapshot is displayed.
  private func holdPlace() {
    guard let place = pendingPlace, !dataSource.hasPendingUpdate else { return }
    pendingPlace = nil
    // A user who has not scrolled sees the first photographs; the focused one only if it is among them.
    if startsAtStart { scrollToStart(animated: false) }
    if let item = startsAtStart ? focusedItem : place.item {
      guard let path = dataSource.indexPath(for: item) else { return }
      grid.scrollToItem(at: path, at: .nearestVerticalEdge, animated: false)
    } else if !startsAtStart {
      scrollToStart(animated: false)
    }
  }

  private var isAtStart: Bool { grid.contentOffset <= 1 - grid.contentInset.top }

  private func scrollToStart(animated: Bool) { grid.scroll(to: -grid.contentInset.top, animated: animated) }

  // MARK: - Filtering

  /// The query of the filter; empty without one.
  ///
  /// Each of its conditions has a title, and `text(removingConditionAt:)` returns the text without it.
  var query: PhotoQuery { filter.query }

  /// The number of photographs that the last answered query finds, or nil without a filter.
  var matchCount: Int? { filter.matchCount }

  /// Whether an answer is pending.
  var isFiltering: Bool { filter.isFiltering }

  /// Whether the next frame has an answer.
  var hasPendingAnswer: Bool { filter.hasPendingWork || repeatedNames.hasPendingWork }

  /// Shows the photographs that a text finds, as ``PhotoQuery`` describes.
  ///
  /// Call this method for each change of the text. Large libraries are searched in the background, and the last answer is
  /// shown until the next one. An empty text ends the filter.
  ///
  /// - Complexity: O(1), or that of a search of a small library.
  func search(_ text: String) {
    let query = PhotoQuery(text)
    guard query != filter.query else { return }
    if let all = filter.setQuery(query, roots: library.roots, shown: dataSource.snapshot) {
      nextTransition = .change(isAnimated: false)
      apply(all, .query)
    } else {
      nextTransition = .query
      advanceFilter()
    }
    host.libraryActivityDidChange()
  }

  /// Shows what the filter finds, if there is an answer.
  private func advanceFilter() {
    guard let snapshot = filter.advance(using: library.catalogue) else { return }
    let transition = nextTransition
    nextTransition = .change(isAnimated: false)
    apply(snapshot, transition)
    host.libraryActivityDidChange()
  }

  // MARK: - Rescanning

  /// Rescans the folders, once no scan is running.
  func rescan() {
    library.requestRescan()
    rescanIfRequested()
  }

  /// Starts the requested rescan, unless a scan is running.
  func rescanIfRequested() {
    if library.rescanIfRequested(from: { arrangedSnapshot }) { host.libraryActivityDidChange() }
  }

  // MARK: - Sorting

  /// Records an action of the user, after which a sort does not scroll to the top.
  func userDidAct(at instant: FrameInstant) {
    lastActionInstant = instant
    placeToRestore = nil
  }

  /// Sorts the photographs in another order.
  ///
  /// The focused photograph stays in view.
  func sort(by sorting: GallerySorting) {
    guard sorting != library.sorting else { return }
    library.requestSorting(by: sorting)
    actionInstantBeforeSorting = lastActionInstant
    sortIfRequested()
    host.libraryActivityDidChange()
  }

  /// Groups the photographs into other sections.
  ///
  /// The focused photograph stays in view if it is there, otherwise the first visible one.
  func group(by grouping: GalleryGrouping) {
    guard grouping != library.grouping else { return }
    library.requestGrouping(by: grouping)
    isGrouping = true
    sortIfRequested()
    host.libraryActivityDidChange()
  }

  /// Applies the requested order, if that is possible now.
  private func sortIfRequested() {
    guard let snapshot = library.sortIfRequested(from: { arrangedSnapshot }) else { return }
    showSorted(snapshot, isAnimated: true)
  }

  /// Shows the photographs in another order.
  private func showSorted(_ snapshot: RescanDiff.Snapshot, isAnimated: Bool) {
    show(snapshot, isGrouping ? .grouping(isAnimated: isAnimated) : .sorting(isAnimated: isAnimated))
    if isGrouping { host.captionsDidChange() }
    isGrouping = false
    host.libraryActivityDidChange()
  }

  /// Scrolls to the focused photograph after a sort, which may have taken many frames.
  ///
  /// Without a focused photograph, scrolls to the top, unless the user has done anything since the sort was requested.
  private func didShowSorted(isAnimated: Bool) {
    host.libraryActivityDidChange()
    if let lead = grid.selection.lead, lead < grid.itemCount {
      grid.scrollToItem(at: grid.indexPath(at: lead), at: .nearestVerticalEdge, animated: isAnimated)
    } else if lastActionInstant == actionInstantBeforeSorting {
      scrollToStart(animated: isAnimated)
    }
  }

  /// Shuffles the photographs of each section until they are sorted again.
  ///
  /// - Complexity: O(*n*) in the number of photographs.
  func shuffle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let before = arrangedSnapshot
    var after = RescanDiff.Snapshot()
    for section in before.sectionIdentifiers {
      after.appendSections([section])
      after.appendItems(before.itemIdentifiers(inSection: section).shuffled(using: &random), toSection: section)
    }
    show(after, .change(isAnimated: true))
  }

  // MARK: - Revealing

  /// Scrolls to the photograph that the user opened, or to that which was in view when the folder was shown last, now that
  /// the layout has the window's size.
  func revealWantedItem() {
    holdPlace()
    restorePlace()
    guard let item = itemToReveal, let path = dataSource.indexPath(for: item) else { return }
    (itemToReveal, openedItem) = (nil, nil)
    // The user may have gone on meanwhile.
    guard host.isViewing(item) else { return }
    if let index = grid.flatIndex(at: path) { grid.focusItem(at: index, animated: false) }
    grid.scrollToItem(at: path, alignment: .center, animated: false)
  }

  /// Scrolls to the photograph that was first in view, again and again while photographs are found before it.
  private func restorePlace() {
    guard let placeToRestore, grid.itemCount > 0 else { return }
    if library.isComplete, !library.hasPendingEvents { self.placeToRestore = nil }
    guard itemToReveal == nil, let item = library.catalogue.id(at: placeToRestore),
      let path = dataSource.indexPath(for: item)
    else { return }
    grid.scrollToItem(at: path, at: .top, animated: false)
  }

  /// Opens the photograph that the user asked for, before its folder has been listed.
  private func openWantedItem() {
    guard let item = itemToReveal, openedItem != item,
      library.isUnlisted(item) || dataSource.indexPath(for: item) != nil
    else { return }
    openedItem = item
    host.openWantedPhotograph(item)
  }
}

// MARK: - Held places

/// A decision about the photograph that stays in view while others appear and disappear around it.
nonisolated struct HeldPlace: Hashable, Sendable {
  /// The photograph, or nil if none of the visible ones is left.
  let item: PhotoID?
  /// Whether most of the visible photographs stay on screen.
  let changesLittle: Bool

  /// Chooses the photograph that stays in view.
  ///
  /// - Parameters:
  ///   - visible: The visible photographs, in order.
  ///   - focused: The focused photograph, or nil.
  ///   - next: The next snapshot.
  /// - Complexity: O(*v* log *n*) for *v* visible photographs.
  init(in visible: [PhotoID], focused: PhotoID?, after next: DiffableDataSourceSnapshot<GallerySection, PhotoID>) {
    let left = visible.filter(next.contains)
    item = focused.flatMap { left.contains($0) ? $0 : nil } ?? left.first
    guard let first = left.first.flatMap(next.indexOfItem), let last = left.last.flatMap(next.indexOfItem) else {
      changesLittle = false
      return
    }
    // Those that disappear, and those that appear between the others.
    let changeCount = visible.count - left.count + abs(last - first) + 1 - left.count
    changesLittle = changeCount <= visible.count / 2
  }
}
