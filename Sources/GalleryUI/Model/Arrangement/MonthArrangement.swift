import DiffableData
import PhotoLibrary

/// Puts photographs into sections of months, each at its place: the latest month first, the earlier photograph first in it.
///
/// What comes is sorted, and then inserted run by run between what is there: nothing that is there is sorted again or
/// looked at, but for the few that a search asks.
nonisolated struct MonthArrangement: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// Under which time each photograph stands: ``undated`` where it has none, ``absent`` where it stands nowhere.
  private var times = PhotoColumn<Int64>(unset: MonthArrangement.absent)
  private static let absent = Int64.min
  private static let undated = Int64.max

  /// Whether a photograph stands where its time belongs.
  func holds(_ item: PhotoID, by catalogue: any PhotoRecords) -> Bool {
    times[item] == catalogue.time(of: item) ?? MonthArrangement.undated
  }

  /// Puts photographs that do not stand there yet into a snapshot.
  ///
  /// - Complexity: O(k log k) comparisons for k photographs, and for each of the runs into which what stands there cuts
  ///   them a search and an insertion, each of the snapshot's cost in O(log n).
  mutating func place(_ items: [PhotoID], in snapshot: inout Snapshot, by catalogue: any PhotoRecords) {
    for item in items { times[item] = catalogue.time(of: item) ?? MonthArrangement.undated }
    let sorted = items.sorted { precedes($0, $1, catalogue) }
    var start = 0
    while start < sorted.count {
      let section = section(of: sorted[start])
      var end = start + 1
      while end < sorted.count, self.section(of: sorted[end]) == section { end += 1 }
      merge(sorted[start..<end], into: section, &snapshot, catalogue)
      start = end
    }
  }

  /// Takes photographs out of a snapshot, and sections with them that hold nothing else.
  mutating func remove(_ items: [PhotoID], from snapshot: inout Snapshot) {
    snapshot.deleteItems(items)
    for item in items { times[item] = MonthArrangement.absent }
    let empty = snapshot.sectionIdentifiers.filter { snapshot.numberOfItems(inSection: $0) == 0 }
    if !empty.isEmpty { snapshot.deleteSections(empty) }
  }

  private func section(of item: PhotoID) -> GallerySection {
    times[item] == MonthArrangement.undated ? .undated : .month(CalendarMonth(holding: times[item]))
  }

  /// Inserts sorted photographs of one section between those that stand there.
  private func merge(
    _ items: ArraySlice<PhotoID>, into section: GallerySection, _ snapshot: inout Snapshot,
    _ catalogue: any PhotoRecords
  ) {
    let rank = rank(of: section, in: &snapshot)
    var rest = items
    var place = 0
    while let first = rest.first {
      let count = snapshot.numberOfItems(inSectionAt: rank)
      place = firstPlace(from: place, to: count) { place in
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

  /// The index of a section, which is put in among the others where it is new.
  private func rank(of section: GallerySection, in snapshot: inout Snapshot) -> Int {
    if let rank = snapshot.indexOfSection(section) { return rank }
    let rank = firstPlace(from: 0, to: snapshot.numberOfSections) { place in
      snapshot.sectionIdentifier(at: place).map { section.precedes($0) } ?? true
    }
    if let next = snapshot.sectionIdentifier(at: rank) {
      snapshot.insertSections([section], beforeSection: next)
    } else {
      snapshot.appendSections([section])
    }
    return rank
  }

  /// By section, then by time, then by name; equal names of several folders by when they were found.
  private func precedes(_ one: PhotoID, _ other: PhotoID, _ catalogue: any PhotoRecords) -> Bool {
    let (time, otherTime) = (times[one], times[other])
    if time != otherTime {
      let (section, otherSection) = (section(of: one), section(of: other))
      return section == otherSection ? time < otherTime : section.precedes(otherSection)
    }
    if let name = catalogue.name(of: one), let otherName = catalogue.name(of: other), name != otherName {
      return NaturalOrder.precedes(name, otherName)
    }
    return one.rawValue < other.rawValue
  }

  /// The first place with a property that all places behind it have too; most often that is the end, which is asked first.
  private func firstPlace(from start: Int, to end: Int, where isBehind: (Int) -> Bool) -> Int {
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
