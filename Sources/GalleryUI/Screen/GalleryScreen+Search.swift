import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import PhotoLibrary
import Rendering
import Views

/// Searching for a photograph by typing the beginning of its name.
extension GalleryScreen {
  /// The number of names that a search examines per frame, per slack step, and the maximum number of slack steps per
  /// frame.
  private static var searchBudget: (perFrame: Int, perStep: Int, steps: Int) { (4_000, 250, 64) }

  /// Handles typed text.
  ///
  /// Some characters are commands if no search is active.
  ///
  /// - Returns: Whether the event was handled.
  func handleTyping(_ event: InputEvent) -> Bool {
    guard case .text(let text) = event.kind else { return false }
    if !typeAhead.isActive {
      // Space scrolls.
      if text == " " { return false }
      if handleCommand(event) { return true }
    }
    appendTypedText(text)
    return true
  }

  private func appendTypedText(_ text: String) {
    guard library.count > 0 else { return }
    for letter in text { typeAhead.appendLetter(letter, at: max(lastEventInstant, frameContext.instant)) }
    startSearch()
  }

  /// Starts a search for the typed text, which begins in the next frame.
  ///
  /// - Parameter includesCurrent: Whether the focused photograph may match, even if only one letter was typed.
  private func startSearch(includesCurrent: Bool = false) {
    hasNoMatch = false
    guard typeAhead.isActive else {
      search = nil
      return updateTitleBar()
    }
    let lead = grid.selection.lead ?? -1
    let query = typeAhead.query
    let count = dataSource.displayedSnapshot().numberOfItems
    search = NameSearch(
      for: query.prefix, from: query.includesCurrent || includesCurrent ? lead : lead + 1, of: count)
    // The text does not expire before the search is done.
    typeAhead.suspendExpiry()
    updateTitleBar()
  }

  /// Continues the search in a frame.
  func continueSearch() {
    searchSteps = 0
    continueSearch(atMost: GalleryScreen.searchBudget.perFrame)
  }

  /// Continues the search in the slack of a frame.
  ///
  /// - Returns: Whether a search was active.
  func searchInSlack() -> Bool {
    guard search != nil, searchSteps < GalleryScreen.searchBudget.steps else { return false }
    searchSteps += 1
    continueSearch(atMost: GalleryScreen.searchBudget.perStep)
    return true
  }

  private func continueSearch(atMost most: Int) {
    guard search != nil else { return }
    let source = dataSource
    let catalogue = library.catalogue
    let state = search?.advance(atMost: most) { index in
      source.itemIdentifier(atFlatIndex: index).flatMap(catalogue.name)
    }
    switch state {
    case .found(let index):
      endSearch()
      grid.focusItem(at: index)
    case .notFound:
      endSearch()
      hasNoMatch = true
      updateTitleBar()
    case .searching, nil: break
    }
  }

  private func endSearch() {
    search = nil
    typeAhead.restartExpiry(from: max(lastEventInstant, frameContext.instant))
  }

  /// Intercepts keys that belong to the typed text.
  ///
  /// Other input ends the search.
  ///
  /// - Returns: Whether the event was handled.
  func interceptTyping(_ event: InputEvent) -> Bool {
    guard typeAhead.isActive else { return false }
    switch event.kind {
    case .pointerDown: cancelSearch()
    case .touch(let touch) where touch.phase == .began: cancelSearch()
    case .keyDown(let key, let modifiers, _): return interceptKey(key, modifiers)
    default: break
    }
    return false
  }

  private func interceptKey(_ key: Key, _ modifiers: KeyModifiers) -> Bool {
    guard modifiers.isSubset(of: .shift) else {
      // The right Alt key (AltGr) may be part of text input.
      if !modifiers.contains(.alt) { cancelSearch() }
      return false
    }
    switch key {
    // Only the accompanying text event counts.
    case .space: return true
    case .character: return false
    case .backspace:
      typeAhead.deleteLastLetter(at: max(lastEventInstant, frameContext.instant))
      startSearch(includesCurrent: true)
      return true
    case .escape:
      cancelSearch()
      return true
    default:
      cancelSearch()
      return false
    }
  }

  /// Cancels the search, and discards the typed text.
  func cancelSearch() {
    guard typeAhead.isActive || search != nil || hasNoMatch else { return }
    typeAhead.clear()
    search = nil
    hasNoMatch = false
    updateTitleBar()
  }
}
