import DiffableData
import PhotoLibrary

/// Neighbours of an album that are to stand behind what stands there: nothing is searched or compared for any of them.
nonisolated struct AlbumRange: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// Their numbers.
  let numbers: Range<Int>
  /// By what photographs are put into sections.
  let grouping: GalleryGrouping

  /// Puts them into a snapshot.
  ///
  /// - Complexity: O(k) for k pictures, and by months a binary search for each month.
  func append(to snapshot: inout Snapshot, by records: any PhotoRecords) {
    var start = numbers.lowerBound
    while start < numbers.upperBound {
      let section = section(of: start, by: records)
      let end = firstNumber(after: start, outside: section, by: records)
      if snapshot.indexOfSection(section) == nil { snapshot.appendSections([section]) }
      snapshot.appendItems((start..<end).map(AlbumRecords.id), toSection: section)
      start = end
    }
  }

  private func section(of number: Int, by records: any PhotoRecords) -> GallerySection {
    // There are no folders.
    guard grouping == .month else { return .all }
    return records.time(of: AlbumRecords.id(ofNumber: number)).map { .month(CalendarMonth(containing: $0)) } ?? .undated
  }

  /// An album goes from month to month: the end of one is between two numbers.
  private func firstNumber(after start: Int, outside section: GallerySection, by records: any PhotoRecords) -> Int {
    guard grouping == .month else { return numbers.upperBound }
    var low = start + 1
    var high = numbers.upperBound
    while low < high {
      let middle = (low + high) / 2
      if self.section(of: middle, by: records) == section { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
