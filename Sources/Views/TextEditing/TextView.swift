public import FoundationEssentials
import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering

/// A scrolling view of a text of any length, which is not editable, but can be selected and copied.
///
/// Lines are broken as they come into view, and further ones in the slack of frames, so that a text of a megabyte is
/// displayed at once. Until all lines are broken, the length of the content is an estimate. Add the view to the frames of its
/// window:
///
///     let view = TextView(style: TextStyle(size: 14), color: .white, lineHeight: 20)
///     view.text = license
///     window.addParticipant(view)
///
/// If ``isSelectable`` is true:
///
/// | Input | Effect |
/// |---|---|
/// | Press and drag, Shift and press | select characters; after two presses words, after three paragraphs |
/// | Ctrl+A, Ctrl+C | select all, copy |
/// | Shift and Left, Right, Up, Down, Home, End | move the end of the selection, with Control by words or to the ends of the text |
@MainActor
public final class TextView: ScrollView {
  /// The maximum numbers of lines that are broken in a frame for what it displays, and in a step of slack.
  private static let (linesPerFrame, linesPerStep) = (400, 20)

  /// The modelled cost of a step of slack, measured at about 100 µs.
  private static let modelledStepCost = FrameDuration.microseconds(100)

  /// The text.
  public var text = "" {
    didSet {
      guard text != oldValue || storedAttributedText != nil else { return }
      storedAttributedText = nil
      textDidChange()
    }
  }
  /// The text with styles, colors, underlines and links of its parts, or nil for ``text`` in one style.
  ///
  /// All lines have the same height. Setting it sets ``text`` too; setting ``text`` makes it nil. Default: nil.
  public var attributedText: AttributedString? {
    get { storedAttributedText }
    set {
      guard newValue != storedAttributedText else { return }
      text = newValue.map { String($0.characters) } ?? ""
      storedAttributedText = newValue
      textDidChange()
    }
  }
  /// The color of links in ``attributedText`` that have no color of their own, or nil for that of the text.
  ///
  /// Default: nil.
  public var linkColor: Color? {
    didSet {
      guard linkColor != oldValue, storedAttributedText != nil else { return }
      updateStyledText()
      setNeedsLayout()
    }
  }
  /// Whether the user can select and copy the text.
  ///
  /// Default: false.
  public var isSelectable = false {
    didSet {
      guard isSelectable != oldValue else { return }
      selection = TextSelection()
      setNeedsDisplay()
    }
  }
  /// The color behind selected text, or nil for a translucent form of the text color.
  ///
  /// Default: nil.
  public var selectionColor: Color? {
    didSet { if selectionColor != oldValue { setNeedsDisplay() } }
  }
  /// A closure that is called with the address of a link in ``attributedText`` that the user clicks.
  public var onLinkActivated: ((URL) -> Void)?
  /// The text color.
  public var textColor: Color {
    didSet { for label in labels { label.textColor = textColor } }
  }
  /// The typeface, weight and size.
  public let style: TextStyle
  /// The distance between lines, in points.
  public let lineHeight: Double
  /// The distance of the text from the view's left and right edges, in points.
  ///
  /// The default is 0.
  public var textInset = 0.0 {
    didSet {
      guard textInset != oldValue else { return }
      lines = nil
      setNeedsLayout()
    }
  }

  private var storedAttributedText: AttributedString?
  /// The text that is displayed instead of ``text``, or nil.
  private var styledText: StyledText?
  private var links: [TextLink] = []
  private var selection = TextSelection()
  /// The place of the press from which the pointer selects, or nil.
  private var press: Point?
  /// The extents of the characters of lines that are selected or under the pointer.
  private var geometries: [Int: LineGeometry] = [:]
  private static let maximumGeometries = 256
  private var lines: TextLines?
  private var linesGeneration = -1
  /// The labels of the visible lines, in order.
  private var labels: [Label] = []
  /// The line that each label displays, or nil.
  private var displayedIndices: [Int?] = []

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - style: The typeface, weight and size.
  ///   - color: The text color.
  ///   - lineHeight: The distance between lines, in points, or nil for 1.4 times the size of the style. Default: nil.
  public init(style: TextStyle, color: Color, lineHeight: Double? = nil) {
    self.style = style
    textColor = color
    self.lineHeight = max(1, lineHeight ?? (style.size * 1.4).rounded())
    super.init()
  }

  private func textDidChange() {
    updateStyledText()
    selection = TextSelection()
    lines = nil
    contentOffset = 0
    setNeedsLayout()
  }

