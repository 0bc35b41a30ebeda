import CollectionUI

/// A line chart with a filled area, a dashed mean and labels.
final class ChartView: PanelView {
  private let values = [12.0, 18, 15, 26, 31, 24, 36, 44, 39, 52, 49, 63]
  private let months = ["J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"]

  init() { super.init(title: "Visitors") }

  override func draw(in context: DrawContext) {
    super.draw(in: context)
    let plot = content.inset(by: Insets(top: 4, left: 52, bottom: 24, right: 8))
    drawGrid(plot, context)
    let points = values.enumerated().map { index, value in
      Point(
        x: plot.minX + plot.width * Double(index) / Double(values.count - 1), y: plot.maxY - plot.height * value / 70)
    }
    let curve = smoothCurve(through: points)
    var area = curve
    area.addLine(to: Point(x: plot.maxX, y: plot.maxY))
    area.addLine(to: Point(x: plot.minX, y: plot.maxY))
    area.closeSubpath()
    context.fill(
      area,
      Gradient(
        .linear(from: Point(x: 0, y: plot.minY), to: Point(x: 0, y: plot.maxY)),
        colors: [Theme.blue.opacity(0.55), Theme.blue.opacity(0)]))
    context.stroke(
      curve,
      Gradient(.linear(from: plot.origin, to: Point(x: plot.maxX, y: plot.minY)), colors: [Theme.blue, Theme.pink]),
      style: StrokeStyle(lineWidth: 3, lineCap: .round, lineJoin: .round))
    let mean = plot.maxY - plot.height * values.reduce(0, +) / Double(values.count) / 70
    context.strokeLine(
      from: Point(x: plot.minX, y: mean), to: Point(x: plot.maxX, y: mean), Theme.quiet,
      style: StrokeStyle(lineWidth: 1.5, dash: [6, 5]))
    if let last = points.last {
      let dot = Path(ellipseIn: Rect(x: last.x - 6, y: last.y - 6, width: 12, height: 12))
      context.fill(dot, Theme.panel)
      context.stroke(dot, Theme.pink, style: StrokeStyle(lineWidth: 3))
    }
  }

  private func drawGrid(_ plot: Rect, _ context: DrawContext) {
    for step in 0...7 {
      let y = (plot.maxY - plot.height * Double(step) / 7).rounded() + 0.5
      context.strokeLine(from: Point(x: plot.minX, y: y), to: Point(x: plot.maxX, y: y), Theme.line)
      context.drawText(
        "\(step * 10)", in: Rect(x: plot.minX - 34, y: y - 9, width: 26, height: 18), style: Theme.caption,
        color: Theme.quiet, alignment: .trailing)
    }
    for (index, month) in months.enumerated() {
      let x = plot.minX + plot.width * Double(index) / Double(months.count - 1)
      context.drawText(
        month, in: Rect(x: x - 12, y: plot.maxY + 6, width: 24, height: 18), style: Theme.caption, color: Theme.quiet,
        alignment: .center)
    }
    context.drawText(
      "thousands a month",
      in: Rect(x: plot.minX - 44 - plot.height / 2, y: plot.midY - 10, width: plot.height, height: 20),
      style: Theme.caption, color: Theme.quiet, alignment: .center, angle: -.pi / 2)
  }

  /// Returns a curve through points whose tangents are horizontal in the middle between them.
  private func smoothCurve(through points: [Point]) -> Path {
    var path = Path()
    guard let first = points.first else { return path }
    path.move(to: first)
    for (last, next) in zip(points, points.dropFirst()) {
      let middle = (last.x + next.x) / 2
      path.addCurve(to: next, control1: Point(x: middle, y: last.y), control2: Point(x: middle, y: next.y))
    }
    return path
  }
}
