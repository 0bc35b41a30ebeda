import DiffableData
import PhotoLibrary

/// Puts photographs into sections, each at its place by a number that says where it belongs: its time, or its size.
///
/// Months stand with the latest first. What comes is sorted, and then inserted run by run between what is there: nothing
/// that is there is sorted again or looked at, but for the few that a search asks.
nonisolated struct SortedArrangement: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  private let grouping: GalleryGrouping
  private let sorting: GallerySorting
  /// Under which number each photograph stands: ``absent`` where it stands nowhere.
  private var keys = PhotoColumn<Int64>(unset: SortedArrangement.absent)
  /// Under which time, where sections are months and the number is something else.
  private var times = PhotoColumn<Int64>(unset: SortedArrangement.undated)
  private static let absent = Int64.min
  private static let undated = Int64.max

  /// Makes an arrangement of nothing.
  init(_ grouping: GalleryGrouping = .month, by sorting: GallerySorting = .date) {
    self.grouping = grouping
    self.sorting = sorting
  }

  /// Whether a photograph stands where it belongs.
  func isPlaced(_ item: PhotoID, by catalogue: any PhotoRecords) -> Bool {
    keys[item] == key(of: item, catalogue) && (!keepsTimes || times[item] == time(of: item, catalogue))
  }

  /// Whether the number that sorts is not the one by which months are told.
  private var keepsTimes: Bool { grouping == .month && sorting != .date }

  private func time(of item: PhotoID, _ catalogue: any PhotoRecords) -> Int64 {
    catalogue.time(of: item) ?? SortedArrangement.undated
  }

  /// The smaller number comes first.
  private func key(of item: PhotoID, _ catalogue: any PhotoRecords) -> Int64 {
    switch sorting {
    case .name: 0
    case .size: -Int64(catalogue.byteCount(of: item))
    case .date:
      grouping == .month
        ? time(of: item, catalogue) : catalogue.time(of: item).map { -max($0, -.max) } ?? SortedArrangement.undated
    }
  }

  /// Puts photographs that do not stand there yet into a snapshot.
  ///
  /// - Complexity: O(k log k) comparisons for k photographs, and for each of the runs into which what stands there cuts
  ///   them a search and an insertion, each of the snapshot's cost in O(log n).
  mutating func insertItems(_ items: [PhotoID], into snapshot: inout Snapshot, by catalogue: any PhotoRecords) {
    for item in items {
      keys[item] = key(of: item, catalogue)
      if keepsTimes { times[item] = time(of: item, catalogue) }
    }
    for (section, members) in sections(of: items, catalogue) {
      mergeItems(members.sorted { precedes($0, $1, catalogue) }[...], into: section, &snapshot, catalogue)
    }
  }

  /// Puts all photographs of a snapshot into a new one, in this order; sections that are not months keep theirs.
  ///
  /// - Complexity: O(n log n) comparisons.
  mutating func sorted(_ snapshot: Snapshot, by catalogue: any PhotoRecords) -> Snapshot {
    var next = Snapshot()
    insertItems(snapshot.itemIdentifiers, into: &next, by: catalogue)
    return next
  }

  /// Takes photographs out of a snapshot, and sections with them that hold nothing else.
  mutating func removeItems(_ items: [PhotoID], from snapshot: inout Snapshot) {
    snapshot.deleteItems(items)
    for item in items { keys[item] = SortedArrangement.absent }
    let empty = snapshot.sectionIdentifiers.filter { snapshot.numberOfItems(inSection: $0) == 0 }
    if !empty.isEmpty { snapshot.deleteSections(empty) }
  }

  // MARK: Sections

  /// Photographs by section, sections in the order in which they come first.
  private func sections(
    of items: [PhotoID], _ catalogue: any PhotoRecords
  ) -> [(section: GallerySection, items: [PhotoID])] {
    var found: [(section: GallerySection, items: [PhotoID])] = []
    var places: [GallerySection: Int] = [:]
    var last: (section: GallerySection, place: Int)?
    for item in items {
      let section = section(of: item, catalogue)
      if let last, last.section == section {
        found[last.place].items.append(item)
        continue
      }
      let place = places[section] ?? found.count
      if place == found.count { found.append((section, [])) }
      places[section] = place
      found[place].items.append(item)
      last = (section, place)
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

  /// The index of a section, which is put in among the others where it is new.
  private func sectionIndex(of section: GallerySection, in snapshot: inout Snapshot) -> Int {
    if let rank = snapshot.indexOfSection(section) { return rank }
    let rank = firstIndex(from: 0, to: snapshot.numberOfSections) { place in
      snapshot.sectionIdentifier(at: place).map { section.precedes($0) } ?? true
    }
    if let next = snapshot.sectionIdentifier(at: rank) {
      snapshot.insertSections([section], beforeSection: next)
    } else {
      snapshot.appendSections([section])
    }
    return rank
  }

  // MARK: Places

  /// Inserts sorted photographs of one section between those that stand there.
  private func mergeItems(
    _ items: ArraySlice<PhotoID>, into section: GallerySection, _ snapshot: inout Snapshot,
    _ catalogue: any PhotoRecords
  ) {
    let rank = sectionIndex(of: section, in: &snapshot)
    var rest = items
    var place = 0
    while let first = rest.first {
      let count = snapshot.numberOfItems(inSectionAt: rank)
      place = firstIndex(from: place, to: count) { place in
        snapshot.itemIdentifier(section: rank, item: place).map { precedes(first, $0, catalogue) } ?? true
      }
      guard let next = snapshot.itemIdentifier(section: rank, item: place) else {
        snapshot.appendItems(Array(rest), toSection: section)
        return
      }
      let run = rest.prefix { precedes($0, next, catalogue) }
      snapshot.insertItems(Array(run), beforeItem: next)
      place += run.count
      rest = rest.dropFirst(run.count)
    }
  }

  /// Within a section: by the number, then by name; equal names of several folders by when they were found.
  private func precedes(_ one: PhotoID, _ other: PhotoID, _ catalogue: any PhotoRecords) -> Bool {
    let (key, otherKey) = (keys[one], keys[other])
    if key != otherKey { return key < otherKey }
    // What is computed is listed in order; comparing names would compute them over and over.
    guard !catalogue.isComputed else { return one.rawValue < other.rawValue }
    if let name = catalogue.name(of: one), let otherName = catalogue.name(of: other), name != otherName {
      return NaturalOrder.precedes(name, otherName)
    }
    return one.rawValue < other.rawValue
  }

  /// The first place with a property that all places behind it have too; most often that is the end, which is asked first.
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
