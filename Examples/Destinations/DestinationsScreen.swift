import CollectionUI
import ExampleSupport

/// The root view: a bar above the grid of destinations.
final class DestinationsScreen: View {
  static let barHeight = 48.0

  /// Called with the size of a cell's picture, in pixels, after each layout.
  var onPictureSizeChange: (PixelSize) -> Void = { _ in }
  private let grid: View
  private let bar = View()
  private let hairline = View()
  private let titleLabel = Label(style: ExampleTheme.titleStyle, color: .white)
  private let stepLabel = Label(style: ExampleTheme.bodyStyle, color: .white, alignment: .trailing)

  init(_ grid: View, step: Step, theme: ExampleTheme) {
    self.grid = grid
    super.init()
    backgroundColor = theme.background
    bar.backgroundColor = theme.bar
    titleLabel.text = "Destinations"
    titleLabel.textColor = theme.primaryText
    stepLabel.text = "Step \(step.rawValue): \(step.title)"
    stepLabel.textColor = theme.secondaryText
    addSubview(grid)
    addSubview(bar)
    addSubview(hairline)
    hairline.backgroundColor = theme.separator
    bar.addSubview(titleLabel)
    bar.addSubview(stepLabel)
  }

  override func layoutSubviews() {
    let height = min(Self.barHeight, bounds.height)
    bar.frame = Rect(x: 0, y: 0, width: bounds.width, height: height)
    grid.frame = Rect(x: 0, y: height, width: bounds.width, height: bounds.height - height)
    let innerWidth = max(0, bounds.width - 2 * DestinationsLayout.margin)
    titleLabel.frame = Rect(x: DestinationsLayout.margin, y: 0, width: innerWidth / 3, height: height)
    stepLabel.frame = Rect(
      x: DestinationsLayout.margin + innerWidth / 3, y: 0, width: innerWidth * 2 / 3, height: height)
    guard let scale = window?.resources.scale else { return }
    hairline.frame = Rect(x: 0, y: height, width: bounds.width, height: 1 / scale.pixelsPerPoint)
    let width = DestinationsLayout.cellWidth(in: bounds.width)
    let size = PixelSize(
      width: max(1, Int(scale.pixel(width))),
      height: max(1, Int(scale.pixel(DestinationsLayout.pictureHeight(width: width)))))
    if let size { onPictureSizeChange(size) }
  }
}

/// A layout of two columns of self-sizing cells; each row is as high as its higher cell.
nonisolated enum DestinationsLayout {
  static let margin = 24.0
  static let columnSpacing = 20.0

  /// Returns the width of a cell in a view of the given width, in points.
  static func cellWidth(in width: Double) -> Double { max(1, (width - 2 * margin - columnSpacing) / 2) }

  /// Returns the height of a picture with an aspect ratio of 3 to 2, in points.
  static func pictureHeight(width: Double) -> Double { (width * 2 / 3).rounded() }

  static var layout: CompositionalLayout {
    CompositionalLayout { _, environment in
      let width = cellWidth(in: environment.effectiveContentSize.width)
      let height = CollectionLayoutDimension.estimated(pictureHeight(width: width) + 94)
      let item = CollectionLayoutItem(layoutSize: CollectionLayoutSize(width: .fractionalWidth(0.5), height: height))
      var row = CollectionLayoutGroup.horizontal(
        layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: height), repeatingSubitem: item, count: 2)
      row.interItemSpacing = .fixed(columnSpacing)
      var section = CollectionLayoutSection(group: row)
      section.interGroupSpacing = 28
      section.contentInsets = DirectionalEdgeInsets(all: margin)
      return section
    }
  }
}