  private func updateStyledText() {
    links = []
    discardDisplayedLines()
    styledText = storedAttributedText.map { StyledText($0, style: style, linkColor: linkColor, links: &links) }
  }

  /// The number of lines, estimated until all of the text has been broken into lines.
  public var estimatedNumberOfLines: Int { lines?.estimatedCount ?? 0 }

  /// Whether all of the text has been broken into lines.
  public var isLayoutComplete: Bool { lines?.isComplete ?? text.isEmpty }

  /// An element with the visible text.
  public override var accessibility: AccessibilityElement? {
    text.isEmpty
      ? nil
      : AccessibilityElement(
        role: .text, label: labels.filter { !$0.isHidden }.map(\.text).joined(separator: " "), frame: frameInWindow)
  }

  public override func layoutSubviews() {
    super.layoutSubviews()
    updateLines()
  }

  public override func contentOffsetDidChange() { updateLines() }

  public override func displayScaleDidChange(_ scale: DisplayScale) {
    super.displayScaleDidChange(scale)
    lines = nil
  }

  public override func performSlackStep(_ budget: FrameBudget) -> Bool {
    if super.performSlackStep(budget) { return true }
    guard let count = lines?.ranges.count, lines?.isComplete == false, budget.allows(.microseconds(500)) else {
      return false
    }
    breakLines(upTo: count + TextView.linesPerStep)
    budget.clock.spend(TextView.modelledStepCost)
    return true
  }

  private func measures(_ resources: RenderResources) -> TextLines.Measures {
    if let styledText { return LabelContent.measures(of: styledText, resources) }
    return TextLines.Measures(
      width: { [style] in resources.text.width(of: $0, style: style, scale: resources.scale) },
      breaks: { resources.text.lineBreakOffsets(in: $0) })
  }

  private func breakLines(upTo count: Int) {
    guard let resources = window?.resources else { return }
    lines?.breakLines(upTo: count, measures(resources))
    setContentLength(Double(estimatedNumberOfLines) * lineHeight)
  }

  /// Breaks the lines that are visible, and displays them.
  private func updateLines() {
    guard let resources = window?.resources, bounds.width > 0 else { return }
    let width = Int(resources.scale.pixel(max(1, bounds.width - 2 * textInset)))
    if lines == nil || lines?.width != width || linesGeneration != resources.generation {
      lines = TextLines(displayedText, width: width)
      discardDisplayedLines()
      linesGeneration = resources.generation
      setContentLength(Double(estimatedNumberOfLines) * lineHeight)
    }
    let first = max(0, Int(visibleRect.minY / lineHeight))
    let end = max(first, Int((visibleRect.maxY / lineHeight).rounded(.up)))
    let known = lines?.ranges.count ?? 0
    if known < end, lines?.isComplete == false {
      breakLines(upTo: min(end, known + TextView.linesPerFrame))
      // After a jump into text that is not broken yet, the next frames break the rest.
      if let lines, lines.ranges.count < end, !lines.isComplete { setNeedsLayout() }
    }
    displayLines(first..<end, resources)
  }

  private func displayLines(_ visible: Range<Int>, _ resources: RenderResources) {
    guard let lines else { return }
    let shown = visible.clamped(to: 0..<lines.ranges.count)
    while labels.count < shown.count {
      let label = Label(style: style, color: textColor)
      labels.append(label)
      displayedIndices.append(nil)
      adoptChild(label)
    }
    for index in shown {
      // A line keeps its label while it is visible.
      let label = labels[index % labels.count]
      label.frame = Rect(
        x: textInset, y: Double(index) * lineHeight, width: max(0, bounds.width - 2 * textInset), height: lineHeight)
      if displayedIndices[index % labels.count] != index {
        displayedIndices[index % labels.count] = index
        label.displayLine(line(at: index, of: lines), style: style, resources)
      }
      label.isHidden = false
    }
    let hidden = shown.upperBound..<shown.lowerBound + labels.count
    for index in hidden { labels[index % labels.count].isHidden = true }
    setNeedsDisplay()
  }

  /// Displays all visible lines again, and measures lines again.
  private func discardDisplayedLines() {
    geometries = [:]
    displayedIndices = displayedIndices.map { _ in nil }
  }

  private func line(at index: Int, of lines: TextLines) -> StyledText {
    guard let styledText else {
      return StyledText(lines.line(at: index), style: style, direction: lines.direction(at: index))
    }
    var line = styledText.slice(lines.displayedRange(at: index))
    line.direction = lines.direction(at: index)
    return line
  }

