import FramePacing
import Geometry
import Rendering
import Views

extension FrameOverlay {
  /// Rows of the legend: the phases, then the classes of late frames.
  static let legendRows = phaseRows + rows(HitchClass.late.count)
  private static var phaseRows: Int { rows(OverlayPalette.phases.count) }

  private static func rows(_ names: Int) -> Int {
    (names + OverlayMetrics.legendColumns - 1) / OverlayMetrics.legendColumns
  }

  /// Draws the names of phases and of classes, each beside its colour, on a grid.
  func drawLegend(y: Double, in context: DrawContext) {
    for place in 0..<OverlayPalette.phases.count {
      let phase = OverlayPalette.phases[place]
      mark(
        phase.name, OverlayPalette.color(of: phase), column: place % OverlayMetrics.legendColumns,
        y: y + Double(place / OverlayMetrics.legendColumns) * OverlayMetrics.rowHeight, in: context)
    }
    for place in 0..<HitchClass.late.count {
      let hitchClass = HitchClass.late[place]
      mark(
        hitchClass.name, OverlayPalette.color(of: hitchClass), column: place % OverlayMetrics.legendColumns,
        y: y + Double(FrameOverlay.phaseRows + place / OverlayMetrics.legendColumns) * OverlayMetrics.rowHeight,
        in: context)
    }
  }

  private func mark(_ name: String, _ color: Color, column: Int, y: Double, in context: DrawContext) {
    let pitch = (end - OverlayMetrics.padding) / Double(OverlayMetrics.legendColumns)
    let x = OverlayMetrics.padding + Double(column) * pitch
    context.fill(Rect(x: x, y: y + 4, width: OverlayMetrics.swatch, height: OverlayMetrics.swatch), color)
    pen.line.write(text: name)
    pen.put(x: x + OverlayMetrics.swatchGap, y: y, OverlayPalette.faint, in: context)
  }
}
