import Testing
import VitrineTestSupport

@testable import VitrineViews

@Suite("The text of a field, its caret, selection, marked text and history")
struct TextEditingStateTests {
  private func state(_ text: String = "", _ events: TextEditingState.Event...) -> TextEditingState {
    var state = TextEditingState(text, maximumCount: 1_000)
    for event in events { _ = state.handle(event) }
    return state
  }

  @Test("Text is inserted at the caret, and replaces the selection")
  func insertion() {
    var input = state("July", .move(.start, extending: false), .insert("in ", isTyped: true))
    #expect(input.text == "in July" && input.selection.caret == 3)
    _ = input.handle(.move(.end, extending: true))
    #expect(input.selectedText == "July")
    _ = input.handle(.insert("May", isTyped: false))
    #expect(input.text == "in May" && input.selection.caret == 6 && input.selection.range.isEmpty)
  }

  @Test("Deleting removes the selection, a character or a word")
  func deletion() {
    var input = state("one two  three", .delete(.word(-1)))
    #expect(input.text == "one two  ")
    _ = input.handle(.delete(.word(-1)))
    #expect(input.text == "one ")
    _ = input.handle(.delete(.characters(-1)))
    #expect(input.text == "one")
    _ = input.handle(.move(.start, extending: false))
    _ = input.handle(.delete(.characters(1)))
    #expect(input.text == "ne")
    _ = input.handle(.selectAll)
    _ = input.handle(.delete(.characters(-1)))
    #expect(input.text == "")
    #expect(!input.handle(.delete(.characters(-1))).textChanged && input.selection.caret == 0)
  }

  @Test("Characters are those that the user perceives")
  func graphemes() {
    var input = state("a👩‍🚀e\u{301}🇩🇪")
    #expect(input.characters.count == 4)
    for expected in ["a👩‍🚀e\u{301}", "a👩‍🚀", "a", ""] {
      _ = input.handle(.delete(.characters(-1)))
      #expect(input.text == expected)
    }
    // An accent that is typed after its letter joins it.
    input = state("e", .insert("\u{301}", isTyped: true))
    #expect(input.characters == ["é"] && input.selection.caret == 1)
  }

  @Test("Words are letters and digits, without the punctuation between them")
  func words() {
    var input = state("IMG_0042.jpg (copy), ünï 東京")
    _ = input.handle(.move(.start, extending: false))
    var stops: [Int] = []
    while input.selection.caret < input.characters.count {
      _ = input.handle(.move(.word(1), extending: false))
      stops.append(input.selection.caret)
    }
    #expect(stops == [9, 14, 21, 25, 27])
    _ = input.handle(.selectWord(10))
    #expect(input.selectedText == "jpg")
    _ = input.handle(.selectWord(8))
    #expect(input.selectedText == "IMG_0042")
    _ = input.handle(.selectWord(99))
    #expect(input.selectedText == "東京")
  }

  @Test("Without Shift, an arrow key moves to the end of the selection in its direction")
  func collapse() {
    var input = state("abcdef", .place(4, extending: false), .place(1, extending: true))
    _ = input.handle(.move(.characters(1), extending: false))
    #expect(input.selection.caret == 4 && input.selection.range.isEmpty)
  }

