import Testing
import VitrineTestSupport

@testable import VitrineGalleryUI

@Suite("The text of a field, its caret and its selection")
struct TextInputTests {
  @Test("Text is inserted at the caret, and replaces the selection")
  func insertion() {
    var input = TextInput("July")
    input.move(.start, extending: false)
    input.insert("in ")
    #expect(input.text == "in July" && input.caret == 3)
    input.move(.end, extending: true)
    #expect(input.selectedText == "July")
    input.insert("May")
    #expect(input.text == "in May" && input.caret == 6 && input.selection.isEmpty)
  }

  @Test("Deleting removes the selection, a character or a word")
  func deletion() {
    var input = TextInput("one two  three")
    input.delete(.word(-1))
    #expect(input.text == "one two  ")
    input.delete(.word(-1))
    #expect(input.text == "one ")
    input.delete(.characters(-1))
    #expect(input.text == "one")
    input.move(.start, extending: false)
    input.delete(.characters(1))
    #expect(input.text == "ne")
    input.selectAll()
    input.delete(.characters(-1))
    #expect(input.text == "")
    input.delete(.characters(-1))
    #expect(input.text == "" && input.caret == 0)
  }

  @Test("Without Shift, an arrow key moves to the end of the selection in its direction")
  func collapse() {
    var input = TextInput("abcdef")
    input.moveCaret(to: 4, extending: false)
    input.moveCaret(to: 1, extending: true)
    input.move(.characters(1), extending: false)
    #expect(input.caret == 4 && input.selection.isEmpty)
    input.selectWord(at: 2)
    #expect(input.selectedText == "abcdef")
  }

  @Test("Control characters become spaces, a megabyte of text is cut, and combining marks do not add up")
  func badText() {
    #expect(TextInput("a\nb\u{7}c").text == "a b c")
    #expect(TextInput(String(repeating: "x", count: 1 << 20)).characters.count == TextInput.maximumCount)
    let marks = TextInput("e" + String(repeating: "\u{301}", count: 1 << 20))
    #expect(marks.text.unicodeScalars.count <= 4 * TextInput.maximumCount)
  }

  @Test("Random edits keep the caret and the selection within the text")
  func randomEdits() {
    var generator = SeededGenerator(seed: 9)
    var input = TextInput()
    for _ in 0..<2_000 {
      let movements: [TextInput.Movement] = [.characters(-1), .characters(1), .word(-1), .word(1), .start, .end]
      let movement = movements.randomElement(using: &generator) ?? .start
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: input.insert(["a", "b c ", "é", "👩‍👩‍👧", ""].randomElement(using: &generator) ?? "")
      case 1: input.delete(movement)
      case 2: input.moveCaret(to: Int.random(in: -5...2_000, using: &generator), extending: .random(using: &generator))
      case 3: input.selectWord(at: Int.random(in: 0...50, using: &generator))
      default: input.move(movement, extending: .random(using: &generator))
      }
      let count = input.characters.count
      #expect(0...count ~= input.caret && 0...count ~= input.anchor && count <= TextInput.maximumCount)
    }
  }
}
