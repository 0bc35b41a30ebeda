import CollectionUI
import ExampleSupport
import Geometry
import Rendering
import Views

/// What fills the window: a bar, and under it the destinations.
final class DestinationsScreen: View {
  static let barHeight = 48.0

  /// Called where a cell's picture has another size in pixels.
  var onPictureSize: (PixelSize) -> Void = { _ in }
  private let grid: View
  private let bar = View()
  private let hairline = View()
  private let title = Label(style: ExampleTheme.titleStyle, color: .white)
  private let step = Label(style: ExampleTheme.bodyStyle, color: .white, alignment: .trailing)

  init(_ grid: View, step: Step, theme: ExampleTheme) {
    self.grid = grid
    super.init()
    backgroundColor = theme.background
    bar.backgroundColor = theme.bar
    title.text = "Destinations"
    title.color = theme.primaryText
    self.step.text = "Step \(step.rawValue): \(step.title)"
    self.step.color = theme.secondaryText
    addSubview(grid)
    addSubview(bar)
    addSubview(hairline)
    hairline.backgroundColor = theme.separator
    bar.addSubview(title)
    bar.addSubview(self.step)
  }

  override func layoutSubviews() {
    let height = min(Self.barHeight, bounds.height)
    bar.frame = Rect(x: 0, y: 0, width: bounds.width, height: height)
    grid.frame = Rect(x: 0, y: height, width: bounds.width, height: bounds.height - height)
    let inner = max(0, bounds.width - 2 * DestinationsLayout.margin)
    title.frame = Rect(x: DestinationsLayout.margin, y: 0, width: inner / 3, height: height)
    step.frame = Rect(x: DestinationsLayout.margin + inner / 3, y: 0, width: inner * 2 / 3, height: height)
    guard let scale = window?.resources.scale else { return }
    hairline.frame = Rect(x: 0, y: height, width: bounds.width, height: 1 / scale.pixelsPerPoint)
    let width = DestinationsLayout.cellWidth(in: bounds.width)
    let size = PixelSize(
      width: max(1, Int(scale.pixel(width))),
      height: max(1, Int(scale.pixel(DestinationsLayout.pictureHeight(width: width)))))
    if let size { onPictureSize(size) }
  }
}
