import VitrineRendering

/// The text of an editable line with its caret, selection, marked text and history, and how events change them.
///
/// Positions count characters as the user perceives them. Control characters become spaces or are removed, and text beyond
/// the maximum is dropped.
nonisolated struct TextEditingState: Hashable, Sendable {
  /// A movement of the caret.
  enum Movement: Hashable, Sendable {
    /// By a number of characters.
    case characters(Int)
    /// To the next beginning of a word in a direction, 1 or −1.
    case word(Int)
    /// To the beginning or the end.
    case start, end
  }

  /// An action of the user or of an input method.
  enum Event: Hashable, Sendable {
    /// Text is typed or pasted, which replaces the marked text and the selection.
    case insert(String, isTyped: Bool)
    /// An input method composes text; an empty one ends the composition without a result.
    ///
    /// The caret is the position in the marked text.
    case setMarkedText(String, caret: Int)
    /// The marked text becomes text.
    case unmarkText
    /// The selection is deleted, or without one the characters that a movement passes.
    case delete(Movement)
    /// The caret moves, with or without the anchor of the selection.
    case move(Movement, extending: Bool)
    /// The caret is placed at a position.
    case place(Int, extending: Bool)
    /// The word at a position is selected.
    case selectWord(Int)
    /// Everything is selected.
    case selectAll
    /// The selection is copied to the clipboard, and removed if cut.
    case copy, cut
    /// The last change is reverted.
    case undo
    /// The change that was reverted last is made again.
    case redo
  }

  /// The effects of an event.
  struct Effects: Hashable, Sendable {
    /// Whether the text has changed, without the marked text.
    var textChanged = false
    /// A text for the clipboard.
    var copiedText: String?
  }

  /// The selection of a text.
  struct Selection: Hashable, Sendable {
    /// The position of the caret, at which text is inserted.
    var caret = 0
    /// The other end of the selection; equal to the caret if nothing is selected.
    var anchor = 0

    /// The selected characters.
    var range: Range<Int> { min(caret, anchor)..<max(caret, anchor) }
  }

  /// The maximum number of changes that can be reverted.
  static let maximumUndoCount = 100

  /// The maximum number of characters.
  let maximumCount: Int
  /// The characters, without the marked text.
  private(set) var characters: [Character] = []
  /// The caret and the selection.
  private(set) var selection = Selection()
  /// The text of a composition at the caret, and the caret in it.
  private(set) var marked: (text: [Character], caret: Int) {
    get { (markedCharacters, markedCaret) }
    set { (markedCharacters, markedCaret) = newValue }
  }
  private var markedCharacters: [Character] = []
  private var markedCaret = 0

  private var undoChanges: [Change] = []
  private var redoChanges: [Change] = []
  /// Whether the next typed character extends the last change.
  private var extendsLastChange = false

  /// A change that can be reverted.
  private struct Change: Hashable, Sendable {
    var start: Int
    var removed: [Character]
    var inserted: [Character]
    /// The selection before the change.
    var selection: Selection
  }

  /// Creates a text with the caret at its end.
  init(_ text: String = "", maximumCount: Int) {
    self.maximumCount = maximumCount
    characters = Array(TextEditingState.editableCharacters(of: text, maximumCount: maximumCount))
    selection = Selection(caret: characters.count, anchor: characters.count)
  }

  /// The text without the marked text.
  var text: String { String(characters) }

  /// The characters to display, with the marked text at the caret.
  var displayedCharacters: [Character] {
    markedCharacters.isEmpty
      ? characters : characters[..<selection.caret] + markedCharacters + characters[selection.caret...]
  }

  /// The displayed characters that are marked.
  var markedRange: Range<Int> { selection.caret..<selection.caret + markedCharacters.count }

  /// The position of the caret in the displayed characters.
  var displayedCaret: Int { selection.caret + markedCaret }

  /// The selected text.
  var selectedText: String { String(characters[selection.range]) }

  /// Whether a change can be reverted, and made again.
  var canUndo: Bool { !undoChanges.isEmpty }
  /// Whether a reverted change can be made again.
  var canRedo: Bool { !redoChanges.isEmpty }

  /// Changes the state by an event.
  mutating func handle(_ event: Event) -> Effects {
    var effects = Effects()
    let before = characters
    switch event {
    case .insert(let text, let isTyped):
      marked = ([], 0)
      insert(text, isTyped: isTyped)
    case .setMarkedText(let text, let caret): setMarkedText(text, caret: caret)
    default:
      unmarkText()
      handleUnmarked(event, &effects)
    }
    effects.textChanged = characters != before
    return effects
  }

  private mutating func handleUnmarked(_ event: Event, _ effects: inout Effects) {
    switch event {
    case .insert, .setMarkedText, .unmarkText: break
    case .delete(let movement):
      if selection.range.isEmpty { selection.caret = target(of: movement) }
      replaceSelection(with: [], isTyped: false)
    case .move(let movement, let extending): move(movement, extending: extending)
    case .place(let position, let extending): place(position, extending: extending)
    case .selectWord(let position): selectWord(at: position)
    case .selectAll: (selection.anchor, selection.caret, extendsLastChange) = (0, characters.count, false)
    case .copy, .cut:
      guard !selection.range.isEmpty else { return }
      effects.copiedText = selectedText
      if event == .cut { replaceSelection(with: [], isTyped: false) }
    case .undo: undo()
    case .redo: redo()
    }
  }

  // MARK: - Insertion

  private mutating func insert(_ text: String, isTyped: Bool) {
    let free = maximumCount - (characters.count - selection.range.count)
    let inserted = TextEditingState.editableCharacters(of: text, maximumCount: free)
    guard !inserted.isEmpty || text.isEmpty else { return }
    replaceSelection(with: inserted, isTyped: isTyped)
  }

  private mutating func setMarkedText(_ text: String, caret: Int) {
    let free = maximumCount - (characters.count - selection.range.count)
    let composed = TextEditingState.editableCharacters(of: text, maximumCount: free)
    if !composed.isEmpty, !selection.range.isEmpty { replaceSelection(with: [], isTyped: false) }
    marked = (composed, max(0, min(composed.count, caret)))
  }

  private mutating func unmarkText() {
    guard !markedCharacters.isEmpty else { return }
    let composed = markedCharacters
    marked = ([], 0)
    replaceSelection(with: composed, isTyped: true)
  }

  /// Returns the characters of a text that a line can contain.
  ///
  /// - Complexity: O(*n*) in the maximum count, however long the text is.
  private static func editableCharacters(of text: String, maximumCount: Int) -> [Character] {
    // A text of only combining marks is one character of any length, so the number of scalars is limited first.
    let limited = String(String.UnicodeScalarView(text.unicodeScalars.prefix(max(0, 4 * maximumCount))))
    var characters = Array(SanitizedText.editableLine(limited).prefix(max(0, maximumCount)))
    // The limit may have cut the last one.
    let isCut = !text.unicodeScalars.dropFirst(max(0, 4 * maximumCount)).isEmpty
    if isCut, characters.count > 1, characters.count < maximumCount { characters.removeLast() }
    return characters
  }

  /// Replaces the selection, records the change, and places the caret after the inserted characters.
  private mutating func replaceSelection(with inserted: [Character], isTyped: Bool) {
    let range = selection.range
    guard !range.isEmpty || !inserted.isEmpty else { return }
    let change = Change(
      start: range.lowerBound, removed: Array(characters[range]), inserted: inserted, selection: selection)
    characters.replaceSubrange(range, with: inserted)
    let end = range.lowerBound + inserted.count
    // Characters that became one, such as a letter and an accent that was typed after it.
    let joined = Array(String(characters))
    guard joined.count == characters.count else {
      let caret = min(joined.count, String(characters[..<end]).count)
      characters = joined
      selection = Selection(caret: caret, anchor: caret)
      // The recorded changes count other characters.
      (undoChanges, redoChanges, extendsLastChange) = ([], [], false)
      return
    }
    record(change, isTyped: isTyped)
    selection = Selection(caret: end, anchor: end)
  }

  // MARK: - History

  private mutating func record(_ change: Change, isTyped: Bool) {
    redoChanges = []
    defer { extendsLastChange = isTyped && !change.inserted.isEmpty }
    if isTyped, extendsLastChange, let last = undoChanges.indices.last, change.removed.isEmpty,
      undoChanges[last].start + undoChanges[last].inserted.count == change.start,
      // A word is reverted at a time.
      !(undoChanges[last].inserted.last == " " && change.inserted.first != " ")
    {
      undoChanges[last].inserted += change.inserted
      return
    }
    if undoChanges.count >= TextEditingState.maximumUndoCount { undoChanges.removeFirst() }
    undoChanges.append(change)
  }

  private mutating func undo() {
    extendsLastChange = false
    guard let change = undoChanges.popLast() else { return }
    characters.replaceSubrange(change.start..<change.start + change.inserted.count, with: change.removed)
    selection = change.selection
    redoChanges.append(change)
  }

  private mutating func redo() {
    extendsLastChange = false
    guard let change = redoChanges.popLast() else { return }
    characters.replaceSubrange(change.start..<change.start + change.removed.count, with: change.inserted)
    let end = change.start + change.inserted.count
    selection = Selection(caret: end, anchor: end)
    undoChanges.append(change)
  }

  // MARK: - Movement

  /// Without extending, a movement by characters goes to the end of the selection in its direction.
  private mutating func move(_ movement: Movement, extending: Bool) {
    extendsLastChange = false
    if !extending, !selection.range.isEmpty, case .characters(let count) = movement {
      selection.caret = count < 0 ? selection.range.lowerBound : selection.range.upperBound
    } else {
      selection.caret = target(of: movement)
    }
    if !extending { selection.anchor = selection.caret }
  }

  private mutating func place(_ position: Int, extending: Bool) {
    extendsLastChange = false
    selection.caret = max(0, min(characters.count, position))
    if !extending { selection.anchor = selection.caret }
  }

  private mutating func selectWord(at position: Int) {
    place(position, extending: false)
    // The word before the position if there is none after it.
    let kind = characters.indices.contains(selection.caret) ? Kind(characters[selection.caret]) : nil
    let isAfterWord = kind != .word && selection.caret > 0 && Kind(characters[selection.caret - 1]) == .word
    guard let wanted = isAfterWord ? .word : kind ?? characters.last.map({ Kind($0) }) else { return }
    while selection.anchor > 0, Kind(characters[selection.anchor - 1]) == wanted { selection.anchor -= 1 }
    while selection.caret < characters.count, Kind(characters[selection.caret]) == wanted { selection.caret += 1 }
  }

  /// The kinds of characters between which words end.
  private enum Kind {
    case word, space, other

    init(_ character: Character) {
      self =
        character.isLetter || character.isNumber || character == "_"
        ? .word : character.isWhitespace ? .space : .other
    }
  }

  private func target(of movement: Movement) -> Int {
    switch movement {
    case .characters(let count): return max(0, min(characters.count, selection.caret + count))
    case .start: return 0
    case .end: return characters.count
    case .word(let direction):
      var position = selection.caret
      func isWord(_ index: Int) -> Bool { Kind(characters[index]) == .word }
      if direction < 0 {
        while position > 0, !isWord(position - 1) { position -= 1 }
        while position > 0, isWord(position - 1) { position -= 1 }
      } else {
        while position < characters.count, isWord(position) { position += 1 }
        while position < characters.count, !isWord(position) { position += 1 }
      }
      return position
    }
  }
}
