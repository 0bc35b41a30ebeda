import FramePacing
import Geometry
import Rendering
import Views

/// Figures of the frames over the content: rate, commit time against the deadline, hitches, cells, decoding.
///
/// Drawn with every frame that happens anyway and never the reason for one. Level 1 is a line, 2 adds the graph, 3 the
/// rows of figures, 4 memory and the legend.
final class FrameOverlay: View {
  private static let barCount = 240
  private static let barWidth = 1.5
  private static let padding = 10.0
  private static let rowHeight = 18.0
  /// Between what stands at the left of a row and at its right.
  private static let gap = 8.0
  private static let graphHeight = 72.0
  /// The graph shows this many refreshes from bottom to top.
  private static let graphScale = 1.25

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

  private let glyphs = GlyphTable(style: OverlayPalette.style)
  private let line = GlyphLine()
  /// Where the first half of the row that is being drawn ends.
  private var leadingEnd = 0.0
  /// Where the line drawn last ends.
  private var lineEnd = 0.0
  private let commits: UnsafeMutableBufferPointer<Int64>

  init() {
    commits = .allocate(capacity: FrameOverlay.barCount)
    commits.initialize(repeating: 0)
    super.init()
    isInteractive = false
    isHidden = true
  }

  isolated deinit { commits.deallocate() }

  /// The panel's size at the present level, in points.
  var preferredSize: Size {
    let width = Double(FrameOverlay.barCount) * FrameOverlay.barWidth + 2 * FrameOverlay.padding
    var height = 2 * FrameOverlay.padding + FrameOverlay.rowHeight
    if level >= 2 { height += FrameOverlay.graphHeight + 8 }
    if level >= 3 { height += 2 * FrameOverlay.rowHeight }
    if level >= 4 { height += 3 * FrameOverlay.rowHeight }
    return Size(width: width, height: height)
  }

  override func draw(in context: DrawContext) {
    guard let loop else { return }
    context.fillRounded(bounds, radius: 10, OverlayPalette.panel)
    // A window may be narrower than the panel.
    context.clipped(to: bounds) { draw(loop, in: $0) }
  }

  private func draw(_ loop: CommitLoop, in context: DrawContext) {
    let history = loop.history
    let count = min(history.keptCount, FrameOverlay.barCount)
    var y = FrameOverlay.padding
    drawHeadline(loop, count: count, y: y, in: context)
    y += FrameOverlay.rowHeight
    if level >= 2 {
      drawGraph(loop, count: count, top: y + 2, in: context)
      y += FrameOverlay.graphHeight + 8
    }
    guard level >= 3 else { return }
    let figures = figures()
    drawCommitRow(loop, count: count, y: y, in: context)
    y += FrameOverlay.rowHeight
    drawCellRow(figures, y: y, in: context)
    y += FrameOverlay.rowHeight
    if level >= 4 {
      drawMemoryRow(figures, y: y, in: context)
      y += FrameOverlay.rowHeight
      drawLegend(y: y, in: context)
    }
  }

  // MARK: Rows

  private func drawHeadline(_ loop: CommitLoop, count: Int, y: Double, in context: DrawContext) {
    line.clear()
    line.write(1 / max(loop.interval.seconds, 1e-6), decimals: 0).write(" Hz ").write(text: loop.clock.kind.rawValue)
    line.write("   ")
    if let rate = recentRate(loop.history, count: count) { line.write(rate, decimals: 1).write(" fps") }
    put(line, x: FrameOverlay.padding, y: y, OverlayPalette.text, in: context)
    line.clear()
    guard let ratio = loop.history.hitchRatio else {
      line.write("nothing has moved yet")
      putTrailing(line, y: y, OverlayPalette.faint, in: context)
      return
    }
    line.write("hitch ").write(ratio, decimals: 1).write(" ms/s  ")
    let color: Color
    if ratio <= 5 {
      line.write("good")
      color = OverlayPalette.good
    } else if ratio < 10 {
      line.write("warning")
      color = OverlayPalette.warning
    } else {
      line.write("critical")
      color = OverlayPalette.critical
    }
    putTrailing(line, y: y, color, in: context)
  }

  private func drawCommitRow(_ loop: CommitLoop, count: Int, y: Double, in context: DrawContext) {
    for age in 0..<count { commits[age] = loop.history.recent(age).commit.nanoseconds }
    var sorted = UnsafeMutableBufferPointer(rebasing: commits[0..<count])
    sorted.sort()
    line.clear()
    line.write("commit")
    if count > 0 {
      line.write("  p50 ").write(Double(sorted[(count - 1) / 2]) / 1e6, decimals: 2)
      line.write("  p99 ").write(Double(sorted[(count - 1) * 99 / 100]) / 1e6, decimals: 2)
      line.write("  max ").write(Double(sorted[count - 1]) / 1e6, decimals: 2)
      line.write(" ms")
      put(line, x: FrameOverlay.padding, y: y, OverlayPalette.text, in: context)
      let newest = loop.history.recent(0)
      line.clear()
      line.write("deadline ").write((newest.deadline - newest.start).milliseconds, decimals: 1).write(" ms")
      putTrailing(line, y: y, OverlayPalette.faint, in: context)
    }
  }

