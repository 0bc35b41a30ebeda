import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import PhotoLibrary
import ScrollPhysics
import Views

/// Names the grid's content along its scroll indicator: sections where there are some, and otherwise what photographs are
/// in order of, months or the initials of names.
final class GalleryTimeline: ScrubberDataSource {
  private weak var grid: CollectionView?
  private weak var dataSource: DiffableDataSource<GallerySection, PhotoID>?
  private let library: LibraryModel

  init(grid: CollectionView, dataSource: DiffableDataSource<GallerySection, PhotoID>, library: LibraryModel) {
    self.grid = grid
    self.dataSource = dataSource
    self.library = library
  }

  private var hasSections: Bool { library.arrangement.grouping != .none }

  /// Sections, or photographs where all are in one.
  var numberOfSegments: Int {
    guard let grid else { return 0 }
    return hasSections ? grid.numberOfSections : grid.itemCount
  }

  func offset(ofSegment stretch: Int) -> Double {
    guard let grid else { return 0 }
    if hasSections { return grid.contentOffset(ofSection: stretch) ?? 0 }
    return grid.frameOfItem(at: grid.indexPath(at: stretch)).map { $0.minY - Metrics.margin } ?? 0
  }

  func title(ofSegment stretch: Int) -> ScrubberTitle {
    if hasSections {
      return dataSource?.sectionIdentifier(for: stretch)?.scrubberTitle ?? ScrubberTitle(name: "", label: "")
    }
    return dataSource?.itemIdentifier(atFlatIndex: stretch).map(title(of:)) ?? ScrubberTitle(name: "", label: "")
  }

  /// What photographs that stand beside each other have in common; nothing where they are in order of their sizes.
  private func title(of item: PhotoID) -> ScrubberTitle {
    switch library.arrangement.sorting {
    case .date: return library.month(of: item).scrubberTitle
    case .name:
      let initial = library.initial(of: item) ?? ""
      return ScrubberTitle(name: initial, label: initial)
    case .size: return ScrubberTitle(name: "", label: "")
    }
  }

  /// The section's name; in fine steps the day where months are said; without sections or dates the photograph's name.
  func bubbleText(at offset: Double, isFine: Bool) -> String? {
    guard let grid else { return nil }
    guard hasSections else {
      let item = firstVisibleItem(from: offset, among: 0..<grid.itemCount, in: grid)
      guard library.arrangement.sorting == .date else { return item.map(library.caption) }
      return item.map { (isFine ? library.dayText(of: $0) : nil) ?? title(of: $0).name }
    }
    guard let section = segment(at: offset) else { return nil }
    guard isFine, case .month? = dataSource?.sectionIdentifier(for: section),
      let first = grid.flatIndex(at: IndexPath(item: 0, section: section)),
      let count = dataSource?.shownSnapshot().numberOfItems(inSectionAt: section),
      let item = firstVisibleItem(from: offset + Metrics.headerHeight, among: first..<first + count, in: grid)
    else { return title(ofSegment: section).name }
    return library.dayText(of: item)
  }

  /// The first photograph that is seen at least by half where the view begins at a line of the content; the last one where
  /// none is.
  ///
  /// - Complexity: O(log n) questions to the layout.
  private func firstVisibleItem(from top: Double, among items: Range<Int>, in grid: CollectionView) -> PhotoID? {
    guard !items.isEmpty else { return nil }
    var (low, high) = (items.lowerBound, items.upperBound - 1)
    while low < high {
      let middle = low + (high - low) / 2
      let frame = grid.frameOfItem(at: grid.indexPath(at: middle))
      if frame.map({ $0.midY >= top }) ?? true { high = middle } else { low = middle + 1 }
    }
    return dataSource?.itemIdentifier(atFlatIndex: low)
  }
}

extension GallerySection {
  /// What it is called at the scroll indicator.
  nonisolated var scrubberTitle: ScrubberTitle {
    switch self {
    case .all, .folder: ScrubberTitle(name: title, label: title)
    case .month(let month):
      ScrubberTitle(name: month.name, label: String(month.name.prefix(3)), group: String(month.year))
    case .undated: ScrubberTitle(name: title, label: "No date", group: "No date")
    }
  }
}
