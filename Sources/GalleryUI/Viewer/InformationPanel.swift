import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A panel beside the picture in the viewer, with the information about the photograph and its histogram.
///
/// It scrolls if there is more than it has space for.
final class InformationPanel: ScrollView, ThemedView {
  /// The width beside the picture, and the smallest width of a viewer in which the panel is beside it, in points.
  nonisolated static let (width, minimumViewerWidth) = (300.0, 640.0)

  /// The colors.
  var theme: Theme {
    didSet { updateColors() }
  }
  /// Called with the address of a row that was pressed.
  var onOpen: (String) -> Void = { _ in }

  private let nameLabel: Label
  private let histogramView: HistogramView
  private let separator = View()
  private let content = View()
  private var rows: [InformationRow] = []
  private var rowViews: [InformationRowView] = []
  private static let histogramHeight = 84.0
  private static let nameHeight = 24.0

  /// Creates a panel without information.
  init(theme: Theme) {
    self.theme = theme
    nameLabel = Label(style: Theme.titleStyle, color: theme.primaryText)
    nameLabel.lineBreakMode = .byTruncatingMiddle
    histogramView = HistogramView(theme: theme)
    super.init()
    content.isUserInteractionEnabled = false
    separator.isUserInteractionEnabled = false
    for view in [nameLabel, histogramView] { content.addSubview(view) }
    addSubview(content)
    addSubview(scrollIndicator)
    addSubview(separator)
    updateColors()
  }

  private func updateColors() {
    backgroundColor = theme.bar
    separator.backgroundColor = theme.separator
    nameLabel.textColor = theme.primaryText
  }

  /// Whether there are lines.
  var hasLines: Bool { !rows.isEmpty }

  /// Shows the name of a photograph.
  func show(name: String) { nameLabel.text = name }

  /// Shows the information about a photograph.
  ///
  /// - Parameters:
  ///   - information: The lines.
  ///   - isOpening: Whether addresses can be opened.
  func show(_ information: [InformationRow], opensAddresses isOpening: Bool) {
    var next = information
    if !isOpening { for index in next.indices { next[index].address = nil } }
    guard next != rows else { return }
    // Another photograph begins at its top.
    if next.first != rows.first { contentOffset = 0 }
    rows = next
    for view in rowViews { view.removeFromSuperview() }
    rowViews = next.map { row in
      let view = InformationRowView(row, theme: theme)
      view.onOpen = { [weak self] in self?.onOpen($0) }
      content.addSubview(view)
      return view
    }
    setNeedsLayout()
  }

  /// Shows the histogram of a picture, or none.
  func show(_ histogram: LuminanceHistogram?) { histogramView.histogram = histogram }

  override func layoutSubviews() {
    let margin = Metrics.margin
    let width = max(0, bounds.width - 2 * margin)
    var y = 12.0
    nameLabel.frame = Rect(x: margin, y: y, width: width, height: InformationPanel.nameHeight)
    y += InformationPanel.nameHeight + 12
    histogramView.frame = Rect(x: margin, y: y, width: width, height: InformationPanel.histogramHeight)
    y += InformationPanel.histogramHeight + 12
    for view in rowViews {
      let height = view.height(forWidth: width, in: window?.resources)
      view.frame = Rect(x: margin, y: y, width: width, height: height)
      y += height
    }
    setContentLength(y + 12)
    content.frame = Rect(x: 0, y: -contentOffset, width: bounds.width, height: y + 12)
    // It is at the edge toward the picture.
    separator.frame =
      bounds.width > InformationPanel.width
      ? Rect(x: 0, y: 0, width: bounds.width, height: 1) : Rect(x: 0, y: 0, width: 1, height: bounds.height)
    super.layoutSubviews()
  }

  override func contentOffsetDidChange() { content.frame.origin.y = -contentOffset }

  override func renderSubviews(in context: DrawContext) {
    context.clipped(to: bounds) { super.renderSubviews(in: $0) }
  }

  override func handle(_ event: InputEvent) -> Bool {
    if super.handle(event) { return true }
    switch event.kind {
    // Neither a press nor the wheel reaches the picture below.
    case .pointerDown(_, .primary, _, _), .pointerUp(_, .primary, _), .wheel, .pan, .pinch: return true
    default: return false
    }
  }
}

/// A line of the information: what it states, and the value in one line or several.
final class InformationRowView: View, ThemedView {
  /// The colors.
  var theme: Theme {
    didSet { updateColors() }
  }
  /// Called with the address if the value is pressed.
  var onOpen: (String) -> Void = { _ in }

