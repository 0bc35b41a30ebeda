public import FoundationEssentials
import VitrineGeometry
public import VitrineRendering

/// A text of several balanced lines, up to a maximum number.
///
/// The owner sets the width and obtains the resulting height:
///
///     caption.sizeToFit(width: bounds.width - 24)
///     caption.frame.origin = Point(x: 12, y: picture.frame.maxY + 8)
@MainActor
public final class Paragraph: View {
  /// An element with the text, or nil if it is empty.
  public override var accessibility: AccessibilityElement? {
    text.isEmpty ? nil : AccessibilityElement(role: .text, label: text, frame: frameInWindow)
  }

  /// The text.
  public var text = "" {
    didSet {
      guard text != oldValue || styledText != nil else { return }
      styledText = nil
      storedAttributedText = nil
      linesDidChange()
    }
  }
  /// The text with styles, colors, underlines and links of its parts, or nil for ``text`` in one style.
  ///
  /// Setting it sets ``text`` too; setting ``text`` makes it nil. Default: nil.
  public var attributedText: AttributedString? {
    get { storedAttributedText }
    set {
      guard newValue != storedAttributedText else { return }
      text = newValue.map { String($0.characters) } ?? ""
      storedAttributedText = newValue
      updateStyledText()
    }
  }
  /// The color of links in ``attributedText`` that have no color of their own, or nil for that of the text.
  ///
  /// Default: nil.
  public var linkColor: Color? {
    didSet { if linkColor != oldValue { updateStyledText() } }
  }
  /// The text color.
  public var textColor: Color {
    didSet { for line in lines { line.textColor = textColor } }
  }

  /// The parameters of the last line breaking.
  private struct Fitting: Hashable {
    var width: Double
    var generation: Int?
  }

  private let style: TextStyle
  private let lineHeight: Double
  private let lines: [Label]
  private var lastFitting: Fitting?
  /// The text that is displayed instead of ``text``, or nil.
  private var styledText: StyledText?
  private var storedAttributedText: AttributedString?

  /// Creates a paragraph.
  ///
  /// - Parameters:
  ///   - style: The typeface, weight and size.
  ///   - color: The text color.
  ///   - lineHeight: The distance between lines, in points.
  ///   - numberOfLines: The maximum number of lines, at least 1; text that does not fit into the last one is truncated.
  ///   - alignment: The horizontal alignment of the lines.
  public init(
    style: TextStyle, color: Color, lineHeight: Double, numberOfLines: Int, alignment: Label.Alignment = .center
  ) {
    self.style = style
    textColor = color
    self.lineHeight = lineHeight
    lines = (0..<max(1, numberOfLines)).map { _ in Label(style: style, color: color, alignment: alignment) }
    super.init()
    isUserInteractionEnabled = false
    for line in lines { addSubview(line) }
  }

  private func updateStyledText() {
    styledText = storedAttributedText.map { StyledText($0, style: style, linkColor: linkColor).singleLine }
    linesDidChange()
  }

  private func linesDidChange() {
    lastFitting = nil
    superview?.setNeedsLayout()
  }

  /// Breaks the text into lines for a width in points and adjusts the height, unless this has been done already.
  ///
  /// Outside a window text cannot be measured, so the text gets a single line.
  ///
  /// - Complexity: O(words · log width) text measurements.
  public func sizeToFit(width: Double) {
    let resources = window?.resources
    let fitting = Fitting(width: width, generation: resources?.generation)
    guard fitting != lastFitting else { return }
    lastFitting = fitting
    if let styledText, let resources {
      let texts = brokenLines(of: styledText, width: width, resources)
      layOutLines(texts.count, width: width) { lines[$0].displayLine(texts[$0], style: style, resources) }
    } else {
      let texts = resources.map { brokenLines(width: width, $0) } ?? [text]
      layOutLines(texts.count, width: width) { lines[$0].text = texts[$0] }
    }
  }

