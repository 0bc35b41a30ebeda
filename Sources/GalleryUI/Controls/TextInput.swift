/// The text of a field with its caret and selection, and how keys change them.
///
/// Positions count characters. Control characters become spaces, and text beyond ``maximumCount`` is dropped.
nonisolated struct TextInput: Hashable, Sendable {
  /// The maximum number of characters.
  static let maximumCount = 1_000

  /// A movement of the caret.
  enum Movement: Hashable, Sendable {
    /// By a number of characters.
    case characters(Int)
    /// To the next beginning of a word in a direction, 1 or −1.
    case word(Int)
    /// To the beginning or the end.
    case start, end
  }

  /// The characters.
  private(set) var characters: [Character] = []
  /// The position of the caret, at which text is inserted.
  private(set) var caret = 0
  /// The other end of the selection; equal to the caret if nothing is selected.
  private(set) var anchor = 0

  /// Creates an empty text.
  init() {}

  /// Creates a text with the caret at its end.
  init(_ text: String) { insert(text) }

  /// The text.
  var text: String { String(characters) }

  /// The selected characters.
  var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }

  /// The selected text.
  var selectedText: String { String(characters[selection]) }

  /// Replaces the selection by a text.
  ///
  /// - Complexity: O(*n*) in ``maximumCount``, however long the text is.
  mutating func insert(_ text: String) {
    let free = TextInput.maximumCount - (characters.count - selection.count)
    // A text of only combining marks is one character of any length, so the length in bytes is limited first.
    let limited = String(text.unicodeScalars.prefix(4 * TextInput.maximumCount))
    let inserted = limited.prefix(max(0, free)).map { character -> Character in
      character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : character
    }
    let start = selection.lowerBound
    characters.replaceSubrange(selection, with: inserted)
    caret = min(start + inserted.count, characters.count)
    anchor = caret
  }

  /// Deletes the selection, or without one the characters that a movement passes.
  mutating func delete(_ movement: Movement) {
    if selection.isEmpty { caret = target(of: movement) }
    insert("")
  }

  /// Moves the caret.
  ///
  /// Without extending, a movement by characters goes to the end of the selection in its direction.
  mutating func move(_ movement: Movement, extending: Bool) {
    if !extending, !selection.isEmpty, case .characters(let count) = movement {
      caret = count < 0 ? selection.lowerBound : selection.upperBound
    } else {
      caret = target(of: movement)
    }
    if !extending { anchor = caret }
  }

  /// Moves the caret to a position.
  mutating func moveCaret(to position: Int, extending: Bool) {
    caret = max(0, min(characters.count, position))
    if !extending { anchor = caret }
  }

  /// Selects everything.
  mutating func selectAll() { (anchor, caret) = (0, characters.count) }

  /// Selects the word at a position.
  mutating func selectWord(at position: Int) {
    moveCaret(to: position, extending: false)
    while anchor > 0, characters[anchor - 1] != " " { anchor -= 1 }
    while caret < characters.count, characters[caret] != " " { caret += 1 }
  }

  private func target(of movement: Movement) -> Int {
    switch movement {
    case .characters(let count): return max(0, min(characters.count, caret + count))
    case .start: return 0
    case .end: return characters.count
    case .word(let direction):
      var position = caret
      func isSpace(_ index: Int) -> Bool { characters[index] == " " }
      if direction < 0 {
        while position > 0, isSpace(position - 1) { position -= 1 }
        while position > 0, !isSpace(position - 1) { position -= 1 }
      } else {
        while position < characters.count, !isSpace(position) { position += 1 }
        while position < characters.count, isSpace(position) { position += 1 }
      }
      return position
    }
  }
}
