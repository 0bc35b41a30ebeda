import DiffableData
import PhotoLibrary

/// Where the photographs that a scan finds stand: in which section, and in which order there.
///
/// By time a photograph is placed once, when its header is known: by its file's date it would be somewhere else first,
/// and jump. Those whose headers are still to be read wait, and are counted.
nonisolated struct LibraryArrangement: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// By what photographs are put into sections.
  let grouping: GalleryGrouping
  /// In which order they stand there.
  let sorting: GallerySorting
  private var sortedArrangement: SortedArrangement
  /// To be placed, in the order of the scan, and each of them once more to be found among them.
  private var readyItems: [PhotoID] = []
  private var readySet: Set<PhotoID> = []
  /// Known ones that belong elsewhere.
  private var movedItems: [PhotoID] = []
  private var waitingItems: Set<PhotoID> = []
  /// Whether no more headers will be read.
  private var isFinished = false
  /// The numbers of an album's pictures that were listed, without those that were placed.
  private var listedNumbers = 0..<0
  /// Pictures of an album that are placed at once: more than a window shows.
  private static let firstBatchSize = 4_000

  /// Makes an arrangement of nothing.
  ///
  /// - Parameters:
  ///   - grouping: by what photographs are put into sections.
  ///   - sorting: in which order they stand there; months by time unless told, others by name.
  init(_ grouping: GalleryGrouping, by sorting: GallerySorting? = nil) {
    self.grouping = grouping
    self.sorting = sorting ?? (grouping == .month ? .date : .name)
    sortedArrangement = SortedArrangement(grouping, by: self.sorting)
  }

  /// Whether photographs stand as the scan lists them.
  var keepsListedOrder: Bool { grouping != .month && sorting == .name }

  /// Whether where a photograph stands depends on what its file's header tells.
  private var dependsOnHeaders: Bool { grouping == .month || sorting == .date }

  /// The same photographs in another order.
  ///
  /// Nothing that waits to be placed is placed. To be called on any thread.
  /// - Returns: the arrangement that goes on from there, and what it shows.
  /// - Complexity: O(n log n) comparisons.
  func sorted(
    by sorting: GallerySorting, _ snapshot: Snapshot, by catalogue: any PhotoRecords
  ) -> (arrangement: LibraryArrangement, snapshot: Snapshot) {
    var next = LibraryArrangement(grouping, by: sorting)
    let order =
      next.keepsListedOrder
      ? ListedOrder.sorted(snapshot, grouping, by: catalogue) : next.sortedArrangement.sorted(snapshot, by: catalogue)
    return (next, order)
  }

  /// Takes over what waits to be placed.
  ///
  /// - Complexity: O(1) where the same ones are to be placed and the same ones wait; otherwise O(k) for k of them, and
  ///   O(k log k) where they waited for their headers and need not any longer.
  mutating func takeWaiting(from last: LibraryArrangement, by catalogue: any PhotoRecords) {
    isFinished = last.isFinished
    if readyItems.isEmpty, isFinished || !dependsOnHeaders || last.dependsOnHeaders {
      (readyItems, readySet) = (last.readyItems, last.readySet)
    } else {
      addPhotos(last.readyItems, by: catalogue)
    }
    if dependsOnHeaders, waitingItems.isEmpty {
      waitingItems = last.waitingItems
    } else {
      addPhotos(last.waitingItems.sorted { $0.rawValue < $1.rawValue }, by: catalogue)
    }
    updatePhotos(last.movedItems, by: catalogue)
    listedNumbers = last.listedNumbers
  }

  /// Whether more is to be placed than a frame has time for.
  var exceedsFrameBudget: Bool {
    readyItems.count + movedItems.count
      > (keepsListedOrder ? LibraryArrangement.maximumListedPerFrame : LibraryArrangement.maximumSortedPerFrame)
  }

  /// What a frame sorts and puts between others, and what it puts behind them: a few milliseconds' work.
  static let (maximumSortedPerFrame, maximumListedPerFrame) = (2_000, 20_000)

  /// Gives what is to be placed to another thread.
  ///
  /// - Returns: the arrangement that places it, and goes on from there with what waits here by then.
  mutating func detachReadyItems() -> LibraryArrangement {
    var other = self
    (other.waitingItems, other.listedNumbers) = ([], listedNumbers.lowerBound..<listedNumbers.lowerBound)
    (readyItems, readySet, movedItems) = ([], [], [])
    return other
  }

  /// Photographs that were found and wait for their header.
  var waitingCount: Int { waitingItems.count }

  /// Whether ``arrange(_:by:)`` has anything to do.
  var hasChanges: Bool { !readyItems.isEmpty || !movedItems.isEmpty || !listedNumbers.isEmpty }

  /// The scan found photographs, in this order.
  mutating func addPhotos(_ items: [PhotoID], by catalogue: any PhotoRecords) {
    for item in items {
      if dependsOnHeaders, !isFinished, !catalogue.isRead(item) {
        waitingItems.insert(item)
      } else {
        markReady(item)
      }
    }
  }

  private mutating func markReady(_ item: PhotoID) {
    readyItems.append(item)
    readySet.insert(item)
  }

  /// The pictures of an album up to a number, that one left out, are there.
  mutating func addListed(upTo end: Int) {
    listedNumbers = listedNumbers.lowerBound..<max(listedNumbers.lowerBound, end)
  }

  /// The pictures of an album that ``arrange(_:by:)`` has left out as they are too many for a frame; they are the
  /// caller's now.
  mutating func takeRemaining() -> AlbumRange? {
    guard !listedNumbers.isEmpty else { return nil }
    defer { listedNumbers = listedNumbers.upperBound..<listedNumbers.upperBound }
    return AlbumRange(numbers: listedNumbers, grouping: grouping)
  }

  /// What is known of photographs is different.
  ///
  /// - Complexity: O(1) for each of them, on average.
  mutating func updatePhotos(_ items: [PhotoID], by catalogue: any PhotoRecords) {
    guard !keepsListedOrder else { return }
    for item in items where !dependsOnHeaders || catalogue.isRead(item) {
      if waitingItems.remove(item) != nil {
        markReady(item)
      } else if !readySet.contains(item), !sortedArrangement.isPlaced(item, by: catalogue) {
        movedItems.append(item)
      }
    }
  }

  /// No more headers will be read: who still waits is placed by the file's date.
  mutating func finishScan() {
    for item in waitingItems.sorted(by: { $0.rawValue < $1.rawValue }) { markReady(item) }
    waitingItems = []
    isFinished = true
  }

  /// Puts into a snapshot what was found since the last time; of an album no more than fills the first screens.
  ///
  /// - Complexity: O(log n) for each photograph, as the snapshot states it, and by months O(log k) comparisons for one of k.
  mutating func arrange(_ snapshot: inout Snapshot, by catalogue: any PhotoRecords) {
    let first = listedNumbers.prefix(LibraryArrangement.firstBatchSize)
    AlbumRange(numbers: first, grouping: grouping).append(to: &snapshot, by: catalogue)
    listedNumbers = first.upperBound..<listedNumbers.upperBound
    defer { (readyItems, readySet, movedItems) = ([], [], []) }
    // Without groups all are of one section; no section is there before its first photograph.
    if keepsListedOrder {
      var rest = readyItems[...]
      while let first = rest.first {
        let section = section(of: first, by: catalogue)
        let run = rest.prefix { self.section(of: $0, by: catalogue) == section }
        if snapshot.indexOfSection(section) == nil { snapshot.appendSections([section]) }
        snapshot.appendItems(Array(run), toSection: section)
        rest = rest.dropFirst(run.count)
      }
    } else {
      var seen: Set<PhotoID> = []
      let there = movedItems.filter { snapshot.contains($0) && seen.insert($0).inserted }
      if !there.isEmpty { sortedArrangement.removeItems(there, from: &snapshot) }
      sortedArrangement.insertItems(readyItems + there, into: &snapshot, by: catalogue)
    }
  }

  /// The photographs of another scan, in its order, and what is gone: where that order is not what is shown.
  mutating func arrange(
    _ snapshot: inout Snapshot, adding arrived: [PhotoID], removing removed: [PhotoID], by catalogue: any PhotoRecords
  ) {
    if !removed.isEmpty { sortedArrangement.removeItems(removed, from: &snapshot) }
    readyItems = arrived
    arrange(&snapshot, by: catalogue)
  }

  /// The section of a photograph where that does not change.
  func section(of item: PhotoID, by catalogue: any PhotoRecords) -> GallerySection {
    guard grouping == .folder, let folder = catalogue.folder(of: item) else { return .all }
    return .folder(folder)
  }
}
