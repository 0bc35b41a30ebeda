import CollectionUI

/// Cards with a picture that can be moved, turned over with a tap, and enlarged by pinching or Control and the wheel.
final class PictureBoard: PanelView {
  private let cards = [
    PictureCard(sky: Color(hex: 0x7FD1FF), land: Color(hex: 0x2F8F5B), angle: -0.12),
    PictureCard(sky: Color(hex: 0xFFB37A), land: Color(hex: 0x7A3B69), angle: 0),
    PictureCard(sky: Color(hex: 0x8E9BFF), land: Color(hex: 0x1E3A5F), angle: 0.12),
  ]

  init() {
    super.init(title: "Pictures")
    cards.forEach(addSubview)
    cards[2].alpha = 0.6
  }

  override func layoutSubviews() {
    let width = min(250, (content.width - 60) / 3)
    let height = min(content.height - 20, width * 0.72)
    for (index, card) in cards.enumerated() {
      let x = content.midX + (Double(index) - 1) * (width + 24) - width / 2
      card.frame = Rect(x: x, y: content.midY - height / 2 - 4, width: width, height: height)
    }
  }
}

/// A picture with rounded corners, which show what is behind it.
final class PictureCard: View {
  private let sky: Color
  private let land: Color
  private let restingTransform: Transform

  init(sky: Color, land: Color, angle: Double) {
    (self.sky, self.land, restingTransform) = (sky, land, Transform(rotationAngle: angle))
    super.init()
    transform = restingTransform
    (clipsToBounds, clipCornerRadius) = (true, 16)
    addGestureRecognizer(PanGestureRecognizer { [unowned self] in pan($0) })
    addGestureRecognizer(PinchGestureRecognizer { [unowned self] in pinch($0) })
    addGestureRecognizer(TapGestureRecognizer { [unowned self] _ in fade() })
  }

  override func draw(in context: DrawContext) {
    context.fill(
      Path(bounds), Gradient(.linear(from: .zero, to: Point(x: 0, y: bounds.height)), colors: [sky, .white]))
    context.fill(
      Path(ellipseIn: Rect(x: bounds.width * 0.66, y: bounds.height * 0.14, width: 34, height: 34)),
      Color(hex: 0xFFF3B0))
    for (start, peak, color) in [(0.35, 0.28, land.opacity(0.6)), (-0.15, 0.42, land)] {
      let range = Path(lines: [
        Point(x: bounds.width * start, y: bounds.height),
        Point(x: bounds.width * (start + 0.4), y: bounds.height * peak),
        Point(x: bounds.width * (start + 0.95), y: bounds.height),
      ])
      context.fill(range, color)
    }
  }

  private func pan(_ recognizer: PanGestureRecognizer) {
    let translation = recognizer.translation
    switch recognizer.state {
    case .began, .changed:
      transform = restingTransform.concatenating(Transform(translationX: translation.x, y: translation.y))
    default: animateBack()
    }
  }

  private func pinch(_ recognizer: PinchGestureRecognizer) {
    switch recognizer.state {
    case .began, .changed: transform = restingTransform.scaledBy(x: recognizer.scale, y: recognizer.scale)
    default: animateBack()
    }
  }

  private func fade() {
    let animator = ViewAnimator(duration: .milliseconds(250))
    animator.animate(self, alpha: alpha < 1 ? 1 : 0.4)
    animator.start()
  }

  private func animateBack() {
    let animator = ViewAnimator(duration: .milliseconds(600), curve: .spring(dampingRatio: 0.55))
    animator.animate(self, transform: restingTransform)
    animator.start()
  }
}
