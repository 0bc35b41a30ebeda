import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("TextField edits a line by keys, pointer, clipboard and input methods")
struct TextFieldTests {
  /// A style whose characters are blocks of 10 by 20 pixels.
  private static let style = TextStyle(size: 20)

  private final class Log {
    var changes: [String] = []
    var editing: [Bool] = []
    var returns = 0
  }

  private let field = TextField(style: TextFieldTests.style, color: .white, tintColor: Color(hex: 0x3366FF))
  private let harness: WindowHarness
  private let log = Log()

  init() {
    let root = View()
    harness = WindowHarness(root: root)
    field.frame = Rect(x: 20, y: 30, width: 102, height: 40)
    root.addSubview(field)
    let log = log
    field.onEditingChanged = { log.changes.append($0) }
    field.onEditingStateChanged = { log.editing.append($0) }
    field.becomeFirstResponder()
    harness.runUntilIdle()
  }

  private func send(_ kinds: InputEvent.Kind...) {
    kinds.forEach { harness.sendEvent($0) }
    harness.runUntilIdle()
  }

  private func press(_ key: Key, _ modifiers: KeyModifiers = []) {
    send(.keyDown(key, modifiers: modifiers, isRepeat: false))
  }

  private func click(_ x: Double, clicks: Int = 1, _ modifiers: KeyModifiers = []) {
    send(
      .pointerDown(Point(x: x, y: 50), button: .primary, clicks: clicks, modifiers: modifiers),
      .pointerUp(Point(x: x, y: 50), button: .primary, modifiers: modifiers))
  }

  /// The rectangles filled with a color in the last frame.
  private func fills(_ color: Color) -> [PixelRect] {
    harness.display.frames.last?.commands.filter { $0.kind == .fill && $0.color == color }.map(\.destination) ?? []
  }

  /// The column of the caret in the window.
  private var caretColumn: Int32? { fills(field.tintColor).first?.x }

