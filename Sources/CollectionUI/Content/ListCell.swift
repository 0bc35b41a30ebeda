public import VitrineGeometry
import VitrineRendering
public import VitrineViews

/// A cell for lists: content, accessories at the trailing edge, and an indentation.
///
/// Its content and background are described by configurations. Without a background configuration, the cell shows its
/// state with ``BackgroundConfiguration/listPlainCell``.
@MainActor
open class ListCell: CollectionViewCell {
  /// The accessories at the trailing edge, from left to right.
  ///
  /// Default: none.
  public final var accessories: [CellAccessory] = [] {
    didSet { if accessories != oldValue { updateAccessories() } }
  }
  /// The level of indentation of the content.
  ///
  /// Default: 0.
  public final var indentationLevel = 0 {
    didSet { if indentationLevel != oldValue { setNeedsLayout() } }
  }
  /// The width of one level of indentation, in points.
  ///
  /// Default: 16.
  public final var indentationWidth = 16.0 {
    didSet { if indentationWidth != oldValue { setNeedsLayout() } }
  }

  private var accessoryViews: [(view: View, width: Double)] = []
  /// The colors that the accessories show.
  private var shownPalette: InterfacePalette?
  /// The space between accessories and at the trailing edge, in points.
  private static let accessorySpacing = 8.0
  private static let trailingMargin = 16.0

  /// Creates a cell.
  public required init() {
    super.init()
    backgroundConfiguration = .listPlainCell
  }

  /// Returns default content, to be filled and set as the cell's content configuration.
  public final func defaultContentConfiguration() -> ListContentConfiguration { ListContentConfiguration() }

  open override var contentInsets: Insets {
    var insets = Insets.zero
    insets.left = Double(max(0, indentationLevel)) * indentationWidth
    if !accessoryViews.isEmpty {
      insets.right = accessoryViews.reduce(ListCell.trailingMargin) { $0 + width(of: $1) }
      insets.right += Double(accessoryViews.count - 1) * ListCell.accessorySpacing
    }
    return insets
  }

  /// Returns the width of an accessory in points: that of its text, if it is one.
  private func width(of accessory: (view: View, width: Double)) -> Double {
    guard let label = accessory.view as? Label, let resources = window?.resources else { return accessory.width }
    return label.measuredWidth(in: resources).rounded(.up)
  }

  private func updateAccessories() {
    for (view, _) in accessoryViews { view.removeFromSuperview() }
    shownPalette = palette
    accessoryViews = accessories.map { $0.makeView(palette) }
    for (view, _) in accessoryViews { addSubview(view) }
    setNeedsLayout()
    invalidateIntrinsicContentSize()
  }

  open override func paletteDidChange() {
    super.paletteDidChange()
    updateAccessories()
  }

  open override func layoutSubviews() {
    // A new cell is configured before it belongs to a collection view.
    if !accessories.isEmpty, palette != shownPalette { updateAccessories() }
    super.layoutSubviews()
    var x = bounds.width - ListCell.trailingMargin
    for accessory in accessoryViews.reversed() {
      let (view, width) = (accessory.view, width(of: accessory))
      x -= width
      view.frame = Rect(x: x, y: 0, width: width, height: bounds.height)
      x -= ListCell.accessorySpacing
    }
  }
}

/// What a list cell shows at its trailing edge.
public enum CellAccessory: Equatable {
  /// A chevron: selecting the item shows more.
  case disclosureIndicator
  /// A check mark.
  case checkmark
  /// A chevron that points right, or down if the item is expanded.
  case outlineDisclosure(isExpanded: Bool)
  /// A text, such as a count.
  case label(String)
  /// A view of the client with a width in points, and the height of the cell.
  case custom(View, width: Double)

  /// Returns whether two accessories look the same; views are compared by identity.
  public static func == (left: CellAccessory, right: CellAccessory) -> Bool {
    switch (left, right) {
    case (.disclosureIndicator, .disclosureIndicator), (.checkmark, .checkmark): true
    case (.outlineDisclosure(let left), .outlineDisclosure(let right)): left == right
    case (.label(let left), .label(let right)): left == right
    case (.custom(let left, let leftWidth), .custom(let right, let rightWidth)):
      left === right && leftWidth == rightWidth
    default: false
    }
  }

  /// Returns a view of the accessory with its width in points.
  @MainActor
  fileprivate func makeView(_ palette: InterfacePalette) -> (view: View, width: Double) {
    switch self {
    case .disclosureIndicator: (AccessorySymbol(.right, palette.secondaryLabel), 10)
    case .checkmark: (AccessorySymbol(.check, palette.tint), 14)
    case .outlineDisclosure(let isExpanded):
      (AccessorySymbol(isExpanded ? .down : .right, palette.secondaryLabel), 12)
    case .label(let text): CellAccessory.makeLabel(text, palette)
    case .custom(let view, let width): (view, width)
    }
  }

  @MainActor
  private static func makeLabel(_ text: String, _ palette: InterfacePalette) -> (view: View, width: Double) {
    let style = TextStyle(size: 13, hasMonospacedDigits: true)
    let label = Label(style: style, color: palette.secondaryLabel, alignment: .trailing)
    label.text = text
    return (label, Double(text.count) * style.size * 0.62)
  }
}

/// A chevron or a check mark.
private final class AccessorySymbol: View {
  enum Shape { case right, down, check }

  private let shape: Shape
  private let color: Color

  init(_ shape: Shape, _ color: Color) {
    (self.shape, self.color) = (shape, color)
    super.init()
    isUserInteractionEnabled = false
  }

  override func draw(in context: DrawContext) {
    let (x, y) = (bounds.midX, bounds.midY)
    let points =
      switch shape {
      case .right: [Point(x: x - 2.5, y: y - 5), Point(x: x + 2.5, y: y), Point(x: x - 2.5, y: y + 5)]
      case .down: [Point(x: x - 5, y: y - 2.5), Point(x: x, y: y + 2.5), Point(x: x + 5, y: y - 2.5)]
      case .check: [Point(x: x - 5, y: y + 0.5), Point(x: x - 1.5, y: y + 4), Point(x: x + 5.5, y: y - 4.5)]
      }
    context.stroke(Path(lines: points), color, style: StrokeStyle(lineWidth: 1.75, lineCap: .round, lineJoin: .round))
  }
}
