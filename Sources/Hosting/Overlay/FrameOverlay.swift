import FramePacing
import Geometry
import Rendering
import Views

/// Figures of the frames over the content: rate, commit time against the deadline, hitches and their causes, slack, cells,
/// pictures, memory, and what the overlay itself costs.
///
/// Drawn with every frame that happens anyway and never the reason for one; allocates nothing once its letters are
/// painted. Level 1 is a line, 2 adds the graph and the last hitch in words, 3 what explains them, 4 memory and the legend.
final class FrameOverlay: View {
  /// How much is shown, 0 to 4.
  var level = 0 {
    didSet {
      isHidden = level == 0
      superview?.setNeedsLayout()
    }
  }
  /// The run's frames.
  weak var loop: CommitLoop?
  /// What else is shown.
  var figures: () -> OverlayFigures = { OverlayFigures() }
  /// The bytes of textures, asked for once a frame.
  var textureBytes: () -> Int = { 0 }

  let textRenderer = OverlayTextRenderer()
  let summary = OverlaySummary()
  let residentMemory = ResidentMemory()
  /// What drawing the overlay took last, on the run's clock.
  private(set) var drawingCost = FrameDuration.zero
  private let graph = OverlayGraph()

  init() {
    super.init()
    isInteractive = false
    isHidden = true
  }

  /// The panel's size at the present level, in points.
  var preferredSize: Size {
    let row = OverlayMetrics.rowHeight
    let width = Double(OverlayMetrics.frameCount) * OverlayMetrics.barWidth + 2 * OverlayMetrics.padding
    var height = 2 * OverlayMetrics.padding + row
    if level >= 2 {
      height += OverlayMetrics.graphHeight + 2 * OverlayMetrics.graphMargin + Double(OverlayMetrics.hitchRowCount) * row
    }
    if level >= 3 { height += Double(FrameOverlay.detailRowCount) * row }
    if level >= 4 {
      height += Double(FrameOverlay.memoryRowCount + FrameOverlay.legendRowCount) * row + OverlayMetrics.legendMargin
    }
    return Size(width: width, height: height)
  }

  override func draw(in context: DrawContext) {
    guard let loop else { return }
    let start = loop.clock.now()
    let (radius, border) = (OverlayMetrics.cornerRadius, OverlayMetrics.border)
    context.fillRounded(bounds, radius: radius, OverlayPalette.border)
    let inside = Rect(
      x: border, y: border, width: bounds.width - 2 * border, height: bounds.height - 2 * border)
    context.fillRounded(inside, radius: radius - border, OverlayPalette.panelBackground)
    // A window may be narrower than the panel.
    context.clipped(to: bounds) { draw(loop, in: $0) }
    drawingCost = loop.clock.now() - start
  }

  private func draw(_ loop: CommitLoop, in context: DrawContext) {
    summary.update(from: loop.history, isSorted: level >= 3)
    var y = OverlayMetrics.padding
    drawHeadline(loop, y: y, in: context)
    y += OverlayMetrics.rowHeight
    guard level >= 2 else { return }
    let area = Rect(
      x: OverlayMetrics.padding, y: y + OverlayMetrics.graphMargin, width: trailingEdge - OverlayMetrics.padding,
      height: OverlayMetrics.graphHeight)
    graph.draw(loop, count: summary.count, in: area, context)
    y = area.maxY + OverlayMetrics.graphMargin
    drawLastHitch(loop, y: y, in: context)
    y += Double(OverlayMetrics.hitchRowCount) * OverlayMetrics.rowHeight
    guard level >= 3 else { return }
    let figures = figures()
    y = drawDetails(loop, figures, y: y, in: context)
    guard level >= 4 else { return }
    y = drawMemory(figures, y: y, in: context)
    drawLegend(y: y + OverlayMetrics.legendMargin, in: context)
  }

  /// Where rows end.
  var trailingEdge: Double { bounds.width - OverlayMetrics.padding }

  private func drawHeadline(_ loop: CommitLoop, y: Double, in context: DrawContext) {
    let line = textRenderer.line
    line.removeAll()
    if let interval = loop.observedInterval {
      line.write(1 / max(interval.seconds, 1e-6), decimals: 0).write(" Hz ").write(text: loop.clock.kind.rawValue)
    } else {
      line.write(text: loop.clock.kind.rawValue).write(", refresh not measured")
    }
    textRenderer.drawLine(x: OverlayMetrics.padding, y: y, OverlayPalette.text, in: context)
    let seesTimes = loop.costVisibility != .none
    if let rate = summary.rate, seesTimes {
      line.write("   ").write(rate, decimals: 1).write(" fps")
      textRenderer.drawContinuation(y: y, OverlayPalette.secondaryText, in: context)
    }
    guard let ratio = loop.history.hitchRatio, seesTimes else {
      if seesTimes { line.write("nothing has moved yet") } else { line.write("hitches not measured") }
      textRenderer.drawTrailingLine(trailingEdge, y: y, OverlayPalette.secondaryText, in: context)
      return
    }
    let verdict = HitchRating(ratio: ratio)
    line.write("hitch ").write(ratio, decimals: 1).write(" ms/s  ")
    switch verdict {
    case .good: line.write("good")
    case .warning: line.write("warning")
    case .critical: line.write("critical")
    }
    textRenderer.drawTrailingLine(trailingEdge, y: y, OverlayPalette.color(of: verdict), in: context)
  }
}
