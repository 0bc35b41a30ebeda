import CollectionEngine
import CollectionUI
import DiffableData
import PhotoLibrary
import Views

/// Paths to paste elsewhere.
extension GalleryScreen {
  /// More than these are no paths to paste anywhere.
  private static var mostCopied: Int { 20_000 }
  /// How many paths a frame writes, at once or while others wait.
  private static var portionCopied: Int { 1_000 }

  /// Puts the paths of the selected photographs where other programs paste from, now or, where they are many, in some frames.
  func copyPaths(as form: PathText.Form) {
    let selected = grid.selection.items
    guard selected.count > 0 else { return tell("Nothing is selected") }
    guard selected.count <= GalleryScreen.mostCopied else {
      let most = Counted.number(GalleryScreen.mostCopied)
      return tell("\(Counted.number(selected.count)) paths are too many to copy; \(most) are not")
    }
    var items: [PhotoID] = []
    selected.forEach { index in
      if let item = dataSource.itemIdentifier(atFlatIndex: index) { items.append(item) }
    }
    copy(items, as: form)
  }

  /// Puts the paths of photographs where other programs paste from.
  func copy(_ items: [PhotoID], as form: PathText.Form) {
    copying = PathCopy(of: items, as: form)
    copySome()
  }

  /// Writes some more of the paths that are to be copied, and puts them there once all are written.
  func copySome() {
    let library = library
    copying?.advance(atMost: GalleryScreen.portionCopied, place: library.place)
    guard let copying, copying.isComplete else { return }
    self.copying = nil
    guard copying.count > 0 else { return tell("These pictures have no files whose paths could be copied") }
    let (one, more) = copying.form == .addresses ? ("address", "addresses") : ("path", "paths")
    let text = "Copied \(Counted.number(copying.count)) \(copying.count == 1 ? one : more)"
    tell(onCopy(copying.text) ? text : "Paths could not be copied")
  }
}
