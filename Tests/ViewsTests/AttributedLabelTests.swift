import FoundationEssentials
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("Labels display attributes and several lines")
struct AttributedLabelTests {
  /// A style whose characters are blocks of 5 by 10 pixels, 12 from line to line.
  private static let style = TextStyle(size: 10)
  private static let red = Color(hex: 0xFF0000)

  private let root = View()
  private let label = Label(style: AttributedLabelTests.style, color: .white)
  private let harness: WindowHarness

  init() {
    harness = WindowHarness(root: root)
    label.frame = Rect(x: 0, y: 0, width: 50, height: 60)
    root.addSubview(label)
  }

  private func commands() -> [DrawCommand] {
    harness.runUntilIdle()
    return harness.display.frames.last?.commands ?? []
  }

  private func attributed(_ text: String, _ color: Color? = red) -> AttributedString {
    var text = AttributedString(text)
    text.foregroundColor = color
    return text
  }

  /// Returns the texts of the visible lines.
  private func lines() -> [String] {
    harness.runUntilIdle()
    return label.subviews.compactMap { $0 as? Label }.filter { !$0.isHidden }.map(\.text)
  }

  @Test("Attributes become runs, with the label's style where there is none, and links are underlined in their color")
  func conversion() throws {
    var text = AttributedString("one ")
    var link = AttributedString("two")
    link.link = URL(string: "https://example.org")
    text.append(link)
    var last = AttributedString("\tthree")
    last.textStyle = TextStyle(size: 20, isItalic: true)
    last.backgroundColor = .black
    last.strikethroughStyle = TextLineStyle(color: Self.red)
    text.append(last)
    let styled = StyledText(text, style: Self.style, linkColor: Self.red)
    #expect(styled.string == "one two    three")
    #expect(
      styled.runs == [
        .init(range: 0..<4, style: Self.style),
        .init(range: 4..<7, style: Self.style, foregroundColor: Self.red, underlineStyle: .single),
        .init(
          range: 7..<16, style: TextStyle(size: 20, isItalic: true), backgroundColor: .black,
          strikethroughStyle: TextLineStyle(color: Self.red)),
      ])
  }

  @Test(
    "Parts with colors are drawn untinted under the tinted ones, and another color of the label needs no other line")
  func colors() {
    label.attributedText = AttributedString("ab") + attributed("cd")
    #expect(label.text == "abcd" && label.accessibility?.label == "abcd")
    #expect(commands().map(\.color) == [.white, .white])
    label.textColor = Color(hex: 0x336699, alpha: 128)
    let drawn = commands()
    #expect(drawn.map(\.color) == [Color.white.opacity(128.0 / 255), Color(hex: 0x336699, alpha: 128)])
    #expect(drawn.map(\.source.y) == [10, 0])
    #expect(drawn.map(\.destination) == Array(repeating: PixelRect(x: 0, y: 25, width: 20, height: 10), count: 2))
    #expect((harness.resources.text as? BlockTextRasterizer)?.paintedLines == 1)
    label.text = "abcd"
    #expect(label.attributedText == nil && commands().map(\.source.y) == [0])
  }

  @Test("A line of parts in several styles is truncated to the width")
  func truncation() {
    label.attributedText = AttributedString("abcdef") + attributed("ghijklm")
    label.lineBreakMode = .byTruncatingHead
    #expect(commands().map(\.destination.width) == [50, 50])
    label.frame.size.width = 30
    // Five characters and the ellipsis, all of them red but the ellipsis.
    #expect(commands().map(\.destination.width) == [30, 30])
  }

  @Test("Text is broken between words into as many lines as necessary, or at most a number of them")
  func numberOfLines() {
    label.text = "one two three four five six"
    label.numberOfLines = 0
    #expect(lines() == ["one two", "three four", "five six"])
    // The lines are centered: 36 of 60 pixels.
    #expect(label.subviews.map(\.frame.minY) == [12, 24, 36])
    label.numberOfLines = 2
    #expect(lines() == ["one two", "three four five six"])
    #expect(commands().map(\.destination.width) == [35, 50])
    label.numberOfLines = 1
    #expect(label.subviews.isEmpty && commands().count == 1)
  }

  @Test("The last line loses its start, its middle or its end")
  func lastLine() {
    label.text = "one two three\nfour\nfive"
    label.numberOfLines = 2
    #expect(lines() == ["one two", "three…"])
    label.lineBreakMode = .byTruncatingHead
    #expect(lines() == ["one two", "…three four five"])
    label.lineBreakMode = .byTruncatingMiddle
    #expect(lines() == ["one two", "three four five"])
  }

  @Test("Lines that do not fit the height are not displayed")
  func height() {
    label.text = "one two three four five six"
    label.numberOfLines = 0
    label.frame.size.height = 30
    #expect(lines() == ["one two", "three four five six"])
    label.frame.size.height = 5
    #expect(lines() == ["one two three four five six"])
  }

  @Test("The size that fits is that of the lines, for plain and for attributed text")
  func sizes() {
    label.text = "one two three four"
    #expect(label.sizeThatFits(.zero) == Size(width: 90, height: 12))
    #expect(label.sizeThatFits(Size(width: 50, height: 0)) == Size(width: 50, height: 12))
    label.numberOfLines = 0
    #expect(label.sizeThatFits(Size(width: 52, height: 0)) == Size(width: 50, height: 24))
    #expect(label.sizeThatFits(Size(width: 40, height: 0)) == Size(width: 35, height: 36))
    label.text = ""
    #expect(label.sizeThatFits(Size(width: 40, height: 0)) == .zero)
    var large = AttributedString(" LARGE")
    large.textStyle = TextStyle(size: 20)
    label.attributedText = AttributedString("one two") + large
    // The second line has characters of 10 by 24.
    #expect(label.sizeThatFits(Size(width: 50, height: 0)) == Size(width: 50, height: 36))
    #expect(lines() == ["one two", "LARGE"])
    label.removeFromSuperview()
    #expect(label.sizeThatFits(Size(width: 50, height: 0)) == Size(width: 50, height: 13))
  }

  @Test("A change of the text, the style, the color or the scale is displayed in all lines")
  func changes() {
    label.numberOfLines = 0
    label.text = "one two three"
    #expect(lines() == ["one two", "three"])
    label.textColor = Self.red
    #expect(commands().map(\.color) == [Self.red, Self.red])
    label.style = TextStyle(size: 14)
    #expect(lines() == ["one two", "three"] && label.subviews.map(\.frame.height) == [16, 16])
    label.text = "one"
    #expect(lines() == ["one"])
    harness.resize(to: Size(width: 400, height: 300), scale: DisplayScale(pixelsPerPoint: 2))
    #expect(commands().map(\.destination.height) == [28])
  }

  @Test("Lines of a paragraph from right to left start at the right edge, also those of Latin letters")
  func rightToLeft() throws {
    label.numberOfLines = 0
    label.text = "שלום abc abcdefgh"
    #expect(lines() == ["שלום abc", "abcdefgh"])
    let drawn = commands()
    #expect(drawn.map(\.destination.x) == [10, 10])
    #expect(drawn.map(\.destination.width) == [40, 40])
  }

  @Test("Paragraphs balance lines of attributed text, and text views display it")
  func paragraphs() {
    let paragraph = Paragraph(style: Self.style, color: .white, lineHeight: 16, numberOfLines: 3, alignment: .leading)
    root.addSubview(paragraph)
    paragraph.attributedText = attributed("aaa bbb ") + AttributedString("ccc ddd")
    paragraph.sizeToFit(width: 55)
    #expect(paragraph.frame.height == 32 && paragraph.text == "aaa bbb ccc ddd")
    #expect(paragraph.subviews.compactMap { ($0 as? Label)?.text } == ["aaa bbb", "ccc ddd", ""])
    label.removeFromSuperview()
    #expect(commands().map(\.destination.width) == [35, 35])
    paragraph.removeFromSuperview()

    let view = TextView(style: Self.style, color: .white, lineHeight: 16)
    view.frame = Rect(x: 0, y: 0, width: 50, height: 100)
    root.addSubview(view)
    harness.window.addParticipant(view)
    view.attributedText = attributed("one two three\n") + AttributedString("four")
    #expect(commands().filter { $0.kind == .texture }.map(\.destination.y) == [3, 19, 35])
    #expect(view.contentLength == 48 && view.accessibility?.label == "one two three four")
    view.text = "one two three\nfour"
    #expect(view.attributedText == nil && commands().filter { $0.kind == .texture }.count == 3)
  }
}
