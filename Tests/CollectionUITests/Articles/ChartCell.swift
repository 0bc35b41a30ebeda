// The code of the article PreparingHeavyCells: ArticleTests compares the two.
import CollectionEngine
import CollectionUI
import FramePacing
import Geometry
import Rendering
import Views

final class ChartCell: CollectionViewCell {
  private var values: [Double] = []
  private var bars: [Rect] = []

  /// The handler calls this: it only takes what is to be shown.
  func show(_ values: [Double]) {
    self.values = values
    bars.removeAll(keepingCapacity: true)
  }

  /// A hundred bars a part.
  override var preparationSteps: Int { (values.count + 99) / 100 }

  override func prepare(step: Int) {
    let width = bounds.width / Double(max(1, values.count))
    for place in step * 100..<min(values.count, (step + 1) * 100) {
      let height = bounds.height * values[place]
      bars.append(Rect(x: Double(place) * width, y: bounds.height - height, width: width, height: height))
    }
    setNeedsDisplay()
  }

  override func draw(in context: DrawContext) {
    for bar in bars { context.fill(bar, .white) }
  }

  /// What it keeps of bytes counts where waiting cells are bounded.
  override var retainedBytes: Int { bars.count * MemoryLayout<Rect>.size }
}

enum Charts {
  /// On the virtual clock nothing takes time by itself: steps take what is declared.
  static func registration(_ values: @escaping (Int) -> [Double]) -> CellRegistration<ChartCell, Int> {
    CellRegistration(declaredCosts: DeclaredCosts(configure: .milliseconds(1), part: .milliseconds(4))) { cell, _, id in
      cell.show(values(id))
    }
  }
}