  @Test("A field in a scroll view receives spaces and letters, and the scroll view does not scroll by them")
  func fieldInScrollView() {
    let scrollView = ScrollView()
    let inner = TextField(style: TextFieldTests.style, color: .white)
    let harness = WindowHarness(root: scrollView)
    harness.window.addParticipant(scrollView)
    scrollView.addSubview(inner)
    scrollView.setContentLength(5_000)
    inner.becomeFirstResponder()
    for (key, text) in [(Key.character("a"), "a"), (.space, " "), (.character("b"), "b")] {
      harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      harness.sendEvent(.text(text))
      harness.sendEvent(.keyUp(key, modifiers: []))
    }
    harness.runUntilIdle()
    #expect(inner.text == "a b" && scrollView.contentOffset == 0)
    harness.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false))
    harness.runUntilIdle()
    #expect(scrollView.contentOffset > 0)
  }

  @Test("Typed text is displayed with the caret after it, and reported")
  func typing() {
    #expect(caretColumn == 20)
    send(.text("a"), .text("b"))
    #expect(field.text == "ab" && log.changes == ["a", "ab"] && caretColumn == 40)
    #expect(harness.drawnTexts(["ab"], in: Self.style).map(\.frame.x) == [20])
    press(.left)
    send(.text("c"))
    #expect(field.text == "acb" && caretColumn == 40)
    press(.backspace)
    #expect(field.text == "ab" && log.changes.last == "ab")
    field.text = "new\nline"
    #expect(field.text == "new line" && log.changes.last == "ab")
  }

  @Test("The placeholder is displayed in its color while the field is empty")
  func placeholder() {
    field.placeholder = "Search"
    harness.runUntilIdle()
    #expect(harness.drawnTexts(["Search"], in: Self.style).map(\.color) == [field.placeholderColor])
    send(.text("x"))
    #expect(harness.drawnTexts(["Search", "x"], in: Self.style).map(\.text) == ["x"])
    press(.backspace)
    #expect(harness.drawnTexts(["Search", "x"], in: Self.style).map(\.text) == ["Search"])
    #expect(field.accessibility?.label == "Search" && field.accessibility?.isFocused == true)
  }

  @Test("A click places the caret, Shift and a drag select, a double click selects a word, a triple one the line")
  func pointer() {
    field.text = "one two"
    click(20 + 34)
    #expect(field.selectedRange == 3..<3)
    click(20 + 62, clicks: 1, .shift)
    #expect(field.selectedRange == 3..<6)
    harness.runUntilIdle()
    #expect(fills(field.tintColor.opacity(0.35)) == [PixelRect(x: 50, y: 40, width: 30, height: 20)])
    click(20 + 55, clicks: 2)
    #expect(field.selectedRange == 4..<7)
    click(20 + 5, clicks: 3)
    #expect(field.selectedRange == 0..<7)
    send(
      .pointerDown(Point(x: 22, y: 50), button: .primary, clicks: 1, modifiers: []),
      .pointerMoved(Point(x: 300, y: 200)))
    #expect(field.selectedRange == 0..<7)
    send(.pointerMoved(Point(x: 43, y: 50)), .pointerUp(Point(x: 43, y: 50), button: .primary, modifiers: []))
    #expect(field.selectedRange == 0..<2)
    send(.pointerMoved(Point(x: 90, y: 50)))
    #expect(field.selectedRange == 0..<2)
  }

  @Test("Copying, cutting and pasting use the display's clipboard, and line breaks become spaces")
  func clipboard() {
    field.text = "one two"
    press(.character("v"), .control)
    #expect(field.text == "one two" && log.changes.isEmpty)
    press(.left, [.control, .shift])
    press(.character("c"), .control)
    #expect(harness.display.clipboardText == Array("two".utf8) && field.text == "one two")
    press(.character("x"), .control)
    #expect(field.text == "one ")
    press(.character("v"), .control)
    press(.character("v"), .control)
    #expect(field.text == "one twotwo")
    _ = harness.display.setClipboardText(Array("a\nb\u{0}c".utf8))
    press(.character("a"), .control)
    press(.character("v"), .control)
    #expect(field.text == "a bc")
    press(.character("z"), .control)
    #expect(field.text == "one twotwo")
    press(.character("z"), [.control, .shift])
    #expect(field.text == "a bc")
    press(.character("z"), .control)
    press(.character("y"), .control)
    #expect(field.text == "a bc")
  }

  @Test("A composition is underlined at the caret, and the input method is told where it is")
  func composition() {
    #expect(harness.display.textInputArea == Rect(x: 20, y: 30, width: 1, height: 40))
    send(.text("a"), .markedText("xyz", caret: 3))
    #expect(field.text == "a" && harness.drawnTexts(["axyz"], in: Self.style).count == 1)
    #expect(fills(.white) == [PixelRect(x: 30, y: 59, width: 30, height: 1)])
    #expect(harness.display.textInputArea?.minX == 60 && caretColumn == 60)
    send(.markedText("", caret: 0), .text("日本"))
    #expect(field.text == "a日本" && fills(.white).isEmpty && log.changes.last == "a日本")
  }

  @Test(
    "A field that ceases to be the first responder, or leaves the window, ends text input and commits the composition")
  func resigning() {
    send(.markedText("x", caret: 1))
    harness.window.firstResponder = nil
    harness.runUntilIdle()
    #expect(field.text == "x" && harness.display.textInputArea == nil && caretColumn == nil)
    #expect(log.editing == [false] || log.editing == [true, false])
    click(30)
    #expect(field.isFirstResponder && harness.display.textInputArea != nil)
    field.removeFromSuperview()
    #expect(!field.isFirstResponder && harness.display.textInputArea == nil)
    #expect(harness.window.firstResponder == nil)
  }

  @Test("A line that is too long scrolls with the caret, and fills the field again after a deletion")
  func scrolling() {
    for character in "abcdefghijklmno" { send(.text(String(character))) }
    // The caret is at the right edge.
    #expect(caretColumn == 120)
    press(.home)
    #expect(caretColumn == 20)
    press(.right)
    #expect(caretColumn == 30)
    press(.end)
    #expect(caretColumn == 120)
    press(.backspace)
    #expect(caretColumn == 120)
    press(.character("a"), .control)
    press(.delete)
    #expect(caretColumn == 20 && field.text == "")
    // Nothing is drawn outside the field.
    let clips = harness.display.frames.last?.commands.filter { $0.kind == .clip }.map(\.destination) ?? []
    #expect(!clips.isEmpty && clips.allSatisfy { $0 == PixelRect(x: 20, y: 30, width: 102, height: 40) })
  }

  @Test("Keys that the field does not use go to its superview, and Enter and Escape to the closures")
  func otherKeys() {
    final class KeyLog: View {
      var keys: [Key] = []

      override func handle(_ event: InputEvent) -> Bool {
        if case .keyDown(let key, _, _) = event.kind { keys.append(key) }
        return false
      }
    }
    let parent = KeyLog(frame: Rect(x: 0, y: 0, width: 200, height: 100))
    harness.window.rootView.addSubview(parent)
    parent.addSubview(field)
    field.becomeFirstResponder()
    for key in [Key.tab, .up, .function(3), .enter, .escape, .character("q"), .left] { press(key) }
    #expect(parent.keys == [.tab, .up, .function(3), .enter, .escape])
    let log = log
    field.onReturn = { log.returns += 1 }
    field.onCancel = { log.returns += 10 }
    press(.enter)
    press(.escape)
    #expect(log.returns == 11 && parent.keys.count == 5)
  }
}
