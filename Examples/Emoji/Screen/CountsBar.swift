import ExampleSupport
import Geometry
import Rendering
import Views

/// The bar above the grid: what is shown, and what became of the operations, each figure in a column of its own.
///
/// A narrow window shows the last columns.
final class CountsBar: View {
  /// The bar's height in points.
  static let height = 64.0
  private static let margin = 16.0
  private static let column = 76.0
  private static let titleWidth = 200.0

  /// What became of the operations.
  var counts = OperationCounts() {
    didSet { if counts != oldValue { setNeedsDisplay() } }
  }
  /// What stands under the title.
  var subtitle: String {
    get { subtitleLabel.text }
    set { subtitleLabel.text = newValue }
  }

  private let theme: ExampleTheme
  private let titleLabel: Label
  private let subtitleLabel: Label
  private let captions: [Label]
  /// Painted once: the figures change in nearly every frame.
  private let figures = GlyphTable(style: TextStyle(size: 15, weight: .medium, hasMonospacedDigits: true))
  private let line = GlyphLine(capacity: 16)

  init(title: String, theme: ExampleTheme) {
    self.theme = theme
    titleLabel = Label(style: ExampleTheme.titleStyle, color: theme.primaryText)
    subtitleLabel = Label(style: ExampleTheme.captionStyle, color: theme.secondaryText)
    captions = ["Started", "Loading", "Ahead", "Shown", "Cancelled", "Wasted"].map { name in
      let label = Label(style: TextStyle(size: 11), color: theme.secondaryText, alignment: .trailing)
      label.text = name
      return label
    }
    super.init()
    titleLabel.text = title
    backgroundColor = theme.bar
    for label in [titleLabel, subtitleLabel] + captions { addSubview(label) }
  }

  private var values: [Int] {
    [counts.started, counts.running, counts.ahead, counts.shown, counts.cancelled, counts.wasted]
  }

  /// The left edge of a column; nothing where it has no room beside the title.
  private func edge(of column: Int) -> Double? {
    let x = bounds.width - CountsBar.margin - Double(captions.count - column) * CountsBar.column
    return x >= CountsBar.margin + CountsBar.titleWidth ? x : nil
  }

  override func layoutSubviews() {
    let firstEdge = captions.indices.lazy.compactMap(edge(of:)).first
    let width = max(0, (firstEdge ?? bounds.width) - 2 * CountsBar.margin)
    titleLabel.frame = Rect(x: CountsBar.margin, y: 11, width: width, height: 24)
    subtitleLabel.frame = Rect(x: CountsBar.margin, y: 35, width: width, height: 18)
    for (column, label) in captions.enumerated() {
      label.isHidden = edge(of: column) == nil
      label.frame = Rect(x: edge(of: column) ?? 0, y: 35, width: CountsBar.column, height: 18)
    }
  }

  override func draw(in context: DrawContext) {
    let hairline = 1 / context.scale.pixelsPerPoint
    context.fill(Rect(x: 0, y: bounds.height - hairline, width: bounds.width, height: hairline), theme.separator)
    for (column, value) in values.enumerated() {
      guard let edge = edge(of: column) else { continue }
      line.removeAll()
      line.write(value)
      let x = edge + CountsBar.column - figures.width(of: line, in: context.resources)
      figures.draw(line, at: Point(x: x, y: 13), color: theme.primaryText, in: context)
    }
  }
}
