import DiffableData
import PhotoLibrary

/// An arrangement of photographs in sections that are sorted by a key: the time or the size.
///
/// Months are ordered latest first. New photographs are sorted and then merged run by run into a snapshot. Photographs
/// that are already in the snapshot are neither sorted again nor read, except for the few that a binary search visits.
nonisolated struct SortedArrangement: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  private let grouping: GalleryGrouping
  private let sorting: GallerySorting
  /// The sort key of each photograph, or ``absent`` if it is not in the snapshot.
  private var keys = PhotoColumn<Int64>(unset: SortedArrangement.absent)
  /// The time of each photograph, if sections are months and the sort key is not the time.
  private var times = PhotoColumn<Int64>(unset: SortedArrangement.undated)
  private static let absent = Int64.min
  private static let undated = Int64.max

  /// Creates an empty arrangement.
  init(_ grouping: GalleryGrouping = .month, by sorting: GallerySorting = .date) {
    self.grouping = grouping
    self.sorting = sorting
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
  /// Sections that are not months keep their order.
  ///
  /// - Complexity: O(*n* log *n*) comparisons.
  mutating func sorted(_ snapshot: Snapshot, using catalogue: any PhotoRecords) -> Snapshot {
    var next = Snapshot()
    insertItems(snapshot.itemIdentifiers, into: &next, using: catalogue)
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

  /// Returns the index of a section, and inserts the section if it is new.
  private func sectionIndex(of section: GallerySection, in snapshot: inout Snapshot) -> Int {
    if let rank = snapshot.indexOfSection(section) { return rank }
    let rank = firstIndex(from: 0, to: snapshot.numberOfSections) { index in
      snapshot.sectionIdentifier(at: index).map { section.precedes($0) } ?? true
    }
    if let next = snapshot.sectionIdentifier(at: rank) {
      snapshot.insertSections([section], beforeSection: next)
    } else {
      snapshot.appendSections([section])
    }
    return rank
  }

  // MARK: Positions

  /// Merges sorted photographs into a section.
  private func mergeItems(
    _ items: ArraySlice<PhotoID>, into section: GallerySection, _ snapshot: inout Snapshot,
    _ catalogue: any PhotoRecords
  ) {
    let rank = sectionIndex(of: section, in: &snapshot)
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

  /// Returns whether a photograph precedes another one: by key, then by name, then by identifier.
  private func precedes(_ one: PhotoID, _ other: PhotoID, _ catalogue: any PhotoRecords) -> Bool {
    let (key, otherKey) = (keys[one], keys[other])
    if key != otherKey { return key < otherKey }
    // Computed photographs are listed in order; comparing their names would compute the names repeatedly.
    guard !catalogue.isComputed else { return one.rawValue < other.rawValue }
    if let name = catalogue.name(of: one), let otherName = catalogue.name(of: other), name != otherName {
      return NaturalOrder.precedes(name, otherName)
    }
    return one.rawValue < other.rawValue
  }

  /// Returns the first index for which a predicate is true that is true for all later indices too.
  ///
  /// The last index is tested first, because most insertions are at the end.
  private func firstIndex(from start: Int, to end: Int, where isBehind: (Int) -> Bool) -> Int {
    guard start < end, isBehind(end - 1) else { return end }
    var low = start
    var high = end - 1
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

// MARK: - Listed order

/// A sort that restores the order in which a scan lists photographs: folder by folder, by name.
nonisolated enum ListedOrder {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// Returns a snapshot with the photographs in listed order.
  ///
  /// Photographs without folders are in the order in which they were found.
  ///
  /// - Complexity: O(*n* log *n*) comparisons of names.
  static func sorted(_ snapshot: Snapshot, _ grouping: GalleryGrouping, using catalogue: any PhotoRecords) -> Snapshot {
    var folders: [PhotoPath?: [PhotoID]] = [:]
    var order: [PhotoPath?] = []
    // Identifiers increase in the order of discovery, and folders are read one after the other.
    for item in snapshot.itemIdentifiers.sorted(by: { $0.rawValue < $1.rawValue }) {
      let folder = catalogue.folder(of: item)
      if folders[folder] == nil { order.append(folder) }
      folders[folder, default: []].append(item)
    }
    var next = Snapshot()
    for folder in order {
      guard var items = folders[folder] else { continue }
      if folder != nil {
        let names = items.map { (item: $0, key: NaturalOrder.sortKey(of: catalogue.name(of: $0) ?? [])) }
        items = names.sorted { one, other in
          one.key == other.key ? one.item.rawValue < other.item.rawValue : one.key.lexicographicallyPrecedes(other.key)
        }.map(\.item)
      }
      let section = grouping == .folder ? folder.map(GallerySection.folder) ?? .all : .all
      if next.indexOfSection(section) == nil { next.appendSections([section]) }
      next.appendItems(items, toSection: section)
    }
    return next
  }
}
