import FramePacing
import Geometry
import Rendering
import Views

extension FrameOverlay {
  /// Rows of the legend: the phases, then the classes of late frames.
  static let legendRowCount = phaseRowCount + rowCount(forNames: HitchClass.lateClasses.count)
  private static var phaseRowCount: Int { rowCount(forNames: OverlayPalette.phases.count) }

  private static func rowCount(forNames names: Int) -> Int {
    (names + OverlayMetrics.legendColumns - 1) / OverlayMetrics.legendColumns
  }

  /// Draws the names of phases and of classes, each beside its colour, on a grid.
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
