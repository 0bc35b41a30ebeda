import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// The metrics of the overlay, in points.
enum OverlayMetrics {
  /// The maximum number of frames that are searched for the last hitch and input, some seconds.
  static let maximumScannedFrames = 1_000
  /// The number of frames that the overlay shows.
  static let frameCount = 240
  /// The width of a frame's bar in the graph.
  static let barWidth = 2.0
  /// The padding of the panel.
  static let padding = 12.0
  /// The corner radius and the border width of the panel.
  static let cornerRadius = 10.0
  static let border = 1.0
  /// The margin above the legend.
  static let legendMargin = 6.0
  /// The distance between the tops of two rows.
  static let rowHeight = 18.0
  /// The offset of values from their names.
  static let valueColumn = 72.0
  /// The minimum distance between leading and trailing figures.
  static let gap = 8.0
  /// The height of the graph.
  static let graphHeight = 80.0
  /// The margin above and below the graph.
  static let graphMargin = 6.0
  /// The height of the graph in refresh intervals.
  static let graphScale = 1.25
  /// The height of a late frame's mark.
  static let markHeight = 4.0
  /// The number of rows for the description of the last hitch.
  static let hitchRowCount = 2
  /// The size of a color swatch in the legend, and the offset of its name.
  static let swatchSize = 7.0
  static let swatchGap = 11.0
  /// The number of names in a row of the legend.
  static let legendColumns = 5
}

/// The text style and colors of the overlay.
///
/// The colors of the phases are muted but distinguishable.
enum OverlayPalette {
  static let textStyle = TextStyle(size: 11, weight: .medium, hasMonospacedDigits: true)
  static let panelBackground = Color(hex: 0x0B0C0E, alpha: 246)
  /// The panel's border, which separates it from dark content.
  static let border = Color(hex: 0xFFFFFF, alpha: 46)
  static let text = Color(hex: 0xE9EAEE)
  static let secondaryText = Color(hex: 0x8B8D98)
  static let grid = Color(hex: 0xFFFFFF, alpha: 30)
  static let deadline = Color(hex: 0xFFD166, alpha: 200)
  static let good = Color(hex: 0x7BD88F)
  static let warning = Color(hex: 0xFFD166)
  static let critical = Color(hex: 0xFF6B6B)

  static func color(of rating: HitchRating) -> Color {
    switch rating {
    case .good: good
    case .warning: warning
    case .critical: critical
    }
  }

  /// Returns the color of a late frame's mark.
  static func color(of hitchClass: HitchClass) -> Color {
    switch hitchClass {
    case .none: grid
    case .commitLate: critical
    case .slackOverrun: Color(hex: 0xE78BE7)
    case .presentLate: Color(hex: 0xFF9F5A)
    case .ownWorkers: Color(hex: 0xFFC2A1)
    case .wakeLate: Color(hex: 0xD7F25C)
    case .external: Color(hex: 0xF2F4F8)
    }
  }

  /// The phases that a bar stacks, from bottom to top.
  static let phases: [FramePhase] = [.events, .update, .collect, .layout, .commit, .upload, .raster, .slack, .present]

  static func color(of phase: FramePhase) -> Color {
    switch phase {
    case .events: Color(hex: 0x9AA0AC)
    case .update: Color(hex: 0xB9A3E3)
    case .collect: Color(hex: 0x6FC3DF)
    case .layout: Color(hex: 0x8BD3A7)
    case .commit: Color(hex: 0x7FB2FF)
    case .upload: Color(hex: 0xC98A96)
    case .raster: Color(hex: 0x5B7FD1)
    case .slack: Color(hex: 0x3E4A63)
    case .present: Color(hex: 0x6D6E78)
    }
  }
}

/// A renderer of the overlay's rows, each with a name, leading figures and trailing figures.
///
/// It does not allocate once its glyphs are rasterized.
final class OverlayTextRenderer {
  /// The line that is being composed.
  let line = GlyphLine()
  private let glyphs = GlyphTable(style: OverlayPalette.textStyle)
  /// The position at which the last line ends.
  private var lineEnd = 0.0

  /// Draws the line at a position and clears it.
  func drawLine(x: Double, y: Double, _ color: Color, in context: DrawContext) {
    lineEnd = x + glyphs.draw(line, at: Point(x: x, y: y), color: color, in: context)
    line.removeAll()
  }

  /// Draws the line after the one drawn last and clears it.
  func drawContinuation(y: Double, _ color: Color, in context: DrawContext) {
    drawLine(x: lineEnd, y: y, color, in: context)
  }

  /// Draws the line so that it ends at a position, if it does not overlap the one drawn last, and clears it.
  func drawTrailingLine(_ end: Double, y: Double, _ color: Color, in context: DrawContext) {
    let x = end - glyphs.width(of: line, in: context.resources)
    if x >= lineEnd + OverlayMetrics.gap {
      glyphs.draw(line, at: Point(x: x, y: y), color: color, in: context)
    }
    line.removeAll()
  }

  /// Draws a row's name in the secondary color.
  func drawName(_ name: StaticString, y: Double, in context: DrawContext) {
    line.removeAll()
    line.write(name)
    drawLine(x: OverlayMetrics.padding, y: y, OverlayPalette.secondaryText, in: context)
    lineEnd = OverlayMetrics.padding + OverlayMetrics.valueColumn
  }

  /// Draws the line in a limited number of rows, broken between words and truncated, and clears it.
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

  /// Returns the end of a row that begins at an index: after the last word that fits, or inside the first word if none
  /// fits.
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
