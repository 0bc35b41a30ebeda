package import VitrineGeometry

/// A line under or through a part of a text.
public struct TextLineStyle: Hashable, Sendable {
  /// The color, or nil for that of the text.
  public var color: Color?

  /// Creates a style.
  public init(color: Color? = nil) { self.color = color }

  /// A line in the color of the text.
  public static let single = TextLineStyle()
}

/// The base direction of a paragraph.
public enum TextDirection: UInt8, Hashable, Sendable {
  /// As in Latin.
  case leftToRight
  /// As in Hebrew and Arabic.
  case rightToLeft

  /// Returns the direction of the first letter of a text, or nil if it has none.
  ///
  /// - Complexity: O(scalars) up to the first letter.
  package static func ofFirstLetter(in text: some Sequence<Unicode.Scalar>) -> TextDirection? {
    for scalar in text where scalar.properties.isAlphabetic {
      switch scalar.value {
      // Marks of these scripts are alphabetic too.
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF:
        return .rightToLeft
      default: return .leftToRight
      }
    }
    return nil
  }
}

/// A text whose parts have styles and colors of their own, as a rasterizer displays it: without control characters, tabs
/// and excessive combining marks.
public struct StyledText: Hashable, Sendable {
  /// A part of a text.
  public struct Run: Hashable, Sendable {
    /// The bytes of the part in UTF-8.
    public var range: Range<Int>
    /// The typeface, weight and size.
    public var style: TextStyle
    /// The color, or nil for the one with which the line is tinted.
    public var foregroundColor: Color?
    /// The color behind the text, or nil for none.
    public var backgroundColor: Color?
    /// The line under the text, or nil for none.
    public var underlineStyle: TextLineStyle?
    /// The line through the text, or nil for none.
    public var strikethroughStyle: TextLineStyle?

    /// Creates a run.
    package init(
      range: Range<Int>, style: TextStyle, foregroundColor: Color? = nil, backgroundColor: Color? = nil,
      underlineStyle: TextLineStyle? = nil, strikethroughStyle: TextLineStyle? = nil
    ) {
      self.range = range
      self.style = style
      self.foregroundColor = foregroundColor
      self.backgroundColor = backgroundColor
      self.underlineStyle = underlineStyle
      self.strikethroughStyle = strikethroughStyle
    }
  }

  /// The text.
  public private(set) var string: String
  /// The runs, which follow each other without gaps from the start of the text to its end.
  public private(set) var runs: [Run]
  /// The base direction, or nil for that of the first letter.
  public var direction: TextDirection?

  /// Creates an empty text.
  package init(direction: TextDirection? = nil) {
    string = ""
    runs = []
    self.direction = direction
  }

  /// Creates a text of one run.
  ///
  /// - Complexity: O(scalars).
  package init(_ text: String, style: TextStyle, direction: TextDirection? = nil) {
    self.init(direction: direction)
    append(text, Run(range: 0..<0, style: style))
  }

  /// Appends a text with the attributes of a run, whose range is ignored.
  ///
  /// Line breaks are retained. Tabs become four spaces.
  ///
  /// - Complexity: O(scalars).
  package mutating func append(_ text: String, _ attributes: Run) {
    let start = string.utf8.count
    string += SanitizedText.displayedText(text)
    string.makeContiguousUTF8()
    var run = attributes
    run.range = start..<string.utf8.count
    append(run)
  }

  private mutating func append(_ run: Run) {
    guard !run.range.isEmpty else { return }
    if let last = runs.last {
      var extended = last
      extended.range = run.range
      if extended == run {
        runs[runs.count - 1].range = last.range.lowerBound..<run.range.upperBound
        return
      }
    }
    runs.append(run)
  }

  /// Returns a part of the text.
  ///
  /// - Parameter range: The bytes of the part, whose ends are boundaries of scalars.
  /// - Complexity: O(bytes of the part + log runs).
  package func slice(_ range: Range<Int>) -> StyledText {
    let bounds = range.clamped(to: 0..<string.utf8.count)
    var part = StyledText(direction: direction)
    let start = string.utf8.index(string.startIndex, offsetBy: bounds.lowerBound)
    part.string = String(string[start..<string.utf8.index(start, offsetBy: bounds.count)])
    for var run in runs[indexOfRun(at: bounds.lowerBound)...] {
      guard run.range.lowerBound < bounds.upperBound else { break }
      let bytes = run.range.clamped(to: bounds)
      run.range = bytes.lowerBound - bounds.lowerBound..<bytes.upperBound - bounds.lowerBound
      part.append(run)
    }
    return part
  }

