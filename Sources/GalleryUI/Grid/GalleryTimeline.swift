import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineScrollPhysics
import VitrineViews

/// A data source for the scrubber that labels the positions along the scroll indicator.
///
/// The labels are the sections. Without sections, they are the months or the initials of the names, depending on the
/// sort order.
final class GalleryTimeline: ScrubberDataSource {
  private weak var grid: CollectionView?
  private weak var dataSource: DiffableDataSource<GallerySection, PhotoID>?
  private let library: LibraryModel

  init(grid: CollectionView, dataSource: DiffableDataSource<GallerySection, PhotoID>, library: LibraryModel) {
    self.grid = grid
    self.dataSource = dataSource
    self.library = library
  }

  private var hasSections: Bool { dataSource?.sectionIdentifier(for: 0)?.hasHeader ?? false }

  /// The number of sections, or of photographs if there are no sections.
  var numberOfSegments: Int {
    guard let grid else { return 0 }
    return hasSections ? grid.numberOfSections : grid.itemCount
  }

  func offset(ofSegment segment: Int) -> Double {
    guard let grid else { return 0 }
    if hasSections { return grid.contentOffset(ofSection: segment) ?? 0 }
    return grid.frameOfItem(at: grid.indexPath(at: segment)).map { $0.minY - Metrics.margin } ?? 0
  }

  func title(ofSegment segment: Int) -> ScrubberTitle {
    if hasSections {
      return dataSource?.sectionIdentifier(for: segment)?.scrubberTitle(library.folderTitles)
        ?? ScrubberTitle(name: "", label: "")
    }
    return dataSource?.itemIdentifier(atFlatIndex: segment).map(title(of:)) ?? ScrubberTitle(name: "", label: "")
  }

  /// Returns the title that neighboring photographs share.
  ///
  /// It is empty if photographs are sorted by size.
  private func title(of item: PhotoID) -> ScrubberTitle {
    switch library.arrangement.sorting {
    case .date: return library.descriptions.month(of: item).scrubberTitle(library.folderTitles)
    case .name:
      let initial = library.descriptions.initial(of: item) ?? ""
      return ScrubberTitle(name: initial, label: initial)
    case .size: return ScrubberTitle(name: "", label: "")
    }
  }

  /// Returns the section's name.
  ///
  /// In fine mode it returns the day instead of the month; without sections or dates, the photograph's name.
  func bubbleText(at offset: Double, isFine: Bool) -> String? {
    guard let grid else { return nil }
    guard hasSections else {
      let item = firstVisibleItem(from: offset, among: 0..<grid.itemCount, in: grid)
      guard library.arrangement.sorting == .date else { return item.map(library.caption) }
      return item.map { (isFine ? library.descriptions.dayText(of: $0) : nil) ?? title(of: $0).name }
    }
    guard let section = segment(at: offset) else { return nil }
    guard isFine, case .month? = dataSource?.sectionIdentifier(for: section),
      let first = grid.flatIndex(at: IndexPath(item: 0, section: section)),
      let count = dataSource?.displayedSnapshot().numberOfItems(inSectionAt: section),
      let item = firstVisibleItem(from: offset + Metrics.headerHeight, among: first..<first + count, in: grid)
    else { return title(ofSegment: section).name }
    return library.descriptions.dayText(of: item)
  }

  /// Returns the first photograph of which at least half is visible if the viewport starts at the given offset, or else
  /// the last one.
  ///
  /// - Complexity: O(log *n*) layout queries.
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
  /// Returns the title at the scroll indicator.
  nonisolated func scrubberTitle(_ folders: FolderTitles) -> ScrubberTitle {
    let title = title(folders)
    return switch self {
    case .all, .folder: ScrubberTitle(name: title, label: title)
    case .month(let month):
      ScrubberTitle(name: month.name, label: String(month.name.prefix(3)), group: String(month.year))
    case .undated: ScrubberTitle(name: title, label: "No date", group: "No date")
    }
  }
}