  @Test("Control characters are replaced or removed, a megabyte of text is cut, and combining marks do not add up")
  func badText() {
    #expect(state("a\nb\tc\r\nd").text == "a b c d" || state("a\nb\tc\r\nd").text == "a b c  d")
    #expect(state("a\u{7}b\u{202E}c\u{0}d\u{FEFF}").text == "abcd")
    #expect(state(String(repeating: "x", count: 1 << 20)).characters.count == 1_000)
    #expect(state("e" + String(repeating: "\u{301}", count: 1 << 20)).text.unicodeScalars.count <= 5)
    let family: Character = "👨‍👩‍👧‍👦"
    #expect(
      TextEditingState(String(repeating: family, count: 30), maximumCount: 15).characters
        == Array(repeating: family, count: 8))
    var full = TextEditingState("abc", maximumCount: 3)
    #expect(!full.handle(.insert("d", isTyped: true)).textChanged && full.text == "abc")
    _ = full.handle(.selectAll)
    _ = full.handle(.insert("wxyz", isTyped: false))
    #expect(full.text == "wxy")
  }

  @Test("The clipboard gets the selection, and cutting removes it")
  func clipboard() {
    var input = state("one two")
    #expect(input.handle(.copy) == TextEditingState.Effects())
    _ = input.handle(.selectWord(1))
    #expect(input.handle(.copy) == TextEditingState.Effects(textChanged: false, copiedText: "one"))
    #expect(
      input.handle(.cut) == TextEditingState.Effects(textChanged: true, copiedText: "one") && input.text == " two")
    #expect(input.handle(.undo).textChanged && input.text == "one two" && input.selectedText == "one")
  }

  // MARK: History

  @Test("Typing is reverted by words, and other changes one by one")
  func undo() {
    var input = state()
    for character in "one two" { _ = input.handle(.insert(String(character), isTyped: true)) }
    _ = input.handle(.delete(.characters(-1)))
    var texts: [String] = []
    while input.canUndo {
      _ = input.handle(.undo)
      texts.append(input.text)
    }
    #expect(texts == ["one two", "one ", ""])
    while input.canRedo { _ = input.handle(.redo) }
    #expect(input.text == "one tw" && input.selection.caret == 6)
    // A movement starts another change.
    _ = input.handle(.move(.start, extending: false))
    _ = input.handle(.insert("a", isTyped: true))
    _ = input.handle(.move(.end, extending: false))
    _ = input.handle(.insert("b", isTyped: true))
    _ = input.handle(.undo)
    #expect(input.text == "aone tw" && !state().canUndo && !state().canRedo)
  }

  // MARK: Marked text

  @Test("Marked text is displayed at the caret, and is no text until it is committed")
  func markedText() {
    var input = state("ab", .place(1, extending: false))
    #expect(!input.handle(.setMarkedText("に", caret: 1)).textChanged)
    #expect(!input.handle(.setMarkedText("にほ", caret: 1)).textChanged)
    #expect(input.text == "ab" && String(input.displayedCharacters) == "aにほb")
    #expect(input.markedRange == 1..<3 && input.displayedCaret == 2)
    #expect(input.handle(.insert("日本", isTyped: true)).textChanged)
    #expect(input.text == "a日本b" && input.markedRange.isEmpty && input.displayedCaret == 3)
    _ = input.handle(.undo)
    #expect(input.text == "ab")
  }

  @Test("A composition that ends without a result leaves the text, and a key commits what is marked")
  func endOfComposition() {
    var input = state("ab", .setMarkedText("x", caret: 9), .setMarkedText("", caret: 0))
    #expect(input.text == "ab" && String(input.displayedCharacters) == "ab")
    _ = input.handle(.setMarkedText("x", caret: 1))
    #expect(input.handle(.move(.start, extending: false)).textChanged && input.text == "abx")
    #expect(input.selection.caret == 0)
    _ = input.handle(.selectAll)
    _ = input.handle(.setMarkedText("か", caret: 1))
    #expect(input.text == "" && String(input.displayedCharacters) == "か")
    _ = input.handle(.unmarkText)
    #expect(input.text == "か")
  }

  // MARK: Any events

  /// A line edited in the simplest way, with a copy of the text for each change.
  private struct Model {
    var text: [Character] = []
    var caret = 0
    var anchor = 0
    var past: [(text: [Character], caret: Int, anchor: Int)] = []
    var future: [[Character]] = []

    mutating func replace(with inserted: [Character]) {
      let (low, high) = (min(caret, anchor), max(caret, anchor))
      guard low < high || !inserted.isEmpty else { return }
      past.append((text, caret, anchor))
      if past.count > TextEditingState.maximumUndoCount { past.removeFirst() }
      future = []
      text = text[..<low] + inserted + text[high...]
      caret = low + inserted.count
      anchor = caret
    }
  }

  @Test("Any events have the effects of a simple model", arguments: 1...40 as ClosedRange<UInt64>)
  func sameAsModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var input = state()
    var model = Model()
    for _ in 0..<300 {
      let text = ["a", "b c ", "é", "👩‍👩‍👧", "東", ""].randomElement(using: &random) ?? ""
      let extending = Bool.random(using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2:
        _ = input.handle(.insert(text, isTyped: false))
        model.replace(with: Array(text))
      case 3:
        let count = Bool.random(using: &random) ? 1 : -1
        _ = input.handle(.delete(.characters(count)))
        if model.caret == model.anchor { model.caret = max(0, min(model.text.count, model.caret + count)) }
        model.replace(with: [])
      case 4:
        let position = Int.random(in: -3...60, using: &random)
        _ = input.handle(.place(position, extending: extending))
        model.caret = max(0, min(model.text.count, position))
        if !extending { model.anchor = model.caret }
      case 5:
        let copied = input.handle(.cut).copiedText
        let (low, high) = (min(model.caret, model.anchor), max(model.caret, model.anchor))
        #expect(copied == (low < high ? String(model.text[low..<high]) : nil))
        model.replace(with: [])
      case 6:
        _ = input.handle(.undo)
        if let last = model.past.popLast() {
          model.future.append(model.text)
          (model.text, model.caret, model.anchor) = last
        }
      default:
        _ = input.handle(.redo)
        if let next = model.future.popLast() {
          model.past.append((model.text, model.caret, model.anchor))
          model.text = next
          // The caret is after what was inserted.
          (model.caret, model.anchor) = (input.selection.caret, input.selection.anchor)
        }
      }
      #expect(input.characters == model.text && input.canUndo == !model.past.isEmpty)
      #expect(input.canRedo == !model.future.isEmpty)
      if input.selection.caret != model.caret || input.selection.anchor != model.anchor {
        // The selection before a change that redo made is that of the change, which the model does not store.
        (model.caret, model.anchor) = (input.selection.caret, input.selection.anchor)
      }
      #expect((0...model.text.count).contains(model.caret) && (0...model.text.count).contains(model.anchor))
    }
  }

  @Test("Any events keep the caret and the selection within the text", arguments: 1...20 as ClosedRange<UInt64>)
  func randomEvents(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var input = TextEditingState(maximumCount: 30)
    for _ in 0..<500 {
      let movements: [TextEditingState.Movement] = [.characters(-1), .characters(1), .word(-1), .word(1), .start, .end]
      let movement = movements.randomElement(using: &random) ?? .start
      let text =
        ["a", "b c ", "e", "\u{301}", "👩", "\u{200D}", "🇩", "שלום", "\n", ""].randomElement(using: &random) ?? ""
      let events: [TextEditingState.Event] = [
        .insert(text, isTyped: .random(using: &random)), .insert(text, isTyped: true),
        .setMarkedText(text, caret: Int.random(in: -1...5, using: &random)), .unmarkText, .delete(movement),
        .move(movement, extending: .random(using: &random)),
        .place(Int.random(in: -5...40, using: &random), extending: .random(using: &random)),
        .selectWord(Int.random(in: 0...40, using: &random)), .selectAll, .cut, .copy, .undo, .redo,
      ]
      guard let event = events.randomElement(using: &random) else { return }
      let before = input.text
      let effects = input.handle(event)
      #expect(effects.textChanged == (Array(before) != input.characters))
      let count = input.characters.count
      #expect(0...count ~= input.selection.caret && 0...count ~= input.selection.anchor && count <= 30)
      #expect(Array(input.text) == input.characters)
      #expect(input.markedRange.upperBound <= input.displayedCharacters.count)
    }
  }
}
