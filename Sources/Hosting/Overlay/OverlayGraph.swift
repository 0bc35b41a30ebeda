import FramePacing
import Geometry
import Views

/// The overlay's graph: a column a frame, its phases stacked, against the refresh and the deadline; late frames are marked
/// at the top in the colour of their class.
struct OverlayGraph {
  /// Draws the last frames, the newest at the right.
  func draw(_ loop: CommitLoop, count: Int, in area: Rect, _ context: DrawContext) {
    let interval = Double(loop.interval.nanoseconds) * OverlayMetrics.graphScale
    guard interval > 0, area.width > 0 else { return }
    let barWidth = area.width / Double(OverlayMetrics.frameCount)
    let bottom = area.maxY
    for age in 0..<count {
      let record = loop.history.record(atAge: age)
      let x = area.maxX - Double(age + 1) * barWidth
      var nanoseconds = 0.0
      // By place: an array's iterator takes memory where nothing is optimised.
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
    // One that began after its deadline says nothing of the others.
    for age in 0..<count {
      let record = loop.history.record(atAge: age)
      guard record.deadline > record.start else { continue }
      let share = Double((record.deadline - record.start).nanoseconds) / interval
      return context.fill(line(bottom - min(1, share) * area.height), OverlayPalette.deadline)
    }
  }
}
