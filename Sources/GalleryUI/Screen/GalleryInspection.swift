import CollectionUI
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
package import VitrineGeometry
import VitrineImagePipeline
package import VitrinePhotoLibrary
import VitrineViews

/// What a check of the whole gallery reads: what is displayed, and what its owners are doing.
///
/// Nothing is changed by reading.
package struct GalleryInspection {
  /// A displayed cell.
  package struct Cell {
    /// The index of the cell's item, or nil if the item was removed and the cell is leaving.
    package let index: Int?
    /// The photograph that the cell shows.
    package let item: PhotoID?
    /// The photograph at the index in the displayed snapshot.
    package let expectedItem: PhotoID?
    /// The frame in the layout, in points from the top of the viewport.
    package let frame: Rect
    /// The area of the picture, as the frame.
    package let picture: Rect
    /// Whether neither the picture nor a preview nor the reason why there is none is shown.
    package let isBlank: Bool
    /// Whether the picture is missing, but not for a reason that the cell shows.
    package let isWaiting: Bool
    /// The reason why there is no picture, if it is shown.
    package let failure: String?
    /// Whether the reason why there is no picture is shown.
    package var isBroken: Bool { failure != nil }
    /// Whether the cell has a size, so that it can show a picture.
    package let hasSize: Bool
  }

  private let screen: GalleryScreen

  /// Creates the inspection of a screen.
  package init(_ screen: GalleryScreen) { self.screen = screen }

  /// The displayed cells, from top to bottom.
  package var cells: [Cell] {
    let (grid, dataSource) = (screen.grid, screen.dataSource)
    let offset = grid.contentOffset
    return grid.visibleCells.compactMap { view in
      guard let cell = view as? PictureCell else { return nil }
      let index = grid.indexPath(for: cell).flatMap { grid.flatIndex(at: $0) }
      let frame =
        (index.flatMap { grid.layoutAttributesForItem(at: grid.indexPath(at: $0))?.frame } ?? cell.frame)
        .offset(by: Point(x: 0, y: -offset))
      return Cell(
        index: index, item: cell.item, expectedItem: index.flatMap { dataSource.itemIdentifier(atFlatIndex: $0) },
        frame: frame, picture: cell.pictureArea.offset(by: frame.origin), isBlank: cell.isBlank,
        isWaiting: cell.isWaiting, failure: cell.showsFailure ? cell.accessibilityValue : nil,
        hasSize: cell.requestedSize != nil)
    }
  }

  /// The titles of the sections and their photographs, as they are displayed.
  package var sections: [(title: String, items: [PhotoID])] {
    let snapshot = screen.dataSource.displayedSnapshot()
    return snapshot.sectionIdentifiers.map { section in
      (section.title(screen.library.folderTitles), snapshot.itemIdentifiers(inSection: section))
    }
  }

  /// Returns the photograph at an index, or nil if there is none.
  package func item(at index: Int) -> PhotoID? { screen.dataSource.itemIdentifier(atFlatIndex: index) }

  /// Returns the index of a photograph, or nil if it is not displayed.
  package func index(of item: PhotoID) -> Int? { screen.dataSource.flatIndex(of: item) }

  /// The selected photographs.
  package var selectedItems: Set<PhotoID> {
    var items: Set<PhotoID> = []
    screen.grid.selection.items.forEach { index in if let item = item(at: index) { items.insert(item) } }
    return items
  }

  /// The photograph that has the keyboard focus, or nil.
  package var focusedItem: PhotoID? { screen.grid.selection.lead.flatMap(item) }

  /// The photograph to which the content was scrolled, and which updates keep in place, or nil.
  package var scrolledItem: PhotoID? { screen.grid.itemScrollController.arrivedItem.flatMap(item) }

  /// The photograph where a range selection begins, or nil.
  package var rangeStart: PhotoID? { screen.grid.selection.anchor.flatMap(item) }

  /// Whether a snapshot was applied that is not displayed yet.
  package var hasPendingUpdate: Bool { screen.dataSource.hasPendingUpdate }

  /// The text of the search field.
  package var searchText: String { screen.header.bar.searchField.text }

  /// Replaces the text of the search field, as typing does.
  package func search(_ text: String) { screen.header.bar.searchField.replaceText(with: text) }

  /// Whether the filter or the order is being changed.
  package var isArranging: Bool { screen.libraryController.isFiltering || screen.library.isSorting }

  /// Whether the library or the filter has results that no frame has shown.
  package var hasPendingResults: Bool {
    screen.library.hasPendingEvents || screen.libraryController.hasPendingAnswer
  }

  /// Whether the viewer, a menu, or the list of keys is open, or the focus is outside of the grid.
  package var isCovered: Bool {
    screen.viewer.isShown || screen.overlays.isOpen || screen.header.isFocused || screen.sideBar.isFocused
  }

  /// Whether the viewer is shown.
  package var isViewerShown: Bool { screen.viewer.isShown }

  /// Whether a name is being typed, which moves the focus.
  package var isTypingName: Bool { screen.nameSearch.isActive || screen.nameSearch.isSearching }

  /// The number of requests of cells whose pictures have not arrived.
  package var requestCount: Int { screen.gridController.thumbnails.requestCount }

  /// Whether pictures that failed will be requested again.
  package var willRetry: Bool { screen.gridController.nextRetry != nil }

  /// The number of photographs whose pictures are pinned in the cache.
  package var pinnedCount: Int { screen.gridController.thumbnails.pinnedCount }

  /// Returns whether a tiny preview of a photograph is known.
  package func hasTinyPreview(_ item: PhotoID) -> Bool { screen.library.tinyPreview(of: item) != nil }

  /// Returns whether the picture of a photograph is in memory in the size of its cell.
  package func hasPicture(_ item: PhotoID) -> Bool { screen.gridController.thumbnails.cachedPicture(of: item) != nil }

  /// Returns the number of the version of a photograph's file, or nil if the photograph cannot be shown.
  package func version(of item: PhotoID) -> UInt64? { screen.library.reference(to: item)?.sourceID }

  /// Returns whether a folder of a photograph is out of reach.
  package func isOffline(_ item: PhotoID) -> Bool { screen.library.isOffline(item) }

  /// The kind of layout.
  package var layout: GalleryLayoutKind { screen.gridController.layoutKind }
}
