import CollectionEngine
import CollectionLayout
import CollectionUI
import DataStructures
import DiffableData
import FramePacing
import PhotoLibrary
import Views

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
  /// Updates views after a frame whose layout scrolled to a photograph.
  func photographWasRevealed()
}

/// The owner of the order and the changes of the photographs in the grid.
///
/// It owns the photograph to scroll to once it has been found, and the times of the user's actions, on which the scroll
/// position after a sort depends. It applies the changes of the library model to the data source.
///
/// Invariants:
/// - A frame applies the changes of as many events as fit, in this order: the end of a rescan, an arrangement made in the
///   background, and the photographs found meanwhile.
/// - An order and a rescan that are requested while another arrangement or scan is in progress start after it.
/// - A sort scrolls to the focused photograph, or without one to the top, unless the user did anything since.
final class LibraryController {
  /// The screen, which owns the controller.
  unowned var host: (any LibraryHost)!
  private let library: LibraryModel
  private let grid: CollectionView
  private let dataSource: DiffableDataSource<GallerySection, PhotoID>
  /// The photograph to scroll to once it is in the grid.
  private var itemToReveal: PhotoID?
  /// Whether it was scrolled to in this frame.
  private var didRevealItem = false
  /// The time of the last user action other than pointer movements, and its value when sorting was requested.
  private var lastActionInstant = FrameInstant.zero
  private var actionInstantBeforeSorting = FrameInstant.zero

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
  }

  /// Replaces the library by another one.
  ///
  /// - Parameters:
  ///   - feed: The new feed. The last one is ended.
  ///   - pathToReveal: The photograph to select and scroll to once it is found.
  func open(_ feed: any LibraryFeed, pathToReveal: PhotoPath?) {
    itemToReveal = nil
    library.open(feed, pathToReveal: pathToReveal)
    host.libraryDidClose()
    dataSource.applySnapshotUsingReloadData(LibraryArrangement.Snapshot())
    grid.scroll(to: 0, animated: false)
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
    if let item = changes.itemToReveal { itemToReveal = item }
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
    if let outcome = changes.rescanOutcome, !(outcome.arrived.isEmpty && outcome.removed.isEmpty) {
      dataSource.apply(outcome.snapshot)
      host.photographsWereRemoved(outcome.removed)
    }
    // First, because the photographs found meanwhile are inserted into it.
    if let snapshot = changes.arrangedSnapshot {
      if changes.isSorted {
        showSorted(snapshot, isAnimated: false)
      } else {
        dataSource.apply(snapshot, animatingDifferences: false)
      }
    }
    if changes.isArranged {
      var snapshot = dataSource.snapshot()
      // A scan is not animated: too many photographs stream in to follow their movements.
      if library.arrangeSnapshot(&snapshot) { dataSource.apply(snapshot, animatingDifferences: changes.isUpdate) }
    }
    if !changes.removed.isEmpty { host.photographsWereRemoved(changes.removed) }
    if !reshaped.isEmpty { dataSource.invalidateLayout(ofItems: reshaped) }
  }

  // MARK: - Rescanning

  /// Rescans the folders, once no scan is running.
  func rescan() {
    library.requestRescan()
    rescanIfRequested()
  }

  /// Starts the requested rescan, unless a scan is running.
  func rescanIfRequested() {
    if library.rescanIfRequested(from: dataSource.snapshot) { host.libraryActivityDidChange() }
  }

  // MARK: - Sorting

  /// Records an action of the user, after which a sort does not scroll to the top.
  func userDidAct(at instant: FrameInstant) { lastActionInstant = instant }

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

  /// Applies the requested order, if that is possible now.
  private func sortIfRequested() {
    guard let snapshot = library.sortIfRequested(from: dataSource.snapshot) else { return }
    showSorted(snapshot, isAnimated: true)
  }

  /// Shows the photographs in another order.
  private func showSorted(_ snapshot: RescanDiff.Snapshot, isAnimated: Bool) {
    dataSource.apply(snapshot, animatingDifferences: isAnimated) { [weak self] in
      self?.didShowSorted(isAnimated: isAnimated)
    }
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
      grid.scroll(to: 0, animated: isAnimated)
    }
  }

  /// Shuffles the photographs of each section until they are sorted again.
  ///
  /// - Complexity: O(*n*) in the number of photographs.
  func shuffle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let before = dataSource.snapshot()
    var after = RescanDiff.Snapshot()
    for section in before.sectionIdentifiers {
      after.appendSections([section])
      after.appendItems(before.itemIdentifiers(inSection: section).shuffled(using: &random), toSection: section)
    }
    dataSource.apply(after, animatingDifferences: true)
  }

  // MARK: - Revealing

  /// Scrolls to the photograph that the user asked to open, now that the layout has the window's size.
  func revealWantedItem() {
    guard let item = itemToReveal, let path = dataSource.indexPath(for: item) else { return }
    itemToReveal = nil
    if let index = grid.flatIndex(at: path) { grid.focusItem(at: index, animated: false) }
    didRevealItem = true
    grid.scrollToItem(at: path, alignment: .center, animated: false)
  }

  /// Notifies the host if this frame scrolled to the photograph that the user asked to open.
  func frameDidEnd() {
    guard didRevealItem else { return }
    didRevealItem = false
    host.photographWasRevealed()
  }
}
