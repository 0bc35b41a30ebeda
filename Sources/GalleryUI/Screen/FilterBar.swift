import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// The bar below the header bar while photographs are searched: a chip for each condition, and how many were found.
///
/// A press of a chip removes its condition.
final class FilterBar: View, ThemedView {
  /// The height of the bar, in points.
  static let height = 40.0
  private static let chipHeight = 28.0
  private static let spacing = 8.0

  /// The colors.
  var theme: Theme {
    didSet { themeDidChange() }
  }
  /// Called with the text of the query without the condition whose chip was pressed.
  var onChange: (String) -> Void = { _ in }
  private let label: Label
  private(set) var chips: [BarButton] = []
  private var query = PhotoQuery("")
  private let removeIcon = SharedIcon(.close)

  /// Creates a hidden bar.
  init(theme: Theme) {
    self.theme = theme
    label = Label(style: Theme.detailStyle, color: theme.secondaryText, alignment: .trailing)
    super.init()
    isHidden = true
    addSubview(label)
    themeDidChange()
  }

  private func themeDidChange() {
    backgroundColor = theme.bar
    label.textColor = theme.secondaryText
    setNeedsDisplay()
  }

  /// Shows a query and the number of photographs that it finds.
  ///
  /// - Parameters:
  ///   - query: The query; an empty one hides the bar.
  ///   - status: How many photographs were found.
  /// - Returns: Whether the bar was shown or hidden.
  func show(_ query: PhotoQuery, status: String) -> Bool {
    if label.text != status {
      label.text = status
      setNeedsLayout()
    }
    guard query != self.query else { return false }
    self.query = query
    for chip in chips { chip.removeFromSuperview() }
    chips = query.conditions.enumerated().map { index, condition in
      let chip = BarButton(
        icon: removeIcon, title: condition.title, toolTip: "Remove “\(condition.title)” from the search", theme: theme)
      chip.isOn = true
      chip.action = { [weak self] in self?.onChange(query.text(removingConditionAt: index)) }
      addSubview(chip)
      return chip
    }
    setNeedsLayout()
    guard isHidden != query.isEmpty else { return false }
    isHidden = query.isEmpty
    return true
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let labelWidth = min(label.measuredWidth(in: resources) + 1, bounds.width / 2)
    label.frame = Rect(
      x: bounds.width - Metrics.margin - labelWidth, y: 0, width: labelWidth, height: bounds.height)
    var x = Metrics.margin
    for chip in chips {
      let width = min(220, chip.preferredWidth(in: resources))
      chip.frame = Rect(
        x: x, y: ((bounds.height - FilterBar.chipHeight) / 2).rounded(), width: width, height: FilterBar.chipHeight)
      x += width + FilterBar.spacing
      // The text of the search names them all.
      chip.isHidden = x > label.frame.minX
    }
  }

  override func draw(in context: DrawContext) {
    let hairline = 1 / context.scale.pixelsPerPoint
    context.fill(Rect(x: 0, y: bounds.height - hairline, width: bounds.width, height: hairline), theme.separator)
  }
}
