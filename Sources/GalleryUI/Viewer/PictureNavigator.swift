import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A small copy of a picture that shows which part of it is visible, and moves it by a press or a drag.
final class PictureNavigator: View, ThemedView {
  /// The colors.
  var theme: Theme {
    didSet {
      marker.color = theme.accent
      setNeedsDisplay()
    }
  }
  /// The picture.
  var image: Bitmap? {
    get { imageView.image }
    set { imageView.image = newValue }
  }
  /// The visible part, of the width and the height of the picture.
  var visiblePart = Rect.zero {
    didSet { if visiblePart != oldValue { marker.part = visiblePart } }
  }
  /// Called with the point of the picture that becomes the center, of its width and its height.
  var onMove: (Point) -> Void = { _ in }

  private let imageView = ImageView()
  private let marker: PartMarker
  private var isDragging = false
  /// The largest side, in points.
  private static let side = 160.0
  private static let borderWidth = 1.0

  /// Creates a navigator.
  init(theme: Theme) {
    self.theme = theme
    marker = PartMarker(color: theme.accent)
    super.init()
    imageView.isUserInteractionEnabled = false
    marker.isUserInteractionEnabled = false
    addSubview(imageView)
    addSubview(marker)
  }

  /// Returns the size for a picture, or nil if it is too narrow to show where its part is.
  static func size(for picture: Size) -> Size? {
    guard picture.width > 0, picture.height > 0 else { return nil }
    let share = side / max(picture.width, picture.height)
    let size = Size(width: (picture.width * share).rounded(), height: (picture.height * share).rounded())
    return min(size.width, size.height) >= 8 ? size : nil
  }

  override func layoutSubviews() {
    imageView.frame = bounds
    marker.frame = bounds
  }

  override func draw(in context: DrawContext) {
    let width = PictureNavigator.borderWidth
    context.fill(bounds.inset(by: Insets(uniform: -width)), theme.viewerBar)
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown(let point, .primary, _, _):
      isDragging = true
      move(to: point)
    case .pointerMoved(let point):
      if isDragging { move(to: point) }
    case .pointerUp(_, .primary, _): isDragging = false
    case .cancelled:
      isDragging = false
      return false
    default: return false
    }
    return true
  }

  private func move(to point: Point) {
    guard bounds.width > 0, bounds.height > 0 else { return }
    let local = convertFromWindow(point)
    onMove(Point(x: local.x / bounds.width, y: local.y / bounds.height))
  }
}

/// The frame around a part of a picture.
private final class PartMarker: View {
  /// The part, of the width and the height of the view.
  var part = Rect.zero {
    didSet { setNeedsDisplay() }
  }
  /// The color.
  var color: Color {
    didSet { setNeedsDisplay() }
  }

  init(color: Color) {
    self.color = color
    super.init()
  }

  override func draw(in context: DrawContext) {
    let rect = Rect(
      x: part.minX * bounds.width, y: part.minY * bounds.height, width: max(4, part.width * bounds.width),
      height: max(4, part.height * bounds.height))
    context.fillRing(around: rect, width: Metrics.focusWidth, cornerRadius: 0, color)
  }
}