  public override func origin(of view: View) -> Point {
    view is Label ? view.frame.origin - contentOrigin : super.origin(of: view)
  }

  public override func renderSubviews(in context: DrawContext) {
    context.clipped(to: bounds) { context in
      context.translated(by: Point(x: 0, y: -contentOffset)) { context in
        drawSelection(in: context)
        for label in labels where !label.isHidden {
          context.translated(by: label.frame.origin) { label.render(in: $0) }
        }
      }
    }
    super.renderSubviews(in: context)
  }

  // MARK: - Selection

  /// The text of the lines, in whose bytes the selection is.
  private var displayedText: String { styledText?.string ?? text }

  /// The selected text, which is empty if nothing is selected.
  public var selectedText: String {
    let (text, range) = (displayedText, selection.range)
    let start = text.utf8.index(text.startIndex, offsetBy: min(range.lowerBound, text.utf8.count))
    let end = text.utf8.index(text.startIndex, offsetBy: min(range.upperBound, text.utf8.count))
    return String(text[start..<end])
  }

  /// Selects the whole text, if it is selectable.
  public func selectAll() {
    guard isSelectable else { return }
    selection.selectAll(of: displayedText)
    setNeedsDisplay()
  }

  /// Copies the selected text to the clipboard, unless nothing is selected.
  public func copySelection() {
    guard !selection.range.isEmpty else { return }
    _ = window?.resources.display.setClipboardText(Array(selectedText.utf8))
  }

  private func geometry(ofLineAt index: Int, _ lines: TextLines, _ resources: RenderResources) -> LineGeometry {
    if let known = geometries[index] { return known }
    let line = line(at: index, of: lines)
    let scale = resources.scale
    let isSimple =
      line.isPlain(in: style) && line.direction != .rightToLeft
      && !resources.text.needsLayout(line.string, style: style, scale: scale)
    let geometry =
      isSimple
      ? resources.text.geometry(of: line.string, style: style, scale: scale)
      : resources.text.geometry(of: line, scale: scale)
    if geometries.count >= TextView.maximumGeometries { geometries = [:] }
    geometries[index] = geometry
    return geometry
  }

  /// Returns the offset in the text of each displayed character of a line, and that of its end.
  private func offsets(ofLineAt index: Int, _ lines: TextLines) -> [Int] {
    let range = lines.displayedRange(at: index)
    let start = lines.text.utf8.index(lines.text.startIndex, offsetBy: range.lowerBound)
    var (offsets, offset) = ([Int](), range.lowerBound)
    for character in lines.text[start..<lines.text.utf8.index(start, offsetBy: range.count)] {
      // A tab is displayed as four spaces.
      offsets += Array(repeating: offset, count: character == "\t" ? 4 : 1)
      offset += character.utf8.count
    }
    return offsets + [offset]
  }

  /// Returns the columns from the left edge of the text to the start of a line, in pixels.
  private func lineStart(_ geometry: LineGeometry, _ resources: RenderResources) -> Int {
    let width = Int(resources.scale.pixel(bounds.width - 2 * textInset))
    return geometry.isRightToLeft ? max(0, width - geometry.width) : 0
  }

  /// Returns the offset in the text nearest to a point of the view, or nil outside a window.
  private func offset(at point: Point) -> Int? {
    guard let lines, let resources = window?.resources, !lines.ranges.isEmpty else { return nil }
    let index = min(max(0, Int(((point.y + contentOffset) / lineHeight).rounded(.down))), lines.ranges.count - 1)
    let geometry = geometry(ofLineAt: index, lines, resources)
    let column = Int(resources.scale.pixel(point.x - textInset)) - lineStart(geometry, resources)
    let offsets = offsets(ofLineAt: index, lines)
    return offsets[min(geometry.position(at: column), offsets.count - 1)]
  }

  private func drawSelection(in context: DrawContext) {
    guard let lines, !selection.range.isEmpty else { return }
    let color = selectionColor ?? textColor.opacity(0.3)
    let first = max(0, Int(visibleRect.minY / lineHeight))
    let end = min(lines.ranges.count, Int((visibleRect.maxY / lineHeight).rounded(.up)))
    for index in first..<max(first, end) where lines.ranges[index].overlaps(selection.range) {
      let geometry = geometry(ofLineAt: index, lines, context.resources)
      let offsets = offsets(ofLineAt: index, lines)
      let start = offsets.firstIndex { $0 >= selection.range.lowerBound } ?? offsets.count - 1
      let limit = offsets.firstIndex { $0 >= selection.range.upperBound } ?? offsets.count - 1
      let left = lineStart(geometry, context.resources)
      for columns in geometry.columns(of: start..<max(start, limit)) {
        context.fill(
          Rect(
            x: textInset + context.scale.length(ofPixels: Int32(left + columns.lowerBound)),
            y: Double(index) * lineHeight, width: context.scale.length(ofPixels: Int32(columns.count)),
            height: lineHeight), color)
      }
    }
  }

