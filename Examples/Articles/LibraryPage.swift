// The code of Documentation/Library.md and Documentation/HowTo/DrawAView.md that no other file has.
import CollectionUI

/// A cell of a list, as the page shows it.
@MainActor
func makeCityRegistration() -> CellRegistration<ListCell, City> {
  let registration = CellRegistration<ListCell, City> { cell, _, city in
    var content = cell.defaultContentConfiguration()
    content.text = city.name
    content.secondaryText = city.country
    cell.contentConfiguration = content
    cell.accessories = [.disclosureIndicator]
  }
  return registration
}

let row = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(44))
let section = CollectionLayoutSection(
  group: .vertical(layoutSize: row, subitems: [CollectionLayoutItem(layoutSize: row)]))

final class Bubble: CollectionViewCell {
  override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
    var preferred = attributes
    preferred.frame.size.height = height(fitting: attributes.frame.size.width)
    return preferred
  }
}

extension Bubble {
  /// Returns the height that the bubble needs for a width.
  private func height(fitting width: Double) -> Double { max(20, 6_000 / max(1, width)) }
}

/// Returns a layout of justified rows with headers.
func makeRatioLayout(
  _ ratios: [[Double]], header: CollectionLayoutBoundarySupplementaryItem
) -> CompositionalLayout {
  let layout = CompositionalLayout { section, environment in
    var rows = CollectionLayoutSection.justified(targetRowHeight: 200, spacing: 6, lineSpacing: 6) { item in
      ratios[section][item]
    }
    rows.boundarySupplementaryItems = [header]
    return rows
  }
  return layout
}

/// The view of the page about drawing.
final class DrawingSample: View {
  private let panelColor = Color(hex: 0x1B1C21)
  private let blue = Color(hex: 0x7FB2FF)
  private let pink = Color(hex: 0xF06292)
  private let gray = Color(hex: 0x9C9DA6)
  private var top: Point { bounds.origin }
  private var bottom: Point { Point(x: 0, y: bounds.height) }
  private var left: Point { Point(x: 0, y: bounds.midY) }
  private var right: Point { Point(x: bounds.width, y: bounds.midY) }
  private var area: Path { Path(bounds) }
  private var curve: Path { Path(lines: [left, top, right]) }
  private var place: Rect { bounds }
  private let turn = 0.2

  override func draw(in context: DrawContext) {
    context.fill(Path(roundedRect: bounds, cornerRadius: 14), panelColor)
    context.fill(area, Gradient(.linear(from: top, to: bottom), colors: [blue, blue.opacity(0)]))
    context.stroke(curve, pink, style: StrokeStyle(lineWidth: 3, lineCap: .round, lineJoin: .round))
    context.strokeLine(from: left, to: right, gray, style: StrokeStyle(lineWidth: 1.5, dash: [6, 5]))
    context.drawText("12", in: place, style: TextStyle(size: 15), color: gray, alignment: .center, angle: turn)
  }
}

/// The gesture and the animation of the page about drawing.
@MainActor
func addEffects(to view: View, card: View) {
  view.addGestureRecognizer(
    PanGestureRecognizer { [unowned view] pan in
      view.transform = Transform(translationX: pan.translation.x, y: pan.translation.y)
    })
  let animator = ViewAnimator(duration: .milliseconds(600), curve: .spring(dampingRatio: 0.55))
  animator.animate(card, transform: .identity)
  animator.start()
}
