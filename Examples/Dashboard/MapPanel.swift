import CollectionUI

/// A panel with a map of a town, which is moved with the pointer and zoomed with Control and the wheel or a double click.
final class MapPanel: PanelView {
  let scrollView = ZoomScrollView()

  init() {
    super.init(title: "Map")
    scrollView.contentView = TownMap()
    scrollView.contentSize = TownMap.size
    scrollView.minimumZoomScale = 0.5
    scrollView.maximumZoomScale = 6
    scrollView.backgroundColor = TownMap.ground
    (scrollView.clipsToBounds, scrollView.clipCornerRadius) = (true, 8)
    addSubview(scrollView)
  }

  override func layoutSubviews() {
    let isFirst = scrollView.frame.size == .zero
    scrollView.frame = content
    if isFirst { scrollView.zoom(to: Rect(x: 50, y: 40, width: 300, height: 280), animated: false) }
  }
}

/// A map that is drawn at the scale at which it is shown: lines and letters stay sharp, and names keep their size.
final class TownMap: View, ZoomableContent {
  static let size = Size(width: 600, height: 420)
  static let ground = Color(hex: 0x2A2E37)
  private static let block = Color(hex: 0x363B47)
  private static let park = Color(hex: 0x2F5D46)
  private static let water = Color(hex: 0x2C5C8F)
  private static let names = [
    ("Old Town", Point(x: 150, y: 70)), ("Market", Point(x: 270, y: 130)), ("Harbour", Point(x: 470, y: 330)),
    ("North Gate", Point(x: 390, y: 70)), ("Gardens", Point(x: 90, y: 190)), ("Mill Bank", Point(x: 150, y: 370)),
  ]
  private var zoomScale = 1.0

  func zoomScaleDidChange(to scale: Double) { zoomScale = scale }

  override func draw(in context: DrawContext) {
    let scaling = Transform(scaleX: zoomScale, y: zoomScale)
    for row in 0..<7 {
      for column in 0..<10 {
        let rect = Rect(x: Double(column) * 60 + 5, y: Double(row) * 60 + 5, width: 50, height: 50)
        let isPark = (1...2).contains(column) && (2...3).contains(row)
        context.fill(
          Path(roundedRect: rect, cornerRadius: 4).applying(scaling), isPark ? TownMap.park : TownMap.block)
      }
    }
    context.stroke(
      TownMap.river.applying(scaling), TownMap.water, style: StrokeStyle(lineWidth: 26 * zoomScale, lineCap: .round))
    for (name, point) in TownMap.names {
      let center = point.applying(scaling)
      context.drawText(
        name, in: Rect(x: center.x - 60, y: center.y - 10, width: 120, height: 20), style: Theme.caption,
        color: Theme.text, alignment: .center)
    }
  }

  private static var river: Path {
    var path = Path()
    path.move(to: Point(x: -20, y: 300))
    path.addCurve(
      to: Point(x: 330, y: 240), control1: Point(x: 110, y: 330), control2: Point(x: 190, y: 210))
    path.addCurve(
      to: Point(x: 620, y: 300), control1: Point(x: 450, y: 265), control2: Point(x: 500, y: 400))
    return path
  }
}
