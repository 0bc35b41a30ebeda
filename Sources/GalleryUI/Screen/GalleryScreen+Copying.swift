import CollectionEngine
import CollectionUI
import DiffableData
import PhotoLibrary
import Views

/// Paths to paste elsewhere.
extension GalleryScreen {
  /// More than these are no paths to paste anywhere.
  private static var maximumCopiedPaths: Int { 20_000 }
  /// How many paths a frame writes, at once or while others wait.
  private static var pathsPerFrame: Int { 1_000 }

  /// Puts the paths of the selected photographs where other programs paste from, now or, where they are many, in some frames.
  func copyPaths(as form: PathListText.Format) {
    let selected = grid.selection.items
    guard selected.count > 0 else { return showNotice("Nothing is selected") }
    guard selected.count <= GalleryScreen.maximumCopiedPaths else {
      let most = CountFormat.number(GalleryScreen.maximumCopiedPaths)
      return showNotice("\(CountFormat.number(selected.count)) paths are too many to copy; \(most) are not")
    }
    var items: [PhotoID] = []
    selected.forEach { index in
      if let item = dataSource.itemIdentifier(atFlatIndex: index) { items.append(item) }
    }
    copyPaths(of: items, as: form)
  }

  /// Puts the paths of photographs where other programs paste from.
  func copyPaths(of items: [PhotoID], as form: PathListText.Format) {
    pathCopy = PathCopy(of: items, as: form)
    continueCopying()
  }

  /// Writes some more of the paths that are to be copied, and puts them there once all are written.
  func continueCopying() {
    let library = library
    pathCopy?.advance(atMost: GalleryScreen.pathsPerFrame, location: library.location)
    guard let pathCopy, pathCopy.isComplete else { return }
    self.pathCopy = nil
    guard pathCopy.count > 0 else { return showNotice("These pictures have no files whose paths could be copied") }
    let (one, more) = pathCopy.form == .addresses ? ("address", "addresses") : ("path", "paths")
    let text = "Copied \(CountFormat.number(pathCopy.count)) \(pathCopy.count == 1 ? one : more)"
    showNotice(onCopy(pathCopy.text) ? text : "Paths could not be copied")
  }
}