  private func drawCellRow(_ figures: OverlayFigures, y: Double, in context: DrawContext) {
    line.clear()
    line.write("cells ").write(figures.visibleCells).write(" shown  ").write(figures.pooledCells).write(" pooled  ")
    line.write(figures.waitingForPicture).write(" empty")
    put(line, x: FrameOverlay.padding, y: y, OverlayPalette.text, in: context)
    line.clear()
    line.write("decode ").write(figures.decoding).write(" + ").write(figures.queued).write(" queued")
    putTrailing(line, y: y, OverlayPalette.faint, in: context)
  }

  private func drawMemoryRow(_ figures: OverlayFigures, y: Double, in context: DrawContext) {
    line.clear()
    line.write("bitmaps ").write(Double(figures.bitmapBytes) / 1e6, decimals: 1).write(" MB  textures ")
    line.write(Double(textureBytes()) / 1e6, decimals: 1).write(" MB")
    put(line, x: FrameOverlay.padding, y: y, OverlayPalette.text, in: context)
    line.clear()
    line.write(figures.decoded).write(" decoded of ").write(figures.items)
    putTrailing(line, y: y, OverlayPalette.faint, in: context)
  }

  /// Two rows of the phases' names, each beside its colour, on a grid of five columns.
  private func drawLegend(y: Double, in context: DrawContext) {
    let columns = 5
    let pitch = (bounds.width - 2 * FrameOverlay.padding) / Double(columns)
    for (place, phase) in OverlayPalette.phases.enumerated() {
      let x = FrameOverlay.padding + Double(place % columns) * pitch
      let top = y + Double(place / columns) * FrameOverlay.rowHeight
      context.fill(Rect(x: x, y: top + 4, width: 7, height: 7), OverlayPalette.color(of: phase))
      line.clear()
      line.write(text: phase.name)
      put(line, x: x + 11, y: top, OverlayPalette.faint, in: context)
    }
  }

  private func put(_ line: GlyphLine, x: Double, y: Double, _ color: Color, in context: DrawContext) {
    lineEnd = x + glyphs.draw(line, at: Point(x: x, y: y), color: color, in: context)
  }

  /// Draws a line at the right, unless what stands at the left leaves no room for it.
  private func putTrailing(_ line: GlyphLine, y: Double, _ color: Color, in context: DrawContext) {
    let x = bounds.width - FrameOverlay.padding - glyphs.width(of: line, in: context.resources)
    if x >= lineEnd + FrameOverlay.gap { put(line, x: x, y: y, color, in: context) }
  }

  private func recentRate(_ history: FrameHistory, count: Int) -> Double? {
    guard count > 1 else { return nil }
    var frames = 0
    var time = FrameDuration.zero
    for age in 0..<(count - 1) where !history.recent(age).isFirstAfterRest {
      frames += 1
      time += history.recent(age).shown - history.recent(age + 1).shown
    }
    return time > .zero ? Double(frames) / time.seconds : nil
  }

  // MARK: Graph

  private func drawGraph(_ loop: CommitLoop, count: Int, top: Double, in context: DrawContext) {
    let height = FrameOverlay.graphHeight
    let left = FrameOverlay.padding
    let interval = Double(loop.interval.nanoseconds) * FrameOverlay.graphScale
    let width = max(0, bounds.width - 2 * FrameOverlay.padding)
    let barWidth = width / Double(FrameOverlay.barCount)
    let bottom = top + height
    for age in 0..<count {
      let record = loop.history.recent(age)
      let x = left + Double(FrameOverlay.barCount - 1 - age) * barWidth
      var nanoseconds = 0.0
      for phase in OverlayPalette.phases {
        let low = nanoseconds
        nanoseconds += Double(max(0, record.duration(of: phase).nanoseconds))
        let from = bottom - min(1, low / interval) * height
        let to = bottom - min(1, nanoseconds / interval) * height
        guard context.scale.pixel(from) > context.scale.pixel(to) else { continue }
        context.fill(
          Rect(x: x, y: to, width: barWidth, height: from - to), OverlayPalette.color(of: phase))
      }
      if record.hitch > .zero {
        context.fill(Rect(x: x, y: top, width: barWidth, height: 3), OverlayPalette.critical)
      }
    }
    context.fill(Rect(x: left, y: bottom, width: width, height: 1), OverlayPalette.grid)
    context.fill(
      Rect(x: left, y: bottom - height / FrameOverlay.graphScale, width: width, height: 1), OverlayPalette.grid)
    if count > 0 {
      let newest = loop.history.recent(0)
      let share = Double(max(0, (newest.deadline - newest.start).nanoseconds)) / interval
      context.fill(Rect(x: left, y: bottom - min(1, share) * height, width: width, height: 1), OverlayPalette.deadline)
    }
  }
}
