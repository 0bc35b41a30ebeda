import VitrineDiffableData
import VitrineImageMetadata
import VitrinePhotoLibrary

/// An arrangement of photographs in sections that are sorted by a key: the time or the size.
///
/// Months are ordered latest first. New photographs are sorted and then merged run by run into a snapshot. Photographs
/// that are already in the snapshot are neither sorted again nor read, except for the few that a binary search visits.
nonisolated struct SortedArrangement: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  private let grouping: GalleryGrouping
  private let sorting: GallerySorting
  /// The order of folders.
  private let listingOrder: ListingOrder
  /// The sort key of each photograph, or ``absent`` if it is not in the snapshot.
  private var keys = PhotoColumn<Int64>(unset: SortedArrangement.absent)
  /// The time of each photograph, if sections are months and the sort key is not the time.
  private var times = PhotoColumn<Int64>(unset: SortedArrangement.undated)
  private static let absent = Int64.min
  private static let undated = Int64.max

  /// Creates an empty arrangement.
  init(
    _ grouping: GalleryGrouping = .month, by sorting: GallerySorting = .date,
    listingOrder: ListingOrder = ListingOrder()
  ) {
    self.grouping = grouping
    self.sorting = sorting
    self.listingOrder = listingOrder
  }

  /// Returns whether a photograph is at its correct position.
  func isPlaced(_ item: PhotoID, using catalogue: any PhotoRecords) -> Bool {
    keys[item] == key(of: item, catalogue) && (!keepsTimes || times[item] == time(of: item, catalogue))
  }

  /// Whether times are stored in addition to keys, because months do not follow from the keys.
  private var keepsTimes: Bool { grouping == .month && sorting != .date }

  private func time(of item: PhotoID, _ catalogue: any PhotoRecords) -> Int64 {
    catalogue.time(of: item) ?? SortedArrangement.undated
  }

  /// Returns the sort key, in ascending order.
  private func key(of item: PhotoID, _ catalogue: any PhotoRecords) -> Int64 {
    switch sorting {
    case .name: 0
    case .size: -Int64(catalogue.byteCount(of: item))
    case .date:
      grouping == .month
        ? time(of: item, catalogue) : catalogue.time(of: item).map { -max($0, -.max) } ?? SortedArrangement.undated
    }
  }

  /// Inserts photographs that are not in the snapshot.
  ///
  /// - Complexity: O(*k* log *k*) comparisons for *k* photographs, and a search and an insertion, each O(log *n*), for
  ///   every run of adjacent new photographs.
  mutating func insertItems(_ items: [PhotoID], into snapshot: inout Snapshot, using catalogue: any PhotoRecords) {
    for item in items {
      keys[item] = key(of: item, catalogue)
      if keepsTimes { times[item] = time(of: item, catalogue) }
    }
    for (section, members) in sections(of: items, catalogue) {
      mergeItems(members.sorted { precedes($0, $1, catalogue) }[...], into: section, &snapshot, catalogue)
    }
  }

  /// Returns a snapshot with all photographs in the new order.
  ///
  /// Sections that are not months keep their order, or without sections of this grouping get the order of folders.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - keepsSections: Whether the snapshot has sections of this grouping. Default: true.
  ///   - catalogue: The records of the photographs.
  /// - Complexity: O(*n* log *n*) comparisons.
  mutating func sorted(
    _ snapshot: Snapshot, keepsSections: Bool = true, using catalogue: any PhotoRecords
  ) -> Snapshot {
    var next = Snapshot()
    var items = snapshot.itemIdentifiers
    // Identifiers increase in the order of discovery, which is that of folders.
    if !keepsSections { items.sort { $0.rawValue < $1.rawValue } }
    insertItems(items, into: &next, using: catalogue)
    return next
  }

  /// Removes photographs from a snapshot, and sections that become empty.
  mutating func removeItems(_ items: [PhotoID], from snapshot: inout Snapshot) {
    snapshot.deleteItems(items)
    for item in items { keys[item] = SortedArrangement.absent }
    let empty = snapshot.sectionIdentifiers.filter { snapshot.numberOfItems(inSection: $0) == 0 }
    if !empty.isEmpty { snapshot.deleteSections(empty) }
  }

  // MARK: Sections

  /// Returns the photographs grouped by section, with sections in the order of their first photograph.
  private func sections(
    of items: [PhotoID], _ catalogue: any PhotoRecords
  ) -> [(section: GallerySection, items: [PhotoID])] {
    var found: [(section: GallerySection, items: [PhotoID])] = []
    var indexBySection: [GallerySection: Int] = [:]
    var last: (section: GallerySection, index: Int)?
    for item in items {
      let section = section(of: item, catalogue)
      if let last, last.section == section {
        found[last.index].items.append(item)
        continue
      }
      let index = indexBySection[section] ?? found.count
      if index == found.count { found.append((section, [])) }
      indexBySection[section] = index
      found[index].items.append(item)
      last = (section, index)
    }
    return found
  }

  private func section(of item: PhotoID, _ catalogue: any PhotoRecords) -> GallerySection {
    switch grouping {
    case .none: return .all
    case .folder: return catalogue.folder(of: item).map(GallerySection.folder) ?? .all
    case .month:
      let time = keepsTimes ? times[item] : keys[item]
      return time == SortedArrangement.undated ? .undated : .month(CalendarMonth(containing: time))
    }
  }

  // MARK: Positions

  /// Merges sorted photographs into a section.
  private func mergeItems(
    _ items: ArraySlice<PhotoID>, into section: GallerySection, _ snapshot: inout Snapshot,
    _ catalogue: any PhotoRecords
  ) {
    let rank = ListedOrder.sectionIndex(of: section, listingOrder, in: &snapshot)
    var rest = items
    var index = 0
    while let first = rest.first {
      let count = snapshot.numberOfItems(inSectionAt: rank)
      index = firstIndex(from: index, to: count) { index in
        snapshot.itemIdentifier(section: rank, item: index).map { precedes(first, $0, catalogue) } ?? true
      }
      guard let next = snapshot.itemIdentifier(section: rank, item: index) else {
        snapshot.appendItems(Array(rest), toSection: section)
        return
      }
      let run = rest.prefix { precedes($0, next, catalogue) }
      snapshot.insertItems(Array(run), beforeItem: next)
      index += run.count
      rest = rest.dropFirst(run.count)
    }
  }

  /// Returns whether a photograph precedes another one: by key, by name, by folder, and then by identifier.
  private func precedes(_ one: PhotoID, _ other: PhotoID, _ catalogue: any PhotoRecords) -> Bool {
    let (key, otherKey) = (keys[one], keys[other])
    if key != otherKey { return key < otherKey }
    // Computed photographs are listed in order; comparing their names would compute the names repeatedly.
    guard !catalogue.isComputed else { return one.rawValue < other.rawValue }
    if let name = catalogue.name(of: one), let otherName = catalogue.name(of: other), name != otherName {
      return NaturalOrder.precedes(name, otherName)
    }
    if let folder = catalogue.folder(of: one), let otherFolder = catalogue.folder(of: other), folder != otherFolder {
      if listingOrder.precedes(folder, otherFolder) { return true }
      if listingOrder.precedes(otherFolder, folder) { return false }
    }
    return one.rawValue < other.rawValue
  }
}

