import VitrineDiffableData
import VitrineImageMetadata
import VitrinePhotoLibrary

/// The arrangement of the photographs of a scan in sections, and their order there.
///
/// When arranged by time, a photograph is inserted once, when its header is known. If it were inserted by its file date
/// first, it would jump later. Photographs without a header are waiting, and are counted.
nonisolated struct LibraryArrangement: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// How photographs are grouped and sorted.
  let order: LibraryOrder
  private var sortedArrangement: SortedArrangement
  /// The order of folders.
  private let listingOrder: ListingOrder
  /// The photographs to insert, in the order of the scan, and the same as a set if positions depend on their data.
  private var readyItems: [PhotoID] = []
  private var readySet: Set<PhotoID> = []
  /// Known photographs that must move.
  private var movedItems: [PhotoID] = []
  private var waitingItems: Set<PhotoID> = []
  /// Whether no more headers will be read.
  private var isFinished = false
  /// Whether photographs in listed order are inserted at their places instead of appended, because an update follows the
  /// scan.
  private var insertsInOrder = false
  /// The numbers of an album's pictures that are listed and not yet inserted.
  private var listedNumbers = 0..<0
  /// The number of an album's pictures that are inserted immediately: more than a window shows.
  private static let firstBatchSize = 4_000

  /// Creates an empty arrangement.
  ///
  /// - Parameters:
  ///   - grouping: How photographs are grouped into sections.
  ///   - sorting: The order within a section. Default: by date for months, otherwise by name.
  ///   - listingOrder: The order of folders, in which those are inserted that appear later.
  init(_ grouping: GalleryGrouping, by sorting: GallerySorting? = nil, listingOrder: ListingOrder = ListingOrder()) {
    order = LibraryOrder(grouping, by: sorting)
    self.listingOrder = listingOrder
    sortedArrangement = SortedArrangement(grouping, by: order.sorting, listingOrder: listingOrder)
  }

  private var grouping: GalleryGrouping { order.grouping }
  private var sorting: GallerySorting { order.sorting }

  /// Whether photographs are in the order in which the scan lists them.
  var keepsListedOrder: Bool { grouping != .month && sorting == .name }

  /// Whether the position of a photograph depends on its header.
  private var dependsOnHeaders: Bool { grouping == .month || sorting == .date }

  /// Sorts the photographs of a snapshot into another order, with other sections if the grouping differs.
  ///
  /// Can be called on any thread.
  ///
  /// Photographs to insert are not inserted.
  ///
  /// - Returns: The arrangement that continues from there, and its snapshot.
  /// - Complexity: O(*n* log *n*) comparisons.
  func sorted(
    by order: LibraryOrder, _ snapshot: Snapshot, using catalogue: any PhotoRecords
  ) -> (arrangement: LibraryArrangement, snapshot: Snapshot) {
    var next = LibraryArrangement(order.grouping, by: order.sorting, listingOrder: listingOrder)
    var sorted = Snapshot()
    if catalogue.isComputed, order.sorting == order.grouping.naturalSorting {
      // An album is listed in this order.
      AlbumRange(numbers: 0..<snapshot.numberOfItems, grouping: order.grouping).append(to: &sorted, using: catalogue)
    } else if next.keepsListedOrder {
      sorted = ListedOrder.sorted(snapshot, order.grouping, listingOrder, using: catalogue)
    } else {
      sorted = next.sortedArrangement.sorted(
        snapshot, keepsSections: order.grouping == grouping, using: catalogue)
    }
    return (next, sorted)
  }

  /// Takes over the photographs to insert and those without a header from the last arrangement.
  ///
  /// - Complexity: O(1) if both arrangements treat the photographs in the same way. Otherwise O(*k*) for *k*
  ///   photographs, and O(*k* log *k*) if they were waiting for headers and no longer have to.
  mutating func adoptPendingItems(from last: LibraryArrangement, using catalogue: any PhotoRecords) {
    isFinished = last.isFinished
    insertsInOrder = last.insertsInOrder
    if readyItems.isEmpty, keepsListedOrder || !last.keepsListedOrder,
      isFinished || !dependsOnHeaders || last.dependsOnHeaders
    {
      (readyItems, readySet) = (last.readyItems, last.readySet)
    } else {
      addPhotos(last.readyItems, using: catalogue)
    }
    if dependsOnHeaders, waitingItems.isEmpty {
      waitingItems = last.waitingItems
    } else {
      addPhotos(last.waitingItems.sorted { $0.rawValue < $1.rawValue }, using: catalogue)
    }
    updatePhotos(last.movedItems, using: catalogue)
    listedNumbers = last.listedNumbers
  }

  /// Whether there are more photographs to insert than fit into a frame.
  var exceedsFrameBudget: Bool {
    readyItems.count + movedItems.count
      > (!keepsListedOrder
        ? LibraryArrangement.maximumSortedPerFrame
        : insertsInOrder ? LibraryArrangement.maximumInsertedPerFrame : LibraryArrangement.maximumListedPerFrame)
  }

  /// The maximum numbers of photographs that a frame sorts and merges, and that it appends: some milliseconds of work.
  static let (maximumSortedPerFrame, maximumListedPerFrame) = (2_000, 20_000)

  /// The maximum number of photographs that a frame inserts in listed order, each of which takes a search.
  private static let maximumInsertedPerFrame = 200

  /// Moves the photographs to insert into an arrangement for another thread.
  ///
  /// - Returns: An arrangement that inserts them. It then takes over what is waiting in this one.
  mutating func detachReadyItems() -> LibraryArrangement {
    var other = self
    (other.waitingItems, other.listedNumbers) = ([], listedNumbers.lowerBound..<listedNumbers.lowerBound)
    (readyItems, readySet, movedItems) = ([], [], [])
    return other
  }

  /// The number of photographs that are waiting for their header.
  var waitingCount: Int { waitingItems.count }

  /// Whether ``arrange(_:using:)`` has anything to do.
  var hasChanges: Bool { !readyItems.isEmpty || !movedItems.isEmpty || !listedNumbers.isEmpty }

  /// Adds photographs that the scan found, in its order.
  mutating func addPhotos(_ items: [PhotoID], using catalogue: any PhotoRecords) {
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
    if !keepsListedOrder { readySet.insert(item) }
  }

  /// Adds all pictures of an album with numbers below the given one.
  mutating func addListed(upTo end: Int) {
    listedNumbers = listedNumbers.lowerBound..<max(listedNumbers.lowerBound, end)
  }

  /// Takes the pictures of an album that ``arrange(_:using:)`` has omitted because they are too many for a frame.
  ///
  /// The caller must append them.
  mutating func takeRemaining() -> AlbumRange? {
    guard !listedNumbers.isEmpty else { return nil }
    defer { listedNumbers = listedNumbers.upperBound..<listedNumbers.upperBound }
    return AlbumRange(numbers: listedNumbers, grouping: grouping)
  }

  /// Updates the positions of photographs whose data has changed.
  ///
  /// - Complexity: O(1) per photograph on average.
  mutating func updatePhotos(_ items: [PhotoID], using catalogue: any PhotoRecords) {
    guard !keepsListedOrder else { return }
    for item in items where !dependsOnHeaders || catalogue.isRead(item) {
      if waitingItems.remove(item) != nil {
        markReady(item)
      } else if !readySet.contains(item),
        // A list may have another title for a picture, which decides among equal dates and sizes.
        catalogue.list(of: item) != nil || !sortedArrangement.isPlaced(item, using: catalogue)
      {
        movedItems.append(item)
      }
    }
  }

  /// Ends the scan.
  ///
  /// Photographs that are waiting for a header are arranged by their file date.
  mutating func finishScan() {
    for item in waitingItems.sorted(by: { $0.rawValue < $1.rawValue }) { markReady(item) }
    waitingItems = []
    isFinished = true
  }

  /// Begins an update after the scan: the headers of photographs that arrive will be read.
  mutating func beginUpdate() {
    isFinished = false
    insertsInOrder = true
  }

  /// Removes photographs from a snapshot, and forgets those that are not in it yet.
  ///
  /// - Complexity: O(*k* log *n*) for *k* photographs, and O(*m*) for *m* that wait.
  mutating func removeItems(_ items: [PhotoID], from snapshot: inout Snapshot) {
    let removed = Set(items)
    readyItems.removeAll { removed.contains($0) }
    readySet.subtract(removed)
    movedItems.removeAll { removed.contains($0) }
    waitingItems.subtract(removed)
    let shown = items.filter(snapshot.contains)
    if !shown.isEmpty { sortedArrangement.removeItems(shown, from: &snapshot) }
  }

  /// Inserts the photographs found since the last call into a snapshot.
  ///
  /// Of an album, only the first screens are inserted.
  ///
  /// - Complexity: O(log *n*) per photograph in the snapshot, and for months O(log *k*) comparisons per photograph for
  ///   *k* of them.
  mutating func arrange(_ snapshot: inout Snapshot, using catalogue: any PhotoRecords) {
    let first = listedNumbers.prefix(LibraryArrangement.firstBatchSize)
    AlbumRange(numbers: first, grouping: grouping).append(to: &snapshot, using: catalogue)
    listedNumbers = first.upperBound..<listedNumbers.upperBound
    defer { (readyItems, readySet, movedItems) = ([], [], []) }
    // Without grouping there is a single section. A section is created with its first photograph.
    if keepsListedOrder, insertsInOrder {
      ListedOrder.insertItems(readyItems, into: &snapshot, grouping, listingOrder, using: catalogue)
    } else if keepsListedOrder {
      var rest = readyItems[...]
      while let first = rest.first {
        let section = section(of: first, using: catalogue)
        let run = rest.prefix { self.section(of: $0, using: catalogue) == section }
        if snapshot.indexOfSection(section) == nil { snapshot.appendSections([section]) }
        snapshot.appendItems(Array(run), toSection: section)
        rest = rest.dropFirst(run.count)
      }
    } else {
      var seen: Set<PhotoID> = []
      let movedInSnapshot = movedItems.filter { snapshot.contains($0) && seen.insert($0).inserted }
      if !movedInSnapshot.isEmpty { sortedArrangement.removeItems(movedInSnapshot, from: &snapshot) }
      sortedArrangement.insertItems(readyItems + movedInSnapshot, into: &snapshot, using: catalogue)
    }
  }

  /// Inserts the new photographs of a rescan and removes missing ones, if the snapshot is not in the order of the scan.
  mutating func arrange(
    _ snapshot: inout Snapshot, adding arrived: [PhotoID], removing removed: [PhotoID],
    using catalogue: any PhotoRecords
  ) {
    if !removed.isEmpty { sortedArrangement.removeItems(removed, from: &snapshot) }
    readyItems = arrived
    arrange(&snapshot, using: catalogue)
  }

  /// Returns the section of a photograph, for groupings in which sections never change.
  func section(of item: PhotoID, using catalogue: any PhotoRecords) -> GallerySection {
    guard grouping == .folder, let folder = catalogue.folder(of: item) else { return .all }
    return .folder(folder)
  }
}

