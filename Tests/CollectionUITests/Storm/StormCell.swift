import CollectionUI
import Geometry
import Rendering
import Views

/// A cell prepared in parts that draws its item, how often that was changed, and its state: a stale one looks stale.
final class StormCell: CollectionViewCell {
  var item = -1
  var version = -1 {
    didSet { setNeedsDisplay() }
  }
  private var partsDone = 0

  /// The cell is given its item.
  func show(_ item: Int, version: Int) {
    self.item = item
    self.version = version
    partsDone = 0
  }

  override var preparationSteps: Int { max(0, item) % 3 }

  override func prepare(step: Int) {
    partsDone += 1
    setNeedsDisplay()
  }

  override func updateConfiguration(using state: CellConfigurationState) { setNeedsDisplay() }

  override func draw(in context: DrawContext) {
    context.fill(bounds, Color(hex: UInt32(truncatingIfNeeded: item &* 2_654_435 &+ version &* 977) & 0xFFFFFF))
    let marks = [isSelected, isHighlighted, configurationState.isFocused, configurationState.isHovered]
    for (place, mark) in marks.enumerated() where mark {
      context.fill(Rect(x: Double(place * 5), y: 2, width: 4, height: 4), .white)
    }
    context.fill(Rect(x: 2, y: 8, width: Double(partsDone + 1), height: 2), .black)
  }
}
