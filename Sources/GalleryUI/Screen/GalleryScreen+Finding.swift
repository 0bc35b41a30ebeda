import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import PhotoLibrary
import Rendering
import Views

/// Finding a photograph by typing the beginning of its name.
extension GalleryScreen {
  /// Names that a frame looks at while a search goes on.
  private static var portion: Int { 4_000 }

  /// Answers what is typed; what means something else while nothing was typed means that.
  ///
  /// - Returns: whether the event was used.
  func handleFinding(_ event: InputEvent) -> Bool {
    guard case .keyDown(.character(let letter), let modifiers, _) = event.kind, modifiers.isSubset(of: .shift) else {
      return false
    }
    if !typeAhead.isActive, "+-=?/".contains(letter) {
      // A question mark is typed in different ways; where a key is known by its sign alone, Shift and that sign.
      guard letter == "/", modifiers == .shift else { return false }
      showKeys()
      return true
    }
    guard library.count > 0 else { return false }
    type(letter)
    return true
  }

  private func type(_ letter: Character) {
    typeAhead.type(letter, at: max(lastEvent, moment.instant))
    find()
  }

  /// Looks for what was typed.
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
    findOn()
    showTitle()
  }

  /// Looks on, a portion in each frame.
  func findOn() {
    guard search != nil else { return }
    let source = dataSource
    let catalogue = library.catalogue
    let finding = search?.advance(atMost: GalleryScreen.portion) { index in
      source.itemIdentifier(atFlatIndex: index).flatMap(catalogue.name)
    }
    switch finding {
    case .found(let index):
      search = nil
      grid.focusItem(at: index)
    case .nowhere:
      search = nil
      foundNothing = true
      showTitle()
    case .searching, nil: break
    }
  }

  /// What was typed goes on: keys that mean something else otherwise.
  ///
  /// - Returns: whether the event was used.
  func interceptTyping(_ event: InputEvent) -> Bool {
    guard typeAhead.isActive, overlay == nil, viewing?.isOpen != true,
      case .keyDown(let key, let modifiers, _) = event.kind, modifiers.isSubset(of: .shift)
    else { return false }
    switch key {
    case .space: type(" ")
    case .backspace:
      typeAhead.takeBack(at: max(lastEvent, moment.instant))
      find(staysPossible: true)
    case .escape: stopFinding()
    default: return false
    }
    return true
  }

  /// What was typed is given up.
  func stopFinding() {
    typeAhead.clear()
    search = nil
    foundNothing = false
    showTitle()
  }
}
