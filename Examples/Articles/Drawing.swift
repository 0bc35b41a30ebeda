// The code of the article “Drawing”.
import CollectionUI

/// A view that shows a part of a whole as an arc.
final class ProgressRing: View {
  var progress = 0.0 {
    didSet { setNeedsDisplay() }
  }

  override func draw(in context: DrawContext) {
    let radius = min(bounds.width, bounds.height) / 2 - 8
    let center = Point(x: bounds.midX, y: bounds.midY)
    var track = Path()
    track.addArc(center: center, radius: radius, startAngle: 0, endAngle: 2 * .pi, clockwise: true)
    context.stroke(track, Color(hex: 0x2A2B31), style: StrokeStyle(lineWidth: 8))
    var arc = Path()
    arc.addArc(
      center: center, radius: radius, startAngle: -.pi / 2, endAngle: (2 * progress - 0.5) * .pi, clockwise: true)
    context.stroke(arc, Color(hex: 0x7FB2FF), style: StrokeStyle(lineWidth: 8, lineCap: .round))
    context.drawText(
      "\(Int(progress * 100)) %", in: bounds, style: TextStyle(size: 20, weight: .semibold), color: .white,
      alignment: .center)
  }
}

/// A panel with a gradient and a dashed line.
final class Panel: View {
  override func draw(in context: DrawContext) {
    let card = Path(roundedRect: bounds, cornerRadius: 14)
    let colors = [Color(hex: 0x3A5A8C), Color(hex: 0x1B2A44)]
    context.fill(card, Gradient(.linear(from: .zero, to: Point(x: 0, y: bounds.height)), colors: colors))
    context.strokeLine(
      from: Point(x: 12, y: bounds.midY), to: Point(x: bounds.width - 12, y: bounds.midY), .white,
      style: StrokeStyle(lineWidth: 1.5, dash: [6, 5]))
    context.clipped(toRoundedRect: bounds, radius: 14) { context in
      context.fill(Rect(x: 0, y: bounds.height - 24, width: bounds.width, height: 24), Color(hex: 0x000000, alpha: 90))
    }
  }
}

/// Effects and animations.
@MainActor
enum Effects {
  static func apply(to view: View) {
    view.alpha = 0.6
    view.transform = Transform(rotationAngle: 0.1).scaledBy(x: 1.2, y: 1.2)
    view.clipsToBounds = true
    view.clipCornerRadius = 12
  }

  static func animate(_ card: View) {
    let animator = ViewAnimator(duration: .milliseconds(400), curve: .spring(dampingRatio: 0.6))
    animator.animate(card, alpha: 1, transform: .identity)
    animator.addCompletion { isFinished in
      if isFinished { card.removeFromSuperview() }
    }
    animator.start()
  }

  static func startClock(in window: Window, _ ring: ProgressRing) -> FrameTimer {
    let timer = FrameTimer(interval: .seconds(1)) { _ in
      ring.progress = ring.progress >= 1 ? 0 : ring.progress + 1.0 / 60
    }
    timer.start(in: window)
    return timer
  }

  static func startLink(in window: Window, _ ring: ProgressRing) -> DisplayLink {
    let link = DisplayLink { _, elapsed in
      ring.progress = min(1, ring.progress + elapsed.seconds / 10)
    }
    link.start(in: window)
    return link
  }
}
