import DiffableData
import PhotoLibrary

/// Where the photographs that a scan finds stand: in which section, and in which order there.
///
/// By months a photograph is placed once, when its header is known: by its file's date it would be somewhere else first,
/// and jump. Those whose headers are still to be read wait, and are counted.
nonisolated struct LibraryArrangement: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// By what photographs are put into sections.
  let grouping: GalleryGrouping
  private var months = MonthArrangement()
  /// To be placed, in the order of the scan.
  private var ready: [PhotoID] = []
  /// Known ones that belong elsewhere.
  private var moved: [PhotoID] = []
  private var waiting: Set<PhotoID> = []
  /// The numbers of an album's pictures that were listed, without those that were placed.
  private var listed = 0..<0
  /// Pictures of an album that are placed at once: more than a window shows.
  private static let firstScreens = 4_000

  /// Makes an arrangement of nothing.
  init(_ grouping: GalleryGrouping) { self.grouping = grouping }

  /// Photographs that were found and wait for their header.
  var waitingCount: Int { waiting.count }

  /// Whether ``arrange(_:by:)`` has anything to do.
  var hasNews: Bool { !ready.isEmpty || !moved.isEmpty || !listed.isEmpty }

  /// The scan found photographs, in this order.
  mutating func find(_ items: [PhotoID], by catalogue: any PhotoRecords) {
    for item in items {
      if grouping == .month, !catalogue.isRead(item) {
        waiting.insert(item)
      } else {
        ready.append(item)
      }
    }
  }

  /// The pictures of an album up to a number, that one left out, are there.
  mutating func list(upTo end: Int) { listed = listed.lowerBound..<max(listed.lowerBound, end) }

  /// The pictures of an album that ``arrange(_:by:)`` has left out as they are too many for a frame; they are the
  /// caller's now.
  mutating func takeRest() -> AlbumStretch? {
    guard !listed.isEmpty else { return nil }
    defer { listed = listed.upperBound..<listed.upperBound }
    return AlbumStretch(numbers: listed, grouping: grouping)
  }

  /// What is known of photographs is different.
  mutating func learn(_ items: [PhotoID], by catalogue: any PhotoRecords) {
    guard grouping == .month else { return }
    for item in items where catalogue.isRead(item) {
      if waiting.remove(item) != nil {
        ready.append(item)
      } else if !months.holds(item, by: catalogue), !ready.contains(item) {
        moved.append(item)
      }
    }
  }

  /// No more headers will be read: who still waits is placed by the file's date.
  mutating func finish() {
    ready += waiting.sorted { $0.rawValue < $1.rawValue }
    waiting = []
  }

  /// Puts into a snapshot what was found since the last time; of an album no more than fills the first screens.
  ///
  /// - Complexity: O(log n) for each photograph, as the snapshot states it, and by months O(log k) comparisons for one of k.
  mutating func arrange(_ snapshot: inout Snapshot, by catalogue: any PhotoRecords) {
    let first = listed.prefix(LibraryArrangement.firstScreens)
    AlbumStretch(numbers: first, grouping: grouping).append(to: &snapshot, by: catalogue)
    listed = first.upperBound..<listed.upperBound
    defer { (ready, moved) = ([], []) }
    switch grouping {
    // Without groups all are of one section; no section is there before its first photograph.
    case .none, .folder:
      var rest = ready[...]
      while let first = rest.first {
        let section = section(of: first, by: catalogue)
        let run = rest.prefix { self.section(of: $0, by: catalogue) == section }
        if snapshot.indexOfSection(section) == nil { snapshot.appendSections([section]) }
        snapshot.appendItems(Array(run), toSection: section)
        rest = rest.dropFirst(run.count)
      }
    case .month:
      var seen: Set<PhotoID> = []
      let there = moved.filter { snapshot.contains($0) && seen.insert($0).inserted }
      if !there.isEmpty { months.remove(there, from: &snapshot) }
      months.place(ready + there, in: &snapshot, by: catalogue)
    }
  }

  /// The photographs of another scan, in its order, and what is gone: for months, where no order is compared.
  mutating func arrange(
    _ snapshot: inout Snapshot, adding arrived: [PhotoID], removing removed: [PhotoID], by catalogue: any PhotoRecords
  ) {
    if !removed.isEmpty { months.remove(removed, from: &snapshot) }
    ready = arrived
    arrange(&snapshot, by: catalogue)
  }

  /// The section of a photograph where that does not change.
  func section(of item: PhotoID, by catalogue: any PhotoRecords) -> GallerySection {
    guard grouping == .folder, let folder = catalogue.folder(of: item) else { return .all }
    return .folder(folder)
  }
}
