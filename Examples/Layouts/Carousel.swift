import CollectionUI

/// A row of cards, one of which is in the middle: scrolling ends at a card, new cards grow in, and deleted ones fall.
///
/// Cards have one size, so that the card at an offset is found by a division.
nonisolated struct Carousel: SectionLayout {
  private let cardLength: Double
  private let spacing: Double
  private var count = 0
  private var environment = SectionLayoutEnvironment(containerSize: .zero)

  /// Creates a layout of cards of a length, with a space between them, in points.
  init(cardLength: Double, spacing: Double) {
    self.cardLength = max(1, cardLength)
    self.spacing = max(0, spacing)
  }

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    (count, self.environment) = (itemCount, environment)
  }

  private var axis: Axis { environment.flowAxis }
  private var step: Double { cardLength + spacing }

  /// The space before the first card and after the last one, with which they can be in the middle.
  private var margin: Double { max(0, (environment.visibleLength - cardLength) / 2) }

  var contentLength: Double { count == 0 ? 0 : 2 * margin + Double(count) * step - spacing }

  func frame(ofItem item: Int) -> Rect {
    var frame = Rect.zero
    (frame.origin[axis], frame.size[axis]) = (margin + Double(item) * step, cardLength)
    frame.size[axis.cross] = min(environment.breadth, cardLength * 1.4)
    frame.origin[axis.cross] = ((environment.breadth - frame.size[axis.cross]) / 2).rounded()
    return frame
  }

  func items(in rect: Rect) -> Range<Int> {
    let first = max(0, min(count, Int((rect.origin[axis] - margin) / step)))
    let end = Int((rect.origin[axis] + rect.size[axis] - margin) / step) + 1
    return first..<max(first, min(count, end))
  }

  /// A card comes to rest in the middle; a swipe turns to the next one at least.
  func targetContentOffset(
    forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double
  ) -> Double { (proposed / step).rounded() * step }

  /// A new card grows from its middle.
  func initialLayoutAttributesForAppearingItem(at item: Int) -> TransitionAttributes? {
    TransitionAttributes(
      frame: frame(ofItem: item), alpha: 0, transform: Transform(scaleX: 0.3, y: 0.3).rotated(by: -0.15))
  }

  /// A deleted card falls out of the row.
  func finalLayoutAttributesForDisappearingItem(at item: Int) -> TransitionAttributes? {
    var distance = Point.zero
    distance[axis.cross] = environment.breadth
    return TransitionAttributes(
      frame: frame(ofItem: item).offset(by: distance), alpha: 0.2, transform: Transform(rotationAngle: 0.35))
  }
}