  private func layOutLines(_ count: Int, width: Double, display: (Int) -> Void) {
    frame.size = Size(width: width, height: lineHeight * Double(count))
    for (index, line) in lines.enumerated() {
      line.frame = Rect(x: 0, y: lineHeight * Double(index), width: width, height: lineHeight)
      line.isHidden = index >= count
      if index < count { display(index) } else { line.text = "" }
    }
  }

  private func brokenLines(of styled: StyledText, width: Double, _ resources: RenderResources) -> [StyledText] {
    let scale = resources.scale
    let direction = TextDirection.ofFirstLetter(in: styled.string.unicodeScalars)
    return LineBreaker.ranges(
      of: styled.string, width: Int(scale.pixel(width)), maximumCount: lines.count,
      breaks: resources.text.lineBreakOffsets(in: styled.string)
    ) {
      resources.text.width(of: styled.slice($0), scale: scale)
    }.map {
      var line = styled.slice($0)
      line.direction = direction
      return line
    }
  }

  private func brokenLines(width: Double, _ resources: RenderResources) -> [String] {
    let scale = resources.scale
    return LineBreaker.lines(
      of: text, width: Int(scale.pixel(width)), maximumCount: lines.count,
      breaks: resources.text.lineBreakOffsets(in: text)
    ) { line in
      resources.text.width(of: line, style: style, scale: scale)
    }
  }
}

/// The line breaking of a text between its words.
enum LineBreaker {
  /// Returns the lines of a text: as few as possible, and as even as possible for that number.
  ///
  /// A word wider than the width gets a line of its own. Text that does not fit into the last line is included there,
  /// to be truncated when drawn. Several spaces become one.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - width: The maximum width of a line.
  ///   - count: The maximum number of lines, at least 1.
  ///   - breaks: The offsets in bytes at which the text may be broken. Default: those of ``LineBreakRules``.
  ///   - measure: Returns the width of a line; it must grow with the number of words.
  /// - Complexity: O(words · log width) measurements.
  static func lines(
    of text: String, width: Int, maximumCount count: Int, breaks: [Int]? = nil, measure: (String) -> Int
  ) -> [String] {
    let bytes = Array(text.utf8)
    func line(_ range: Range<Int>) -> String {
      var line: [UInt8] = []
      for byte in bytes[range] where byte != space || line.last != space { line.append(byte) }
      return String(decoding: line, as: UTF8.self)
    }
    return ranges(
      of: text, width: width, maximumCount: count, breaks: breaks ?? LineBreakRules.offsets(in: text)
    ) { measure(line($0)) }.map(line)
  }

  /// Returns the bytes of the lines of a text, without spaces at their ends.
  static func ranges(
    of text: String, width: Int, maximumCount count: Int, breaks: [Int], measure: (Range<Int>) -> Int
  ) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    func trimmed(_ range: Range<Int>) -> Range<Int> {
      var (start, end) = (range.lowerBound, range.upperBound)
      while start < end, bytes[start] == space { start += 1 }
      while end > start, bytes[end - 1] == space { end -= 1 }
      return start..<end
    }
    let words = zip([0] + breaks, breaks).map { $0..<$1 }.filter { !trimmed($0).isEmpty }
    /// Returns lines that each contain as many words as fit.
    func greedyLines(_ width: Int) -> [Range<Int>] {
      var lines: [Range<Int>] = []
      for word in words {
        if let last = lines.last, measure(trimmed(last.lowerBound..<word.upperBound)) <= width {
          lines[lines.count - 1] = last.lowerBound..<word.upperBound
        } else {
          lines.append(word)
        }
      }
      return lines.map(trimmed)
    }
    let full = greedyLines(width)
    guard full.count > 1 else { return full }
    guard full.count <= count else {
      let last = max(1, count) - 1
      return full[..<last] + [full[last].lowerBound..<full[full.count - 1].upperBound]
    }
    // Finds the smallest width with the same number of lines. Invariant: `high` yields that number, `low` more.
    var low = 0
    var high = width
    var even = full
    while high - low > 1 {
      let middle = (low + high) / 2
      let lines = greedyLines(middle)
      if lines.count == full.count {
        even = lines
        high = middle
      } else {
        low = middle
      }
    }
    return even
  }

  private static let space = UInt8(ascii: " ")
}
