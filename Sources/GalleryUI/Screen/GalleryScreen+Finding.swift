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
  private static var portion: (ofFrame: Int, ofStep: Int, steps: Int) { (4_000, 250, 64) }

  /// Answers what is typed; signs that mean something else while nothing was typed mean that.
  ///
  /// - Returns: whether the event was used.
  func handleTyping(_ event: InputEvent) -> Bool {
    guard case .text(let text) = event.kind else { return false }
    if !typeAhead.isActive {
      switch text {
      case "+", "=": zoom(by: 1, around: nil)
      case "-", "−": zoom(by: -1, around: nil)
      case "?": showKeys()
      // The key scrolls.
      case " ": return false
      default: type(text)
      }
    } else {
      type(text)
    }
    return true
  }

  private func type(_ text: String) {
    guard library.count > 0 else { return }
    for letter in text { typeAhead.type(letter, at: max(lastEvent, moment.instant)) }
    find()
  }

  /// Looks for what was typed, from the next frame on.
  ///
  /// - Parameter staysPossible: whether the one where the keyboard is may be it, also where one letter was typed.
  private func find(staysPossible: Bool = false) {
    foundNothing = false
    guard typeAhead.isActive else {
      search = nil
      return showTitle()
    }
    let lead = grid.selection.lead ?? -1
    let question = typeAhead.question
    let count = dataSource.shownSnapshot().numberOfItems
    search = NameSearch(
      for: question.beginning, from: question.includesPresent || staysPossible ? lead : lead + 1, of: count)
    // What was typed is not forgotten before somebody has looked for it.
    typeAhead.wait()
    showTitle()
  }

  /// Looks on, in each frame.
  func findOn() {
    searchSteps = 0
    findOn(atMost: GalleryScreen.portion.ofFrame)
  }

  /// Looks on in a frame's slack.
  ///
  /// - Returns: whether there was anything to look for.
  func findInSlack() -> Bool {
    guard search != nil, searchSteps < GalleryScreen.portion.steps else { return false }
    searchSteps += 1
    findOn(atMost: GalleryScreen.portion.ofStep)
    return true
  }

  private func findOn(atMost most: Int) {
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
    case .nowhere:
      endSearch()
      foundNothing = true
      showTitle()
    case .searching, nil: break
    }
  }

  private func endSearch() {
    search = nil
    typeAhead.remember(from: max(lastEvent, moment.instant))
  }

  /// What was typed goes on: keys that mean something else otherwise.
  ///
  /// Whatever else a hand does ends it.
  /// - Returns: whether the event was used.
  func interceptTyping(_ event: InputEvent) -> Bool {
    guard typeAhead.isActive else { return false }
    switch event.kind {
    case .pointerDown: stopFinding()
    case .touch(let touch) where touch.phase == .began: stopFinding()
    case .keyDown(let key, let modifiers, _): return intercept(key, modifiers)
    default: break
    }
    return false
  }

  private func intercept(_ key: Key, _ modifiers: KeyModifiers) -> Bool {
    guard modifiers.isSubset(of: .shift) else {
      // With the right Alt it may type.
      if !modifiers.contains(.alt) { stopFinding() }
      return false
    }
    switch key {
    // The text that comes with it is what counts.
    case .space: return true
    case .character: return false
    case .backspace:
      typeAhead.takeBack(at: max(lastEvent, moment.instant))
      find(staysPossible: true)
      return true
    case .escape:
      stopFinding()
      return true
    default:
      stopFinding()
      return false
    }
  }

  /// What was typed is given up.
  func stopFinding() {
    guard typeAhead.isActive || search != nil || foundNothing else { return }
    typeAhead.clear()
    search = nil
    foundNothing = false
    showTitle()
  }
}
