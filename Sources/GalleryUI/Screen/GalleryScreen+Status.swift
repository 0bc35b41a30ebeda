import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import ImagePipeline
import PhotoLibrary
import Views

/// What the bar tells: the library, what is selected of it, and what goes on.
extension GalleryScreen {
  /// How many photographs whose bytes are added up in a step.
  private static var itemsPerStep: Int { 512 }

  /// How many photographs there are, and how many of them cannot be shown; nothing where there are none.
  private var countText: String {
    guard library.count > 0 else { return "" }
    let failed = failedCount
    let count = CountFormat.quantity(library.count, "photograph")
    return failed == 0 ? count : "\(count), \(CountFormat.number(failed)) cannot be shown"
  }

  /// How many photographs are selected, and how large their files are once that is added up; nothing where none is.
  private var selectionText: String? {
    let count = grid.selection.items.count
    guard count > 0 else { return nil }
    let text = "\(CountFormat.number(count)) of \(CountFormat.number(library.count)) selected"
    return selectionTotal.isComplete && selectionTotal.bytes > 0
      ? "\(text), \(CountFormat.bytes(selectionTotal.bytes))" : text
  }

  /// What goes on, what was just done first.
  private var statusText: String {
    if let notice { return notice.text }
    if typeAhead.isActive {
      return hasNoMatch ? "No name begins with “\(typeAhead.text)”" : "Name: \(typeAhead.text)"
    }
    if isOpening { return "Opening…" }
    if pipeline.decoderCondition.isStopped { return "Decoding stopped after many crashes; F5 goes on" }
    return library.isSorting && library.status.isEmpty ? "Sorting…" : library.status
  }

  func updateTitleBar() {
    titleBar.show(title: library.title, count: selectionText ?? countText, status: statusText)
    titleBar.progress = library.progress
    if library.count == 0, library.isComplete {
      let texts = library.emptyTexts
      emptyView.show(headline: texts.headline, hint: texts.hint)
    } else {
      emptyView.isHidden = true
    }
  }

  /// Tells a line for a while.
  func showNotice(_ text: String) {
    notice = Notice(text, from: max(lastEventInstant, frameContext.instant))
    updateTitleBar()
    updateViewer()
  }

  // MARK: Bytes

  /// Photographs have other numbers, or files: their bytes are added up anew.
  func recountSelection() {
    selectionTotal.restart(grid.selection.items)
    updateTitleBar()
  }

  /// Adds up the bytes of some more of the selected photographs.
  ///
  /// - Returns: whether there were any.
  func countSelectedBytes() -> Bool {
    guard !selectionTotal.isComplete else { return false }
    let source = dataSource
    let library = library
    selectionTotal.advance(atMost: GalleryScreen.itemsPerStep, of: grid.selection.items) { index in
      source.itemIdentifier(atFlatIndex: index).map(library.byteCount) ?? 0
    }
    if selectionTotal.isComplete { updateTitleBar() }
    return true
  }
}