  private let row: InformationRow
  private let titleLabel: Label
  private var valueLabels: [Label] = []
  private let link: LinkControl?
  /// The width and the generation of the resources for which the value was broken into lines.
  private var fitting: (width: Double, generation: Int)?
  private static let titleWidth = 92.0
  private static let lineHeight = 18.0
  private static let spacing = 6.0
  private static let maximumLines = 4

  /// Creates a line.
  init(_ row: InformationRow, theme: Theme) {
    self.row = row
    self.theme = theme
    titleLabel = Label(style: Theme.detailStyle, color: theme.secondaryText)
    titleLabel.text = row.title
    link = row.address.map { _ in LinkControl(theme: theme) }
    super.init()
    isUserInteractionEnabled = false
    addSubview(titleLabel)
    if let link, let address = row.address {
      link.toolTip = "Open in a map"
      link.action = { [weak self] in self?.onOpen(address) }
      addSubview(link)
    }
  }

  override var accessibility: AccessibilityElement? {
    AccessibilityElement(role: .text, label: accessibilityText, frame: frameInWindow)
  }

  /// The title and the value.
  var accessibilityText: String { "\(row.title): \(row.value)" }

  private func updateColors() {
    titleLabel.textColor = theme.secondaryText
    for label in valueLabels { label.textColor = valueColor }
  }

  private var valueColor: Color { link == nil ? theme.primaryText : theme.accent }

  /// Returns the height for a width, and breaks the value into lines for it.
  func height(forWidth width: Double, in resources: RenderResources?) -> Double {
    let valueWidth = max(0, width - InformationRowView.titleWidth)
    if let resources, fitting?.width != width || fitting?.generation != resources.generation {
      fitting = (width, resources.generation)
      let limit = Int(resources.scale.pixel(valueWidth))
      let lines = TextWrapping.lines(of: row.value, width: limit, maximumCount: InformationRowView.maximumLines) {
        resources.text.width(of: $0, style: Theme.detailStyle, scale: resources.scale)
      }
      for label in valueLabels { label.removeFromSuperview() }
      valueLabels = lines.map { line in
        let label = Label(style: Theme.detailStyle, color: valueColor)
        label.lineBreakMode = .byTruncatingMiddle
        label.text = line
        addSubview(label)
        return label
      }
      setNeedsLayout()
    }
    return Double(max(1, valueLabels.count)) * InformationRowView.lineHeight + InformationRowView.spacing
  }

  override func layoutSubviews() {
    let (start, line) = (InformationRowView.titleWidth, InformationRowView.lineHeight)
    titleLabel.frame = Rect(x: 0, y: 0, width: start - 8, height: line)
    let width = max(0, bounds.width - start)
    for (index, label) in valueLabels.enumerated() {
      label.frame = Rect(x: start, y: Double(index) * line, width: width, height: line)
    }
    guard let link else { return }
    let used = window.map { window in valueLabels.map { $0.measuredWidth(in: window.resources) }.max() ?? 0 } ?? 0
    link.frame = Rect(
      x: start - 4, y: 0, width: min(width, used) + 8, height: Double(max(1, valueLabels.count)) * line)
  }
}

/// A control over the text of a link.
private final class LinkControl: Control {
  override func draw(in context: DrawContext) {
    super.draw(in: context)
    guard isHovered || isFocused else { return }
    context.fill(Rect(x: 4, y: bounds.height - 2, width: bounds.width - 8, height: 1), theme.accent)
  }
}

/// The breaking of a text into lines, between words and behind the slashes of a path.
nonisolated enum TextWrapping {
  /// Returns the lines of a text, each as long as possible.
  ///
  /// A part that is wider than the width gets a line of its own. What does not fit into the last line is included there, to
  /// be truncated when drawn.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - width: The maximum width of a line.
  ///   - count: The maximum number of lines, at least 1.
  ///   - measure: Returns the width of a line.
  static func lines(of text: String, width: Int, maximumCount count: Int, measure: (String) -> Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for part in parts(of: text) {
      let longer = line + part
      if line.isEmpty || lines.count + 1 >= count || measure(longer.trimmingTrailingSpaces) <= width {
        line = longer
      } else {
        lines.append(line.trimmingTrailingSpaces)
        line = part
      }
    }
    return line.isEmpty ? lines : lines + [line.trimmingTrailingSpaces]
  }

  /// Returns the parts between which a line can end, with the separators behind them.
  private static func parts(of text: String) -> [String] {
    var (parts, part): ([String], String) = ([], "")
    let isPath = text.hasPrefix("/")
    for character in text {
      part.append(character)
      guard character == " " || isPath && character == "/" else { continue }
      parts.append(part)
      part = ""
    }
    return part.isEmpty ? parts : parts + [part]
  }
}

extension String {
  fileprivate nonisolated var trimmingTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
