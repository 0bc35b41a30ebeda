import CollectionUI
import Observation

/// A row as high as its text.
final class ParagraphCell: CollectionViewCell {
  private let paragraph = Paragraph(
    style: TextStyle(size: 15), color: .white, lineHeight: 20, numberOfLines: 20, alignment: .leading)

  required init() {
    super.init()
    addSubview(paragraph)
  }

  func show(_ number: Int) {
    paragraph.text = String(repeating: "Row \(number) has a height of its own. ", count: 1 + number * 7 % 11)
    setNeedsLayout()
  }

  override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
    var attributes = attributes
    paragraph.sizeToFit(width: attributes.frame.width - 24)
    attributes.frame.size.height = paragraph.frame.height + 12
    return attributes
  }

  override func layoutSubviews() {
    paragraph.frame = bounds.inset(by: Insets(top: 6, left: 12, bottom: 6, right: 12))
  }
}

/// A view that is drawn by a path, a stroke and a gradient.
final class DrawingView: View {
  private(set) var drawCount = 0
  private(set) var tapCount = 0
  let disc = Path(ellipseIn: Rect(x: 10, y: 10, width: 60, height: 60))

  override init(frame: Rect = .zero) {
    super.init(frame: frame)
    addGestureRecognizer(TapGestureRecognizer { [weak self] _ in self?.tapCount += 1 })
    addGestureRecognizer(PinchGestureRecognizer { _ in })
  }

  override func draw(in context: DrawContext) {
    drawCount += 1
    let colors = [Color(hex: 0x4C8DFF), Color(hex: 0xFF5C8A)]
    context.fill(disc, Gradient(.linear(from: .zero, to: Point(x: 80, y: 80)), colors: colors))
    context.stroke(disc, .white, style: StrokeStyle(lineWidth: 3, dash: [6, 4]))
  }
}

/// A model that a grid observes.
@Observable
final class CountModel {
  var count = 5
}
