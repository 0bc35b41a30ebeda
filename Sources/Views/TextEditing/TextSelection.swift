/// The selection of a text that is not editable, in bytes of the text in UTF-8 at boundaries of characters.
nonisolated struct TextSelection: Hashable, Sendable {
  /// The part of the text by which the selection grows.
  enum Unit: Hashable, Sendable {
    /// Characters as the user perceives them.
    case character
    /// Words.
    case word
    /// Paragraphs, with their line breaks.
    case paragraph
  }

  /// The end that moves.
  private(set) var caret = 0
  /// The bytes at which the selection started: a word or a paragraph if it grows by these.
  private var anchor = 0..<0
  private var unit = Unit.character

  /// The selected bytes.
  private(set) var range = 0..<0

  /// Starts a selection.
  ///
  /// - Parameters:
  ///   - offset: The offset under the pointer.
  ///   - unit: The part of the text that is selected there.
  ///   - text: The text.
  /// - Complexity: O(length of the unit).
  mutating func begin(at offset: Int, by unit: Unit, in text: String) {
    self.unit = unit
    anchor = TextSelection.range(of: unit, at: offset, in: text)
    range = anchor
    caret = range.upperBound
  }

  /// Extends the selection to an offset.
  ///
  /// - Complexity: O(length of the unit).
  mutating func extend(to offset: Int, in text: String) {
    let unit = TextSelection.range(of: unit, at: offset, in: text)
    range = min(anchor.lowerBound, unit.lowerBound)..<max(anchor.upperBound, unit.upperBound)
    caret = offset < anchor.lowerBound ? unit.lowerBound : unit.upperBound
  }

  /// Moves the caret to an offset, at which the selection ends then.
  mutating func moveCaret(to offset: Int) {
    let start = caret == range.lowerBound ? range.upperBound : range.lowerBound
    (unit, anchor, caret) = (.character, start..<start, offset)
    range = min(start, offset)..<max(start, offset)
  }

  /// Selects the whole text.
  mutating func selectAll(of text: String) {
    (unit, anchor) = (.character, 0..<0)
    range = 0..<text.utf8.count
    caret = range.upperBound
  }

  /// Returns the offset after a movement from the caret by a character or to the next boundary of words.
  ///
  /// - Parameters:
  ///   - direction: 1 towards the end of the text, −1 towards its start.
  ///   - unit: Characters or words.
  ///   - text: The text.
  func movedCaret(_ direction: Int, by unit: Unit, in text: String) -> Int {
    var index = text.utf8.index(text.startIndex, offsetBy: min(caret, text.utf8.count))
    func next() -> Character? {
      direction > 0
        ? index < text.endIndex ? text[index] : nil
        : index > text.startIndex ? text[text.index(before: index)] : nil
    }
    func step() { index = direction > 0 ? text.index(after: index) : text.index(before: index) }
    if unit == .character {
      if next() != nil { step() }
    } else {
      while let character = next(), !TextSelection.isWordCharacter(character) { step() }
      while let character = next(), TextSelection.isWordCharacter(character) { step() }
    }
    return text.utf8.distance(from: text.startIndex, to: index)
  }

  /// Returns the bytes of the unit at an offset.
  private static func range(of unit: Unit, at offset: Int, in text: String) -> Range<Int> {
    let offset = min(max(0, offset), text.utf8.count)
    let place = text.utf8.index(text.startIndex, offsetBy: offset)
    var (start, end) = (place, place)
    switch unit {
    case .character: return offset..<offset
    case .word:
      // The word that the offset touches, otherwise the character after it.
      while start > text.startIndex, isWordCharacter(text[text.index(before: start)]) {
        start = text.index(before: start)
      }
      while end < text.endIndex, isWordCharacter(text[end]) { end = text.index(after: end) }
      if start == end, end < text.endIndex, !text[end].isNewline { end = text.index(after: end) }
    case .paragraph:
      while start > text.startIndex, !text[text.index(before: start)].isNewline { start = text.index(before: start) }
      while end < text.endIndex, !text[end].isNewline { end = text.index(after: end) }
      if end < text.endIndex { end = text.index(after: end) }
    }
    return text.utf8.distance(from: text.startIndex, to: start)..<text.utf8.distance(from: text.startIndex, to: end)
  }

  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
