import CollectionUI
import VitrineDiagnostics
import VitrineHosting

/// A window with a clock, a text, a chart, pictures that can be moved and a map to zoom, all drawn by their views.
@main
struct Dashboard {
  static func main() {
    WindowProgram<DiagnosticOptions>("Dashboard", summary: "Shows a clock, a chart, pictures to move and a map.").main(
      run)
  }

  static func run(_ options: DiagnosticOptions, in context: ProgramContext) throws -> Int32 {
    let host = try context.openHost(options.hosting, title: "Dashboard", observer: RunDiagnostics(options))
    defer { host.close() }
    let view = DashboardView()
    return try host.run(root: view, scrollView: nil) { window, _ in
      window.backgroundColor = Theme.background
      view.clock.start(in: window)
      window.addParticipant(view.map.scrollView)
    }
  }
}

/// The colors and text styles of the dashboard.
enum Theme {
  static let background = Color(hex: 0x15171C)
  static let panel = Color(hex: 0x20232B)
  static let line = Color(hex: 0x3A3F4B)
  static let text = Color(hex: 0xE8EAF0)
  static let quiet = Color(hex: 0x9AA0AE)
  static let blue = Color(hex: 0x4C8DFF)
  static let pink = Color(hex: 0xFF5C8A)
  static let title = TextStyle(size: 17, weight: .semibold)
  static let caption = TextStyle(size: 12, hasMonospacedDigits: true)
}

/// The panels of the dashboard, next to each other.
final class DashboardView: View {
  let clock = ClockView()
  private let forecast = ForecastView()
  private let chart = ChartView()
  private let pictures = PictureBoard()
  let map = MapPanel()

  init() {
    super.init()
    [clock, forecast, chart, pictures, map].forEach(addSubview)
  }

  override func layoutSubviews() {
    let (margin, gap) = (24.0, 16.0)
    let width = min(320, (bounds.width - 2 * margin - gap) * 0.35)
    let height = bounds.height - 2 * margin
    let rest = Rect(
      x: margin + width + gap, y: margin, width: bounds.width - 2 * margin - width - gap, height: height)
    let upper = (height - gap) * 0.48
    clock.frame = Rect(x: margin, y: margin, width: width, height: upper)
    forecast.frame = Rect(x: margin, y: margin + upper + gap, width: width, height: height - upper - gap)
    chart.frame = Rect(x: rest.minX, y: margin, width: rest.width, height: upper)
    let lower = Rect(x: rest.minX, y: margin + upper + gap, width: rest.width, height: height - upper - gap)
    let mapWidth = (lower.width - gap) * 0.42
    pictures.frame = Rect(x: lower.minX, y: lower.minY, width: lower.width - gap - mapWidth, height: lower.height)
    map.frame = Rect(x: lower.maxX - mapWidth, y: lower.minY, width: mapWidth, height: lower.height)
  }
}

/// A panel with a title.
class PanelView: View {
  private let title: String

  init(title: String) {
    self.title = title
    super.init()
  }

  /// The rectangle below the title.
  var content: Rect { bounds.inset(by: Insets(top: 52, left: 20, bottom: 20, right: 20)) }

  override func draw(in context: DrawContext) {
    context.fill(Path(roundedRect: bounds, cornerRadius: 14), Theme.panel)
    context.drawText(
      title, in: Rect(x: 20, y: 14, width: bounds.width - 40, height: 28), style: Theme.title, color: Theme.text)
  }
}