  /// Whether the text has no other attributes than a style.
  package func isPlain(in style: TextStyle) -> Bool {
    guard let run = runs.first else { return true }
    return runs.count == 1 && run == Run(range: run.range, style: style)
  }

  /// Returns the index of the run of the byte at an offset, or the number of runs at the end.
  ///
  /// - Complexity: O(log runs).
  package func indexOfRun(at offset: Int) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the text followed by another one.
  package func appending(_ other: StyledText) -> StyledText {
    var whole = self
    let length = string.utf8.count
    whole.string += other.string
    for var run in other.runs {
      run.range = run.range.lowerBound + length..<run.range.upperBound + length
      whole.append(run)
    }
    return whole
  }

  /// Returns the text with spaces for line breaks, for a single line.
  ///
  /// - Complexity: O(bytes).
  package var singleLine: StyledText {
    guard string.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return self }
    var line = StyledText(direction: direction)
    for run in runs {
      let text = slice(run.range).string
      line.append(text.map { $0.isNewline ? " " : String($0) }.joined(), run)
    }
    return line
  }

  /// Returns the text truncated to a width, with an ellipsis in the style of the part that it replaces.
  ///
  /// - Complexity: O(log n) measurements.
  package func truncated(to width: Int, _ mode: LineBreakMode, measure: (StyledText) -> Int) -> StyledText {
    let whole = measure(self)
    guard whole > width else { return self }
    var offsets = [0]
    for character in string { offsets.append(offsets[offsets.count - 1] + character.utf8.count) }
    let total = offsets.count - 1
    func shortened(_ count: Int) -> StyledText {
      let tail = mode.tailCount(of: count)
      let end = offsets[total - tail]
      let head = slice(0..<offsets[count - tail])
      let attributes = runs.first { $0.range.upperBound > offsets[count - tail] } ?? runs.last
      var ellipsis = StyledText(direction: direction)
      if let attributes { ellipsis.append("…", attributes) }
      return head.appending(ellipsis).appending(slice(end..<string.utf8.count))
    }
    return shortened(mode.longestFittingCount(of: total, whole: whole, width: width) { measure(shortened($0)) })
  }

  /// Compares the bytes of both texts.
  public static func == (left: StyledText, right: StyledText) -> Bool {
    left.direction == right.direction && BytewiseText(left.string) == BytewiseText(right.string)
      && left.runs == right.runs
  }

  /// Hashes the text, which few runs share.
  public func hash(into hasher: inout Hasher) { hasher.combine(BytewiseText(string)) }
}

extension TextRasterizer {
  /// Returns the greatest metrics of the styles of a text.
  ///
  /// - Complexity: O(runs).
  package func metrics(of text: StyledText, _ style: TextStyle, scale: DisplayScale) -> TextMetrics {
    guard let first = text.runs.first else { return metrics(style, scale: scale) }
    var greatest = metrics(first.style, scale: scale)
    for run in text.runs.dropFirst() where run.style != first.style {
      let metrics = metrics(run.style, scale: scale)
      greatest.ascent = max(greatest.ascent, metrics.ascent)
      greatest.descent = max(greatest.descent, metrics.descent)
      greatest.lineHeight = max(greatest.lineHeight, metrics.lineHeight)
    }
    return greatest
  }
}

/// The positions of the lines under and through a text, from the baseline down in pixels.
package struct TextLinePositions: Hashable, Sendable {
  /// The rows of the line under a text.
  package let underline: Range<Int>
  /// The rows of the line through a text.
  package let strikethrough: Range<Int>

  /// Creates the positions for a size in pixels.
  package init(pixelSize: Int) {
    let thickness = max(1, (pixelSize + 7) / 15)
    let below = max(1, (pixelSize + 4) / 9)
    underline = below..<below + thickness
    let middle = -(pixelSize * 3 / 10)
    strikethrough = middle - thickness / 2..<middle - thickness / 2 + thickness
  }
}
