import CollectionUI
import PhotoLibrary
import Rendering
import Views

/// Keys that mean the same of a picture in the whole window as of those in the grid.
extension GalleryScreen {
  /// Answers keys that the viewer has let through.
  ///
  /// - Returns: whether the event was used.
  func handleViewerKeys(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .text("?"), .keyDown(.function(1), modifiers: [], isRepeat: false): showKeyGuide()
    case .keyDown(.function(5), _, isRepeat: false): rescanFolders()
    case .keyDown(.character("c"), modifiers: .control, _): copyViewedPath(as: .plain)
    case .keyDown(.character("c"), modifiers: [.control, .shift], _): copyViewedPath(as: .addresses)
    default: return false
    }
    return true
  }

  /// Copies where the picture is that is looked at, whatever is selected.
  private func copyViewedPath(as form: PathListText.Format) {
    if let item = viewer?.item { copyPaths(of: [item], as: form) }
  }
}
