import CollectionUI
import ExampleSupport

/// The base class of the outline's cells, with a rounded background for the cell's state and a focus ring.
class OutlineCell: CollectionViewCell {
  private var rowState = RowState.resting
  private var isFocusShown = false
  var theme = ExampleTheme.dark {
    didSet { if theme != oldValue { themeDidChange() } }
  }

  /// The color behind the content: the cell's own background or that of the window.
  var fillColor: Color {
    let fill =
      switch rowState {
      case .resting: restingFillColor
      case .hovered: restingFillColor == theme.surface ? theme.raisedSurface : theme.surface
      case .selected: theme.raisedSurface
      // A dragged cell looks raised.
      case .dragged: theme.background.green < 128 ? theme.raisedSurface : theme.surface
      }
    return fill.alpha == 0 ? theme.background : fill
  }

  /// The background in the resting state.
  var restingFillColor: Color { .clear }

  /// Applies the colors of the theme.
  func themeDidChange() { setNeedsDisplay() }

  override var shadowCornerRadius: Double { OutlineStyle.cornerRadius }

  override func updateConfiguration(using state: CellConfigurationState) {
    isFocusShown = state.isFocused
    if state.isReordering {
      rowState = .dragged
    } else if state.isSelected || state.isHighlighted {
      rowState = .selected
    } else {
      rowState = state.isHovered ? .hovered : .resting
    }
    themeDidChange()
  }

  override func draw(in context: DrawContext) {
    let radius = OutlineStyle.cornerRadius
    if isFocusShown {
      context.fillRounded(bounds, radius: radius, theme.accent)
      let inner = Rect(x: 2, y: 2, width: bounds.width - 4, height: bounds.height - 4)
      context.fillRounded(inner, radius: radius - 2, fillColor)
    } else if fillColor != theme.background {
      context.fillRounded(bounds, radius: radius, fillColor)
    }
  }
}

/// The state of a row.
private nonisolated enum RowState {
  case resting, hovered, selected, dragged
}

/// A region with its disclosure indicator, name and number of destinations.
final class RegionCell: OutlineCell {
  private let disclosureView = DisclosureView()
  private let nameLabel = Label(style: OutlineStyle.regionStyle, color: .white)
  private let countLabel = Label(style: OutlineStyle.detailStyle, color: .white, alignment: .trailing)

  required init() {
    super.init()
    for view in [disclosureView, nameLabel, countLabel] { addSubview(view) }
    themeDidChange()
  }

  /// Configures the cell with a region.
  ///
  /// - Parameter angle: The rotation of the indicator, in degrees.
  func configure(with region: Region, angle: Double) {
    nameLabel.text = region.id
    countLabel.text = "\(region.destinations.count)"
    disclosureView.angle = angle
  }

  override func themeDidChange() {
    super.themeDidChange()
    nameLabel.textColor = theme.primaryText
    countLabel.textColor = theme.secondaryText
    disclosureView.tintColor = theme.secondaryText
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let (inset, side) = (OutlineStyle.inset, 16.0)
    disclosureView.frame = Rect(x: inset, y: ((bounds.height - side) / 2).rounded(), width: side, height: side)
    let offset = OutlineStyle.baselineOffset(
      of: OutlineStyle.detailStyle, alignedWith: OutlineStyle.regionStyle, in: resources)
    countLabel.frame = Rect(x: bounds.width - inset - 48, y: offset, width: 48, height: bounds.height)
    let start = OutlineStyle.indent
    nameLabel.frame = Rect(x: start, y: 0, width: max(0, countLabel.frame.minX - start - inset), height: bounds.height)
  }
}

/// A destination with its picture, name and coordinate.
final class DestinationCell: OutlineCell {
  private let pictureView = ImageView()
  private let nameLabel = Label(style: OutlineStyle.nameStyle, color: .white)
  private let coordinateLabel = Label(style: OutlineStyle.detailStyle, color: .white, alignment: .trailing)

  required init() {
    super.init()
    pictureView.cornerRadius = 4
    pictureView.isUserInteractionEnabled = false
    for view in [pictureView, nameLabel, coordinateLabel] { addSubview(view) }
    themeDidChange()
  }

  /// Configures the cell with a destination.
  func configure(with destination: Destination, picture: Bitmap?) {
    nameLabel.text = destination.name
    coordinateLabel.text = destination.coordinateText
    pictureView.image = picture
  }

  override func themeDidChange() {
    super.themeDidChange()
    nameLabel.textColor = theme.primaryText
    coordinateLabel.textColor = theme.secondaryText
    pictureView.placeholderColor = theme.placeholder
    pictureView.cornerColor = fillColor
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let (inset, size) = (OutlineStyle.inset, OutlineStyle.pictureSize)
    pictureView.frame = Rect(
      origin: Point(x: OutlineStyle.indent, y: ((bounds.height - size.height) / 2).rounded()), size: size)
    let start = pictureView.frame.maxX + inset
    let width = min(112, max(0, bounds.width - start - inset))
    let offset = OutlineStyle.baselineOffset(
      of: OutlineStyle.detailStyle, alignedWith: OutlineStyle.nameStyle, in: resources)
    coordinateLabel.frame = Rect(x: bounds.width - inset - width, y: offset, width: width, height: bounds.height)
    nameLabel.frame = Rect(
      x: start, y: 0, width: max(0, coordinateLabel.frame.minX - start - inset), height: bounds.height)
  }
}

/// A card with the picture and name of a favorite.
final class FavoriteCell: OutlineCell {
  private let pictureView = ImageView()
  private let nameLabel = Label(style: OutlineStyle.nameStyle, color: .white)

  /// The distance from the edge of the card to the picture.
  private static let margin = 4.0
  /// The size of the picture in points.
  static let pictureSize = Size(
    width: OutlineLayout.cardSize.width - 2 * margin, height: OutlineLayout.cardSize.height - 36)

  override var restingFillColor: Color { theme.surface }

  required init() {
    super.init()
    pictureView.cornerRadius = OutlineStyle.cornerRadius - FavoriteCell.margin / 2
    pictureView.isUserInteractionEnabled = false
    for view in [pictureView, nameLabel] { addSubview(view) }
    themeDidChange()
  }

  /// Configures the cell with a destination.
  func configure(with destination: Destination, picture: Bitmap?) {
    nameLabel.text = destination.name
    pictureView.image = picture
  }

  override func themeDidChange() {
    super.themeDidChange()
    nameLabel.textColor = theme.primaryText
    pictureView.placeholderColor = theme.placeholder
    pictureView.cornerColor = fillColor
  }

  override func layoutSubviews() {
    let margin = FavoriteCell.margin
    pictureView.frame = Rect(origin: Point(x: margin, y: margin), size: FavoriteCell.pictureSize)
    let inset = OutlineStyle.inset
    nameLabel.frame = Rect(
      x: inset, y: pictureView.frame.maxY, width: bounds.width - 2 * inset,
      height: bounds.height - pictureView.frame.maxY)
  }
}
