import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering

/// A scrolling view of a text of any length, which is not editable.
///
/// Lines are broken as they come into view, and further ones in the slack of frames, so that a text of a megabyte is
/// displayed at once. Until all lines are broken, the length of the content is an estimate. Add the view to the frames of its
/// window:
///
///     let view = TextView(style: TextStyle(size: 14), color: .white, lineHeight: 20)
///     view.text = license
///     window.addParticipant(view)
@MainActor
public final class TextView: ScrollView {
  /// The maximum numbers of lines that are broken in a frame for what it displays, and in a step of slack.
  private static let (linesPerFrame, linesPerStep) = (400, 20)

  /// The modelled cost of a step of slack, measured at about 100 µs.
  private static let modelledStepCost = FrameDuration.microseconds(100)

  /// The text.
  public var text = "" {
    didSet {
      guard text != oldValue else { return }
      lines = nil
      contentOffset = 0
      setNeedsLayout()
    }
  }
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

  private var lines: TextLines?
  private var linesGeneration = -1
  /// The labels of the visible lines, in order.
  private var labels: [Label] = []

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - style: The typeface, weight and size.
  ///   - color: The text color.
  ///   - lineHeight: The distance between lines, in points.
  public init(style: TextStyle, color: Color, lineHeight: Double) {
    self.style = style
    textColor = color
    self.lineHeight = max(1, lineHeight)
    super.init()
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
    TextLines.Measures(
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
      lines = TextLines(text, width: width)
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
    displayLines(first..<end)
  }

  private func displayLines(_ visible: Range<Int>) {
    guard let lines else { return }
    let shown = visible.clamped(to: 0..<lines.ranges.count)
    while labels.count < shown.count {
      let label = Label(style: style, color: textColor)
      labels.append(label)
      adoptChild(label)
    }
    for index in shown {
      // A line keeps its label while it is visible.
      let label = labels[index % labels.count]
      label.frame = Rect(
        x: textInset, y: Double(index) * lineHeight, width: max(0, bounds.width - 2 * textInset), height: lineHeight)
      label.text = lines.line(at: index)
      label.isHidden = false
    }
    let hidden = shown.upperBound..<shown.lowerBound + labels.count
    for index in hidden { labels[index % labels.count].isHidden = true }
    setNeedsDisplay()
  }

  public override func origin(of view: View) -> Point {
    view is Label ? view.frame.origin - contentOrigin : super.origin(of: view)
  }

  public override func renderSubviews(in context: DrawContext) {
    context.clipped(to: bounds) { context in
      context.translated(by: Point(x: 0, y: -contentOffset)) { context in
        for label in labels where !label.isHidden {
          context.translated(by: label.frame.origin) { label.render(in: $0) }
        }
      }
    }
    super.renderSubviews(in: context)
  }
}
