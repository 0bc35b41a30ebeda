import CollectionUI

/// The face of a clock with three hands, which a timer advances once a second.
///
/// It shows the time since its window was opened, beginning at ten past ten.
final class ClockView: PanelView {
  private var seconds = 36_611
  private var timer: FrameTimer?

  init() { super.init(title: "Clock") }

  /// Starts the clock with the frames of a window.
  func start(in window: Window) {
    let timer = FrameTimer(interval: .seconds(1)) { [unowned self] _ in
      seconds += 1
      setNeedsDisplay()
    }
    timer.start(in: window)
    self.timer = timer
  }

  override func draw(in context: DrawContext) {
    super.draw(in: context)
    let radius = min(content.width, content.height - 60) / 2
    let center = Point(x: content.midX, y: content.minY + radius)
    drawFace(radius, center, context)
    let time = Double(seconds)
    drawHand(at: time / 43_200, radius * 0.5, back: radius * 0.1, width: 6, Theme.text, center, context)
    drawHand(at: time / 3_600, radius * 0.76, back: radius * 0.12, width: 4, Theme.text, center, context)
    drawHand(at: time / 60, radius * 0.82, back: radius * 0.2, width: 2, Theme.pink, center, context)
    context.fill(Path(ellipseIn: Rect(x: center.x - 5, y: center.y - 5, width: 10, height: 10)), Theme.pink)
    let digits = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    context.drawText(
      digits.joined(separator: ":"),
      in: Rect(x: content.minX, y: center.y + radius + 20, width: content.width, height: 36),
      style: TextStyle(size: 28, weight: .medium, hasMonospacedDigits: true), color: Theme.text, alignment: .center)
  }

  private func drawFace(_ radius: Double, _ center: Point, _ context: DrawContext) {
    let circle = Path(
      ellipseIn: Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius))
    context.fill(
      circle,
      Gradient(
        .radial(center: Point(x: center.x, y: center.y - radius / 2), radius: radius * 1.6),
        colors: [Color(hex: 0x333947), Color(hex: 0x1A1D24)]))
    context.stroke(circle, Theme.line, style: StrokeStyle(lineWidth: 2))
    var minutes = Path()
    var hours = Path()
    for index in 0..<60 {
      let isHour = index % 5 == 0
      let (outer, inner) = (
        point(Double(index) / 60, radius - 8, center), point(Double(index) / 60, radius - 13, center)
      )
      if isHour {
        hours.move(to: outer)
        hours.addLine(to: point(Double(index) / 60, radius - 18, center))
      } else {
        minutes.move(to: outer)
        minutes.addLine(to: inner)
      }
    }
    context.stroke(minutes, Theme.line, style: StrokeStyle(lineWidth: 1.5, lineCap: .round))
    context.stroke(hours, Theme.quiet, style: StrokeStyle(lineWidth: 3, lineCap: .round))
    // Numbers that stand on the circle.
    for hour in 1...12 {
      let turn = Double(hour) / 12
      let place = point(turn, radius - 34, center)
      context.drawText(
        "\(hour)", in: Rect(x: place.x - 15, y: place.y - 11, width: 30, height: 22),
        style: TextStyle(size: 15, weight: .medium), color: Theme.quiet, alignment: .center, angle: turn * 2 * .pi)
    }
  }

  private func drawHand(
    at turn: Double, _ length: Double, back: Double, width: Double, _ color: Color, _ center: Point,
    _ context: DrawContext
  ) {
    context.strokeLine(
      from: point(turn + 0.5, back, center), to: point(turn, length, center), color,
      style: StrokeStyle(lineWidth: width, lineCap: .round))
  }

  /// Returns a point on a circle by the part of a turn from the top.
  private func point(_ turn: Double, _ radius: Double, _ center: Point) -> Point {
    Point(x: 0, y: -radius).applying(
      Transform(rotationAngle: turn * 2 * .pi).concatenating(Transform(translationX: center.x, y: center.y)))
  }
}