// MARK: - Listed order

/// The order in which a scan lists folders: root by root, a folder before those within, and those in natural order.
nonisolated struct ListingOrder: Hashable, Sendable {
  /// The roots of the library.
  var roots: [PhotoPath] = []

  /// Returns whether one folder is listed before another one; false without roots.
  func precedes(_ folder: PhotoPath, _ other: PhotoPath) -> Bool {
    guard let rank = rank(of: folder), let otherRank = self.rank(of: other) else { return false }
    return rank == otherRank ? folder.listingKey.lexicographicallyPrecedes(other.listingKey) : rank < otherRank
  }

  private func rank(of folder: PhotoPath) -> Int? { roots.firstIndex { folder.isWithin($0) } }
}

/// A sort that restores the order in which a scan lists photographs: folder by folder, by name.
nonisolated enum ListedOrder {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// Returns a snapshot with the photographs in listed order.
  ///
  /// Photographs without folders are in the order of their lists, or else in that in which they were found.
  ///
  /// - Complexity: O(*n* log *n*) comparisons of names.
  static func sorted(
    _ snapshot: Snapshot, _ grouping: GalleryGrouping, _ listingOrder: ListingOrder, using catalogue: any PhotoRecords
  ) -> Snapshot {
    var folders: [PhotoPath?: [PhotoID]] = [:]
    var order: [PhotoPath?] = []
    // Identifiers increase in the order of discovery, and folders are read one after the other. Some are found later.
    for item in snapshot.itemIdentifiers.sorted(by: { $0.rawValue < $1.rawValue }) {
      let folder = catalogue.folder(of: item)
      if folders[folder] == nil { order.append(folder) }
      folders[folder, default: []].append(item)
    }
    if !listingOrder.roots.isEmpty {
      let ranked = order.enumerated().sorted { one, other in
        guard let folder = one.element, let otherFolder = other.element else { return one.offset < other.offset }
        if listingOrder.precedes(folder, otherFolder) { return true }
        return one.offset < other.offset && !listingOrder.precedes(otherFolder, folder)
      }
      order = ranked.map(\.element)
    }
    var next = Snapshot()
    for folder in order {
      guard var items = folders[folder] else { continue }
      if folder != nil {
        let names = items.map { (item: $0, key: NaturalOrder.sortKey(of: catalogue.name(of: $0) ?? [])) }
        items = names.sorted { one, other in
          one.key == other.key ? one.item.rawValue < other.item.rawValue : one.key.lexicographicallyPrecedes(other.key)
        }.map(\.item)
      } else if items.contains(where: { catalogue.list(of: $0) != nil }) {
        let places = items.map { item in
          (catalogue.list(of: item) ?? .max, catalogue.listPosition(of: item) ?? 0, item.rawValue)
        }
        items = places.sorted(by: <).map { PhotoID(rawValue: $0.2) }
      }
      let section = grouping == .folder ? folder.map(GallerySection.folder) ?? .all : .all
      if next.indexOfSection(section) == nil { next.appendSections([section]) }
      next.appendItems(items, toSection: section)
    }
    return next
  }

  /// Inserts photographs into a snapshot in listed order, each at its place.
  ///
  /// - Complexity: O(*k* log *n*) comparisons for *k* photographs and *n* in the snapshot.
  static func insertItems(
    _ items: [PhotoID], into snapshot: inout Snapshot, _ grouping: GalleryGrouping, _ order: ListingOrder,
    using catalogue: any PhotoRecords
  ) {
    func precedes(_ one: PhotoID, _ other: PhotoID) -> Bool {
      if let folder = catalogue.folder(of: one), let otherFolder = catalogue.folder(of: other), folder != otherFolder {
        return order.precedes(folder, otherFolder)
      }
      guard let name = catalogue.name(of: one), let otherName = catalogue.name(of: other), name != otherName else {
        return one.rawValue < other.rawValue
      }
      return NaturalOrder.precedes(name, otherName)
    }
    // They arrive in listed order, but several updates may have been collected.
    var rest = items[...]
    if !zip(items, items.dropFirst()).allSatisfy({ precedes($0, $1) }) { rest = items.sorted(by: precedes)[...] }
    while let first = rest.first {
      let section = grouping == .folder ? catalogue.folder(of: first).map(GallerySection.folder) ?? .all : .all
      let rank = sectionIndex(of: section, order, in: &snapshot)
      let count = snapshot.numberOfItems(inSectionAt: rank)
      let index = firstIndex(from: 0, to: count) { index in
        snapshot.itemIdentifier(section: rank, item: index).map { precedes(first, $0) } ?? true
      }
      let next = snapshot.itemIdentifier(section: rank, item: index)
      let run = rest.prefix { item in
        let isInSection = grouping != .folder || catalogue.folder(of: item) == catalogue.folder(of: first)
        return isInSection && next.map { precedes(item, $0) } ?? true
      }
      if let next {
        snapshot.insertItems(Array(run), beforeItem: next)
      } else {
        snapshot.appendItems(Array(run), toSection: section)
      }
      rest = rest.dropFirst(run.count)
    }
  }

  /// Returns the index of a section, and inserts the section at its place if it is new.
  fileprivate static func sectionIndex(
    of section: GallerySection, _ order: ListingOrder, in snapshot: inout Snapshot
  ) -> Int {
    if let rank = snapshot.indexOfSection(section) { return rank }
    let rank = firstIndex(from: 0, to: snapshot.numberOfSections) { index in
      snapshot.sectionIdentifier(at: index).map { section.precedes($0, order) } ?? true
    }
    if let next = snapshot.sectionIdentifier(at: rank) {
      snapshot.insertSections([section], beforeSection: next)
    } else {
      snapshot.appendSections([section])
    }
    return rank
  }
}

/// Returns the first index for which a predicate is true that is true for all later indices too.
///
/// The last index is tested first, because most insertions are at the end.
private nonisolated func firstIndex(from start: Int, to end: Int, where isBehind: (Int) -> Bool) -> Int {
  guard start < end, isBehind(end - 1) else { return end }
  var low = start
  var high = end - 1
  while low < high {
    let middle = (low + high) / 2
    if isBehind(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
