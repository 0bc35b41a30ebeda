import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import PhotoLibrary
import Rendering

/// Searching by typing. The owner of the search is ``NameSearchController``.
extension GalleryScreen: NameSearchHost {
  /// Handles typed text.
  ///
  /// Some characters are commands if no search is active.
  ///
  /// - Returns: Whether the event was handled.
  func handleTyping(_ event: InputEvent) -> Bool {
    guard case .text(let text) = event.kind else { return false }
    if !nameSearch.isActive {
      // Space scrolls.
      if text == " " { return false }
      if handleCommand(event) { return true }
    }
    nameSearch.append(text)
    return true
  }

  var now: FrameInstant { max(lastEventInstant, frameContext.instant) }

  var hasPhotographs: Bool { library.count > 0 }

  var searchableCount: Int { dataSource.displayedSnapshot().numberOfItems }

  var focusedIndex: Int? { grid.selection.lead }

  func name(at index: Int) -> ArraySlice<UInt8>? {
    dataSource.itemIdentifier(atFlatIndex: index).flatMap(library.catalogue.name)
  }

  func revealMatch(at index: Int) { grid.focusItem(at: index) }

  func searchDidChange() { updateTitleBar() }
}