// MARK: - Album ranges

/// A range of an album's pictures to append to a snapshot, without any search or comparison per picture.
nonisolated struct AlbumRange: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// The numbers of the pictures.
  let numbers: Range<Int>
  /// How pictures are grouped into sections.
  let grouping: GalleryGrouping

  /// Appends the pictures to a snapshot.
  ///
  /// - Complexity: O(*k*) for *k* pictures, and for months a binary search per month.
  func append(to snapshot: inout Snapshot, using records: any PhotoRecords) {
    var start = numbers.lowerBound
    while start < numbers.upperBound {
      let section = section(of: start, using: records)
      let end = firstNumber(after: start, outside: section, using: records)
      if snapshot.indexOfSection(section) == nil { snapshot.appendSections([section]) }
      snapshot.appendItems((start..<end).map(AlbumRecords.id), toSection: section)
      start = end
    }
  }

  private func section(of number: Int, using records: any PhotoRecords) -> GallerySection {
    // Album pictures have no folders.
    guard grouping == .month else { return .all }
    return records.time(of: AlbumRecords.id(ofNumber: number)).map { .month(CalendarMonth(containing: $0)) } ?? .undated
  }

  /// Returns the first number after the given one that is in another month.
  ///
  /// Albums are ordered by month, so each month is a contiguous range of numbers.
  private func firstNumber(after start: Int, outside section: GallerySection, using records: any PhotoRecords) -> Int {
    guard grouping == .month else { return numbers.upperBound }
    var low = start + 1
    var high = numbers.upperBound
    while low < high {
      let middle = (low + high) / 2
      if self.section(of: middle, using: records) == section { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: - Sections, grouping and sorting

/// A section of the gallery.
nonisolated enum GallerySection: Hashable, Sendable {
  /// All photographs, in the order of their names.
  case all
  /// The photographs of a folder, without its subfolders.
  case folder(PhotoPath)
  /// The photographs of a month.
  case month(CalendarMonth)
  /// The photographs without a known date.
  case undated

  /// Whether the section has a header.
  var hasHeader: Bool { self != .all }

  /// Returns the title of the section's header.
  ///
  /// - Parameter folders: The titles of the library's folders.
  func title(_ folders: FolderTitles) -> String {
    switch self {
    case .all: "All photographs"
    case .folder(let path): folders.title(of: path)
    case .month(let month): month.name
    case .undated: "Without a date"
    }
  }

  /// Returns whether this section comes before another one: later months come first, undated photographs last, and
  /// folders are in the order of the scan.
  ///
  /// - Parameter order: The order of folders.
  func precedes(_ other: GallerySection, _ order: ListingOrder = ListingOrder()) -> Bool {
    switch (self, other) {
    case (.folder(let one), .folder(let another)): order.precedes(one, another)
    case (.month(let one), .month(let another)): one > another
    case (.month, .undated): true
    default: false
    }
  }
}

/// The grouping of the gallery's photographs into sections.
package enum GalleryGrouping: String, CaseIterable, Sendable {
  /// A single section, in the order of the scan.
  case none
  /// A section per folder, in the order of the scan.
  case folder
  /// A section per month, latest month first, with the earliest photograph first within a month.
  case month

  /// The order within sections unless another one is chosen: by date for months, otherwise by name.
  nonisolated var naturalSorting: GallerySorting { self == .month ? .date : .name }
}

/// The order of the gallery's photographs within a section.
package enum GallerySorting: String, CaseIterable, Sendable {
  /// By name, folder by folder. Pictures without files are in the order of the list.
  case name
  /// By capture date: latest first, but earliest first if sections are months.
  case date
  /// By file size, largest first.
  case size
}

/// The grouping and the order within sections of a library.
nonisolated struct LibraryOrder: Hashable, Sendable {
  /// How photographs are grouped into sections.
  let grouping: GalleryGrouping
  /// The order within a section.
  let sorting: GallerySorting

  /// Creates an order.
  ///
  /// - Parameters:
  ///   - grouping: How photographs are grouped into sections.
  ///   - sorting: The order within a section. Default: that which suits the grouping.
  init(_ grouping: GalleryGrouping, by sorting: GallerySorting? = nil) {
    self.grouping = grouping
    self.sorting = sorting ?? grouping.naturalSorting
  }
}