  public override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown(let point, .primary, let clicks, let modifiers) where isSelectable || !links.isEmpty:
      stopDeceleration(at: event.time)
      beginSelection(at: convertFromWindow(point), clicks: clicks, extending: modifiers.contains(.shift))
      return true
    case .pointerMoved(let point) where press != nil && isSelectable:
      extendSelection(to: convertFromWindow(point))
      return true
    case .pointerUp(let point, .primary, _) where press != nil:
      activateLink(at: convertFromWindow(point))
      press = nil
      return true
    case .cancelled: press = nil
    case .keyDown(let key, let modifiers, _) where isSelectable && !modifiers.contains(.alt):
      if handleKey(key, modifiers) { return true }
    default: break
    }
    return super.handle(event)
  }

  private func beginSelection(at point: Point, clicks: Int, extending: Bool) {
    press = point
    guard isSelectable, let offset = offset(at: point) else { return }
    window?.firstResponder = self
    if extending {
      selection.extend(to: offset, in: displayedText)
    } else {
      selection.begin(
        at: offset, by: clicks == 1 ? .character : clicks == 2 ? .word : .paragraph, in: displayedText)
    }
    setNeedsDisplay()
  }

  private func extendSelection(to point: Point) {
    // Beyond an edge the text scrolls by as much as the pointer is outside.
    if point.y < 0 { contentOffset += point.y }
    if point.y > bounds.height { contentOffset += point.y - bounds.height }
    guard let offset = offset(at: point) else { return }
    selection.extend(to: offset, in: displayedText)
    setNeedsDisplay()
  }

  /// Opens the link at the place of a press that selected nothing.
  private func activateLink(at point: Point) {
    guard selection.range.isEmpty, let press, abs(press.x - point.x) < 4, abs(press.y - point.y) < 4,
      let offset = offset(at: point), let link = links.first(where: { $0.range.contains(offset) })
    else { return }
    onLinkActivated?(link.url)
  }

  private func handleKey(_ key: Key, _ modifiers: KeyModifiers) -> Bool {
    let control = modifiers.contains(.control)
    switch key {
    case .character("a") where control: selectAll()
    case .character("c") where control && !selection.range.isEmpty: copySelection()
    case .escape where !selection.range.isEmpty:
      selection = TextSelection()
      setNeedsDisplay()
    case .left, .right, .up, .down, .home, .end:
      guard modifiers.contains(.shift), !selection.range.isEmpty, let offset = movedCaret(key, control) else {
        return false
      }
      selection.moveCaret(to: offset)
      setNeedsDisplay()
    default: return false
    }
    return true
  }

  /// Returns the offset of the caret after a key, or nil outside a window.
  private func movedCaret(_ key: Key, _ control: Bool) -> Int? {
    guard let lines, let resources = window?.resources, !lines.ranges.isEmpty else { return nil }
    let index = lines.indexOfLine(at: selection.caret)
    switch key {
    case .home: return control ? 0 : lines.displayedRange(at: index).lowerBound
    case .end: return control ? displayedText.utf8.count : lines.displayedRange(at: index).upperBound
    case .up, .down:
      let target = key == .up ? index - 1 : index + 1
      guard lines.ranges.indices.contains(target) else { return target < 0 ? 0 : displayedText.utf8.count }
      let offsets = offsets(ofLineAt: index, lines)
      let position = offsets.firstIndex { $0 >= selection.caret } ?? offsets.count - 1
      let column = geometry(ofLineAt: index, lines, resources).caretColumn(at: position)
      let targets = self.offsets(ofLineAt: target, lines)
      return targets[min(geometry(ofLineAt: target, lines, resources).position(at: column), targets.count - 1)]
    default:
      // Left and right follow the direction of the paragraph.
      let step = (key == .right) == (lines.direction(at: index) == .leftToRight) ? 1 : -1
      return selection.movedCaret(step, by: control ? .word : .character, in: displayedText)
    }
  }
}
