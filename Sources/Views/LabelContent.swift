import FoundationEssentials
import VitrineGeometry
import VitrineRendering

/// The content of a label that is not a single line in one style, which most labels do not have.
final class LabelContent {
  /// The text with attributes, or nil for the label's text in its style.
  var attributedText: AttributedString?
  /// The color of links.
  var linkColor: Color?
  /// A line that the superview broke, or nil.
  var line: StyledText?
  /// The maximum number of lines, or 0 for as many as necessary.
  var numberOfLines = 1
  /// The labels of the lines.
  private(set) var labels: [Label] = []
  private var styled: StyledText?
  private var broken: (lines: [StyledText], width: Int, limit: Int, generation: Int)?

  /// Whether the lines are labels of their own.
  var hasSeveralLines: Bool { numberOfLines != 1 }

  /// Whether the label displays more than its text in its style.
  var isAttributed: Bool { attributedText != nil || line != nil }

  /// Discards what depends on the text, its style and how lines are truncated.
  func invalidate() {
    styled = nil
    broken = nil
  }

  /// Returns the single line, or nil if it has one style.
  func styledLine(style: TextStyle) -> StyledText? {
    if let line { return line }
    guard attributedText != nil else { return nil }
    return styledText("", style)
  }

  private func styledText(_ text: String, _ style: TextStyle) -> StyledText {
    if let styled { return styled }
    let made =
      attributedText.map { StyledText($0, style: style, linkColor: linkColor) } ?? StyledText(text, style: style)
    styled = made
    return made
  }

  // MARK: - Several lines

  /// Returns the lines of a label in a width in pixels.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - width: The width in pixels.
  ///   - limit: The maximum number of lines, or 0.
  ///   - resources: The measurements.
  /// - Complexity: O(log n) measurements for each line of n words, unless the same lines were broken last.
  func lines(of label: Label, width: Int, limit: Int, _ resources: RenderResources) -> [StyledText] {
    if let broken, broken.width == width, broken.limit == limit, broken.generation == resources.generation {
      return broken.lines
    }
    let lines = LabelContent.lines(
      of: styledText(label.text, label.style), width: width, limit: limit, label.lineBreakMode, resources)
    broken = (lines, width, limit, resources.generation)
    return lines
  }

  /// Returns the size of the lines in pixels.
  func size(of lines: [StyledText], _ style: TextStyle, _ resources: RenderResources) -> (width: Int, height: Int) {
    let (text, scale) = (resources.text, resources.scale)
    return lines.reduce(into: (0, 0)) { size, line in
      size = (
        max(size.0, text.width(of: line, scale: scale)),
        size.1 + text.metrics(of: line, style, scale: scale).lineHeight
      )
    }
  }

  /// Displays the lines that fit the label's frame.
  func layOutLines(of label: Label, _ resources: RenderResources) {
    let scale = resources.scale
    let width = Int(scale.pixel(label.frame.width))
    let room = Int(scale.pixel(label.frame.height))
    func heights(_ lines: [StyledText]) -> [Int] {
      lines.map { resources.text.metrics(of: $0, label.style, scale: scale).lineHeight }
    }
    var lines = lines(of: label, width: width, limit: numberOfLines, resources)
    var lineHeights = heights(lines)
    if lineHeights.reduce(0, +) > room, lines.count > 1 {
      // The last line that fits is truncated.
      var (fitting, height) = (0, 0)
      while fitting < lines.count, height + lineHeights[fitting] <= room {
        height += lineHeights[fitting]
        fitting += 1
      }
      lines = self.lines(of: label, width: width, limit: max(1, fitting), resources)
      lineHeights = heights(lines)
    }
    var y = max(0, (room - lineHeights.reduce(0, +)) / 2)
    for (index, line) in lines.enumerated() {
      let view = lineLabel(at: index, of: label)
      view.frame = Rect(
        x: 0, y: scale.length(ofPixels: Int32(y)), width: label.frame.width,
        height: scale.length(ofPixels: Int32(lineHeights[index])))
      y += lineHeights[index]
      view.allowsDeferredLine = label.allowsDeferredLine
      view.lineBreakMode = label.lineBreakMode
      view.textAlignment = label.textAlignment
      view.textColor = label.textColor
      view.displayLine(line, style: label.style, resources)
      view.isHidden = false
    }
    for view in labels.dropFirst(lines.count) { view.isHidden = true }
  }

  private func lineLabel(at index: Int, of label: Label) -> Label {
    while labels.count <= index {
      let made = Label(style: label.style, color: label.textColor)
      labels.append(made)
      label.addSubview(made)
    }
    return labels[index]
  }

  /// Removes the labels of the lines.
  func removeLines() {
    for view in labels { view.removeFromSuperview() }
    labels = []
  }

  // MARK: - Line breaking

  /// The maximum number of lines of a label without a limit.
  private static let maximumLines = 4_096
  /// The number of characters of a line that is truncated anyway.
  private static let maximumCharacters = 400

  /// Returns the lines of a text; the last one contains the rest, to be truncated when it is rendered.
  static func lines(
    of text: StyledText, width: Int, limit: Int, _ mode: LineBreakMode, _ resources: RenderResources
  ) -> [StyledText] {
    let limit = limit > 0 ? limit : maximumLines
    var lines = TextLines(text.string, width: width)
    lines.breakLines(upTo: limit, measures(of: text, resources))
    return lines.ranges.indices.map { index in
      let range = lines.displayedRange(at: index)
      var line =
        index == limit - 1 && !lines.isComplete
        ? lastLine(text.slice(range.lowerBound..<text.string.utf8.count), mode) : text.slice(range)
      line.direction = lines.direction(at: index)
      return line
    }
  }

  /// Returns the measurements of the lines of a text.
  static func measures(of text: StyledText, _ resources: RenderResources) -> TextLines.Measures {
    TextLines.Measures(
      width: { _ in 0 }, breaks: { resources.text.lineBreakOffsets(in: $0) },
      rangeWidth: { resources.text.width(of: text.slice($0), scale: resources.scale) })
  }

  /// Returns a single line that displays the rest of a text truncated.
  private static func lastLine(_ rest: StyledText, _ mode: LineBreakMode) -> StyledText {
    let text = rest.string
    let ellipsis: (StyledText.Run?) -> StyledText = { run in
      var made = StyledText()
      if let run { made.append("…", run) }
      return made
    }
    switch mode {
    case .byTruncatingTail:
      // Other paragraphs are not moved up into the line.
      let paragraph = text.prefix { !$0.isNewline }.prefix(maximumCharacters)
      let line = rest.slice(0..<paragraph.utf8.count)
      return paragraph.utf8.count < text.utf8.count ? line.appending(ellipsis(line.runs.last ?? rest.runs.first)) : line
    case .byTruncatingHead:
      let tail = text.suffix(maximumCharacters)
      return ellipsis(rest.runs.first).appending(
        rest.slice(text.utf8.count - tail.utf8.count..<text.utf8.count).singleLine)
    case .byTruncatingMiddle:
      let (head, tail) = (text.prefix(maximumCharacters / 2), text.suffix(maximumCharacters / 2))
      guard head.utf8.count + tail.utf8.count < text.utf8.count else { return rest.singleLine }
      return rest.slice(0..<head.utf8.count).appending(ellipsis(rest.runs.first)).appending(
        rest.slice(text.utf8.count - tail.utf8.count..<text.utf8.count)
      ).singleLine
    }
  }
}
