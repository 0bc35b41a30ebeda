import FoundationEssentials
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("Text in a text view is selected and copied")
struct TextSelectionTests {
  /// A style whose characters are blocks of 10 by 20 pixels.
  private static let style = TextStyle(size: 20)
  private static let highlight = Color(hex: 0x3366CC)

  private let view = TextView(style: TextSelectionTests.style, color: .white, lineHeight: 24)
  private let harness: WindowHarness

  init() {
    let root = View()
    harness = WindowHarness(root: root, size: Size(width: 200, height: 96))
    view.frame = Rect(x: 0, y: 0, width: 200, height: 96)
    root.addSubview(view)
    harness.window.addParticipant(view)
    view.text = "one two three four\nfive\tsix\n\n東京 end"
    view.isSelectable = true
    view.selectionColor = Self.highlight
    harness.runUntilIdle()
  }

  private func press(_ x: Double, _ y: Double, clicks: Int = 1, _ modifiers: KeyModifiers = []) {
    harness.sendEvent(
      .pointerDown(Point(x: x, y: y), button: .primary, clicks: clicks, modifiers: modifiers))
    harness.run(frames: 1)
  }

  private func release(_ x: Double, _ y: Double) {
    harness.sendEvent(.pointerUp(Point(x: x, y: y), button: .primary, modifiers: []))
    harness.run(frames: 1)
  }

  private func drag(to x: Double, _ y: Double) {
    harness.sendEvent(.pointerMoved(Point(x: x, y: y)))
    harness.run(frames: 1)
  }

  private func key(_ key: Key, _ modifiers: KeyModifiers) {
    harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    harness.run(frames: 1)
  }

  private func highlights() -> [PixelRect] {
    harness.runUntilIdle()
    return harness.display.frames.last?.commands.filter { $0.color == Self.highlight }.map(\.destination) ?? []
  }

  @Test("A drag selects characters across lines, which are highlighted")
  func dragging() {
    press(42, 10)
    #expect(view.selectedText.isEmpty && highlights().isEmpty)
    drag(to: 71, 12)
    #expect(view.selectedText == "two")
    #expect(highlights() == [PixelRect(x: 40, y: 0, width: 30, height: 24)])
    // A tab has four columns.
    drag(to: 90, 30)
    #expect(view.selectedText == "two three four\nfive\ts")
    #expect(
      highlights() == [
        PixelRect(x: 40, y: 0, width: 140, height: 24), PixelRect(x: 0, y: 24, width: 90, height: 24),
      ])
    drag(to: 0, 10)
    #expect(view.selectedText == "one ")
    release(0, 10)
    drag(to: 100, 10)
    #expect(view.selectedText == "one ")
    press(32, 10, .shift)
    #expect(view.selectedText == " ")
  }

  @Test("Two presses select a word and three a paragraph, and drags extend them by these")
  func units() {
    press(52, 10, clicks: 2)
    #expect(view.selectedText == "two")
    drag(to: 95, 10)
    #expect(view.selectedText == "two three")
    drag(to: 5, 10)
    #expect(view.selectedText == "one two")
    release(5, 10)
    press(52, 30, clicks: 3)
    #expect(view.selectedText == "five\tsix\n")
  }

  @Test("Keys extend the selection, select all of it and copy it")
  func keys() {
    press(42, 10)
    drag(to: 50, 10)
    release(50, 10)
    #expect(view.selectedText == "t")
    key(.right, .shift)
    #expect(view.selectedText == "tw")
    key(.right, [.shift, .control])
    #expect(view.selectedText == "two")
    key(.end, .shift)
    #expect(view.selectedText == "two three four")
    key(.home, .shift)
    #expect(view.selectedText == "one ")
    key(.down, .shift)
    #expect(view.selectedText == "two three four\n")
    key(.character("a"), .control)
    #expect(view.selectedText == view.text)
    key(.character("c"), .control)
    #expect(String(decoding: harness.display.clipboardText, as: UTF8.self) == view.text)
    key(.escape, [])
    #expect(view.selectedText.isEmpty && highlights().isEmpty)
    view.selectAll()
    view.isSelectable = false
    #expect(view.selectedText.isEmpty)
  }

  @Test("A drag beyond the lower edge scrolls")
  func scrolling() {
    view.text = (0..<50).map { "line \($0)" }.joined(separator: "\n")
    harness.runUntilIdle()
    press(0, 10)
    for _ in 0..<20 { drag(to: 10, 120) }
    #expect(view.contentOffset > 400 && view.selectedText.hasPrefix("line 0\nline 1\n"))
    #expect(view.selectedText.split(separator: "\n").count > 20)
  }

  @Test("A click on a link calls the closure, and a drag over it does not")
  func links() {
    var link = AttributedString("two")
    link.link = URL(string: "https://example.org")
    view.attributedText = AttributedString("one ") + link + AttributedString(" three")
    var opened: [String] = []
    view.onLinkActivated = { opened.append($0.absoluteString) }
    harness.runUntilIdle()
    press(52, 10)
    release(52, 10)
    #expect(opened == ["https://example.org"])
    press(12, 10)
    release(12, 10)
    press(42, 10)
    drag(to: 62, 10)
    release(62, 10)
    #expect(opened.count == 1 && view.selectedText == "tw")
    view.isSelectable = false
    press(52, 10)
    release(52, 10)
    #expect(opened.count == 2)
  }
}
