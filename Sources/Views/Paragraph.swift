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
      guard text != oldValue else { return }
      lastFitting = nil
      superview?.setNeedsLayout()
    }
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
    let texts = resources.map { brokenLines(width: width, $0) } ?? [text]
    frame.size = Size(width: width, height: lineHeight * Double(texts.count))
    for (index, line) in lines.enumerated() {
      line.frame = Rect(x: 0, y: lineHeight * Double(index), width: width, height: lineHeight)
      line.isHidden = index >= texts.count
      line.text = index < texts.count ? texts[index] : ""
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
  /// to be truncated when drawn.
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
    let words = words(of: text, breaks ?? LineBreakRules.offsets(in: text))
    let full = greedyLines(words, width: width, measure)
    guard full.count > 1 else { return full.map(trimmed) }
    guard full.count <= count else {
      let fullLineCount = max(1, count) - 1
      return full[..<fullLineCount].map(trimmed) + [trimmed(full[fullLineCount...].joined())]
    }
    // Finds the smallest width with the same number of lines. Invariant: `high` yields that number, `low` more.
    var low = 0
    var high = width
    var even = full
    while high - low > 1 {
      let middle = (low + high) / 2
      let lines = greedyLines(words, width: middle, measure)
      if lines.count == full.count {
        even = lines
        high = middle
      } else {
        low = middle
      }
    }
    return even.map(trimmed)
  }

  /// Returns the parts of a text between breaks, with one space after a word.
  private static func words(of text: String, _ breaks: [Int]) -> [String] {
    let bytes = Array(text.utf8)
    return zip([0] + breaks, breaks).compactMap { start, end in
      let part = String(decoding: bytes[start..<end], as: UTF8.self)
      let word = trimmed(String(part.drop { $0 == " " }))
      return word.isEmpty ? nil : part.last == " " ? word + " " : word
    }
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Returns lines that each contain as many words as fit, with the space after the last one.
  private static func greedyLines(_ words: [String], width: Int, _ measure: (String) -> Int) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, measure(trimmed(last + word)) <= width {
        lines[lines.count - 1] = last + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}
