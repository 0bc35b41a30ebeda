import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A view over the content that shows figures of the frames: refresh rate, commit times and deadlines, hitches and
/// their causes, slack, cells, images, memory, and the cost of the overlay itself.
///
/// The overlay is drawn with each frame but never requests one. It does not allocate once its glyphs are rasterized.
/// Level 1 is one line, level 2 adds the graph and the last hitch, level 3 detailed figures, level 4 memory and the
/// legend.
final class FrameOverlay: View {
  /// The level of detail, 0 to 4.
  var level = 0 {
    didSet {
      isHidden = level == 0
      superview?.setNeedsLayout()
    }
  }
  /// The loop whose frames are shown.
  weak var loop: CommitLoop?
  /// Returns the program's figures.
  var figures: () -> OverlayFigures = { OverlayFigures() }
  /// Returns the size of all textures in bytes.
  ///
  /// Called once per frame.
  var textureBytes: () -> Int = { 0 }

  let textRenderer = OverlayTextRenderer()
  let summary = OverlaySummary()
  let residentMemory = ResidentMemory()
  /// The time that the last drawing of the overlay took, on the run's clock.
  private(set) var drawingCost = FrameDuration.zero
  private let graph = OverlayGraph()

  init() {
    super.init()
    isUserInteractionEnabled = false
    isHidden = true
  }

  /// The panel's size at the current level, in points.
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
    // The window may be narrower than the panel.
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

  /// The position at which rows end.
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
    let rating = HitchRating(ratio: ratio)
    line.write("hitch ").write(ratio, decimals: 1).write(" ms/s  ")
    switch rating {
    case .good: line.write("good")
    case .warning: line.write("warning")
    case .critical: line.write("critical")
    }
    textRenderer.drawTrailingLine(trailingEdge, y: y, OverlayPalette.color(of: rating), in: context)
  }
}

// MARK: - Legend

extension FrameOverlay {
  /// The number of rows of the legend: the phases, followed by the hitch classes.
  static let legendRowCount = phaseRowCount + rowCount(forNames: HitchClass.lateClasses.count)
  private static var phaseRowCount: Int { rowCount(forNames: OverlayPalette.phases.count) }

  private static func rowCount(forNames names: Int) -> Int {
    (names + OverlayMetrics.legendColumns - 1) / OverlayMetrics.legendColumns
  }

  /// Draws the names of phases and hitch classes with their colors in a grid.
  func drawLegend(y: Double, in context: DrawContext) {
    for place in 0..<OverlayPalette.phases.count {
      let phase = OverlayPalette.phases[place]
      drawLegendEntry(
        phase.name, OverlayPalette.color(of: phase), column: place % OverlayMetrics.legendColumns,
        y: y + Double(place / OverlayMetrics.legendColumns) * OverlayMetrics.rowHeight, in: context)
    }
    for place in 0..<HitchClass.lateClasses.count {
      let hitchClass = HitchClass.lateClasses[place]
      drawLegendEntry(
        hitchClass.name, OverlayPalette.color(of: hitchClass), column: place % OverlayMetrics.legendColumns,
        y: y + Double(FrameOverlay.phaseRowCount + place / OverlayMetrics.legendColumns) * OverlayMetrics.rowHeight,
        in: context)
    }
  }

  private func drawLegendEntry(_ name: String, _ color: Color, column: Int, y: Double, in context: DrawContext) {
    let pitch = (trailingEdge - OverlayMetrics.padding) / Double(OverlayMetrics.legendColumns)
    let x = OverlayMetrics.padding + Double(column) * pitch
    context.fill(Rect(x: x, y: y + 4, width: OverlayMetrics.swatchSize, height: OverlayMetrics.swatchSize), color)
    textRenderer.line.write(text: name)
    textRenderer.drawLine(x: x + OverlayMetrics.swatchGap, y: y, OverlayPalette.secondaryText, in: context)
  }
}

// MARK: - Graph

/// The overlay's graph, with one bar per frame that stacks its phases, and lines for the refresh and the deadline.
///
/// Marks at the top show late frames in the color of their class.
private struct OverlayGraph {
  /// Draws the last frames, with the newest on the right.
  func draw(_ loop: CommitLoop, count: Int, in area: Rect, _ context: DrawContext) {
    let interval = Double(loop.interval.nanoseconds) * OverlayMetrics.graphScale
    guard interval > 0, area.width > 0 else { return }
    let barWidth = area.width / Double(OverlayMetrics.frameCount)
    let bottom = area.maxY
    for age in 0..<count {
      let record = loop.history.record(atAge: age)
      let x = area.maxX - Double(age + 1) * barWidth
      var nanoseconds = 0.0
      // By index, because an array's iterator allocates in unoptimized builds.
      for place in 0..<OverlayPalette.phases.count {
        let phase = OverlayPalette.phases[place]
        let low = nanoseconds
        nanoseconds += Double(max(0, record.duration(of: phase).nanoseconds))
        let from = bottom - min(1, low / interval) * area.height
        let to = bottom - min(1, nanoseconds / interval) * area.height
        guard context.scale.pixel(from) > context.scale.pixel(to) else { continue }
        context.fill(Rect(x: x, y: to, width: barWidth, height: from - to), OverlayPalette.color(of: phase))
      }
      if record.hitch > .zero {
        context.fill(
          Rect(x: x, y: area.minY, width: barWidth, height: OverlayMetrics.markHeight),
          OverlayPalette.color(of: record.hitchClass))
      }
    }
    let line = { (y: Double) in Rect(x: area.minX, y: y, width: area.width, height: 1) }
    context.fill(line(bottom), OverlayPalette.grid)
    context.fill(line(bottom - area.height / OverlayMetrics.graphScale), OverlayPalette.grid)
    guard count > 0 else { return }
    // A frame that started after its deadline is not representative.
    for age in 0..<count {
      let record = loop.history.record(atAge: age)
      guard record.deadline > record.start else { continue }
      let share = Double((record.deadline - record.start).nanoseconds) / interval
      return context.fill(line(bottom - min(1, share) * area.height), OverlayPalette.deadline)
    }
  }
}
