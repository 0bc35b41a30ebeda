import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import PhotoLibrary
import Rendering
import Views

/// Finding a photograph by typing the beginning of its name.
extension GalleryScreen {
  /// Names that a frame looks at while a search goes on, those that a step in its slack does, and how many such steps a
  /// frame has.
  private static var searchBudget: (ofFrame: Int, ofStep: Int, steps: Int) { (4_000, 250, 64) }

  /// Answers what is typed; signs that mean something else while nothing was typed mean that.
  ///
  /// - Returns: whether the event was used.
  func handleTyping(_ event: InputEvent) -> Bool {
    guard case .text(let text) = event.kind else { return false }
    if !typeAhead.isActive {
      switch text {
      case "+", "=": zoom(by: 1, around: nil)
      case "-", "−": zoom(by: -1, around: nil)
      case "?": showKeyGuide()
      // The key scrolls.
      case " ": return false
      default: appendTypedText(text)
      }
    } else {
      appendTypedText(text)
    }
    return true
  }

  private func appendTypedText(_ text: String) {
    guard library.count > 0 else { return }
    for letter in text { typeAhead.appendLetter(letter, at: max(lastEventInstant, frameContext.instant)) }
    startSearch()
  }

  /// Looks for what was typed, from the next frame on.
  ///
  /// - Parameter staysPossible: whether the one where the keyboard is may be it, also where one letter was typed.
  private func startSearch(includesCurrent: Bool = false) {
    hasNoMatch = false
    guard typeAhead.isActive else {
      search = nil
      return updateTitleBar()
    }
    let lead = grid.selection.lead ?? -1
    let question = typeAhead.query
    let count = dataSource.shownSnapshot().numberOfItems
    search = NameSearch(
      for: question.beginning, from: question.includesPresent || includesCurrent ? lead : lead + 1, of: count)
    // What was typed is not forgotten before somebody has looked for it.
    typeAhead.suspendExpiry()
    updateTitleBar()
  }

  /// Looks on, in each frame.
  func continueSearch() {
    searchSteps = 0
    continueSearch(atMost: GalleryScreen.searchBudget.ofFrame)
  }

  /// Looks on in a frame's slack.
  ///
  /// - Returns: whether there was anything to look for.
  func searchInSlack() -> Bool {
    guard search != nil, searchSteps < GalleryScreen.searchBudget.steps else { return false }
    searchSteps += 1
    continueSearch(atMost: GalleryScreen.searchBudget.ofStep)
    return true
  }

  private func continueSearch(atMost most: Int) {
    guard search != nil else { return }
    let source = dataSource
    let catalogue = library.catalogue
    let finding = search?.advance(atMost: most) { index in
      source.itemIdentifier(atFlatIndex: index).flatMap(catalogue.name)
    }
    switch finding {
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

  /// What was typed goes on: keys that mean something else otherwise.
  ///
  /// Whatever else a hand does ends it.
  /// - Returns: whether the event was used.
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
      // With the right Alt it may type.
      if !modifiers.contains(.alt) { cancelSearch() }
      return false
    }
    switch key {
    // The text that comes with it is what counts.
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

  /// What was typed is given up.
  func cancelSearch() {
    guard typeAhead.isActive || search != nil || hasNoMatch else { return }
    typeAhead.clear()
    search = nil
    hasNoMatch = false
    updateTitleBar()
  }
}
