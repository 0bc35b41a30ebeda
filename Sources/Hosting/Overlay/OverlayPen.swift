import Geometry
import Rendering
import Views

/// Writes the overlay's rows: a name, what was measured, and at the right what belongs to it.
///
/// Allocates nothing once its letters were drawn.
final class OverlayTextRenderer {
  /// The line that is being written.
  let line = GlyphLine()
  private let glyphs = GlyphTable(style: OverlayPalette.textStyle)
  /// Where the line drawn last ends.
  private var lineEnd = 0.0

  /// Draws the line at a place and clears it.
  func drawLine(x: Double, y: Double, _ color: Color, in context: DrawContext) {
    lineEnd = x + glyphs.draw(line, at: Point(x: x, y: y), color: color, in: context)
    line.removeAll()
  }

  /// Draws the line after the one drawn last and clears it.
  func drawContinuation(y: Double, _ color: Color, in context: DrawContext) {
    drawLine(x: lineEnd, y: y, color, in: context)
  }

  /// Draws the line so that it ends at a place, unless what stands at the left leaves no room for it; and clears it.
  func drawTrailingLine(_ end: Double, y: Double, _ color: Color, in context: DrawContext) {
    let x = end - glyphs.width(of: line, in: context.resources)
    if x >= lineEnd + OverlayMetrics.gap {
      glyphs.draw(line, at: Point(x: x, y: y), color: color, in: context)
    }
    line.removeAll()
  }

  /// Draws a row's name, faint, at its left.
  func drawName(_ name: StaticString, y: Double, in context: DrawContext) {
    line.removeAll()
    line.write(name)
    drawLine(x: OverlayMetrics.padding, y: y, OverlayPalette.secondaryText, in: context)
    lineEnd = OverlayMetrics.padding + OverlayMetrics.valueColumn
  }

  /// Draws the line in so many rows at most, broken between words, and clears it; what is left over is cut off.
  func drawWrappedLine(
    x: Double, y: Double, width: Double, rows: Int, _ color: Color, in context: DrawContext
  ) {
    var first = 0
    for row in 0..<rows where first < line.count {
      let isLast = row == rows - 1
      let end = isLast ? line.count : lineBreak(from: first, width: width, in: context)
      glyphs.draw(
        line, in: first..<end, at: Point(x: x, y: y + Double(row) * OverlayMetrics.rowHeight), color: color, in: context
      )
      first = end
      while first < line.count, line[first] == 0x20 { first += 1 }
    }
    line.removeAll()
  }

  /// Where a row that begins at a letter ends: behind the last word that fits, or in the first where none does.
  private func lineBreak(from first: Int, width: Double, in context: DrawContext) -> Int {
    var place = first
    var used = 0.0
    var lastSpace: Int?
    while place < line.count {
      used += glyphs.advance(of: line[place], in: context.resources)
      if used > width { return lastSpace ?? max(place, first + 1) }
      if line[place] == 0x20 { lastSpace = place }
      place += 1
    }
    return place
  }
}
