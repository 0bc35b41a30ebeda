// The code of the article PreparingHeavyCells: ArticleTests compares the two.
import CollectionUI
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineViews

final class ChartCell: CollectionViewCell {
  private var values: [Double] = []
  private var bars: [Rect] = []

  /// Sets the values to display, called by the registration's handler.
  func show(_ values: [Double]) {
    self.values = values
    bars.removeAll(keepingCapacity: true)
  }

  /// One step per 100 bars.
  override var preparationSteps: Int { (values.count + 99) / 100 }

  override func prepare(step: Int) {
    let width = bounds.width / Double(max(1, values.count))
    for index in step * 100..<min(values.count, (step + 1) * 100) {
      let height = bounds.height * values[index]
      bars.append(Rect(x: Double(index) * width, y: bounds.height - height, width: width, height: height))
    }
    setNeedsDisplay()
  }

  override func draw(in context: DrawContext) {
    for bar in bars { context.fill(bar, .white) }
  }

  /// The size of the prepared data, which counts towards the memory limit of waiting cells.
  override var retainedBytes: Int { bars.count * MemoryLayout<Rect>.size }
}

enum Charts {
  /// Returns a registration with declared costs, because code takes no time on the virtual clock.
  static func registration(_ values: @escaping (Int) -> [Double]) -> CellRegistration<ChartCell, Int> {
    CellRegistration(declaredCosts: DeclaredCosts(configure: .milliseconds(1), part: .milliseconds(4))) { cell, _, id in
      cell.show(values(id))
    }
  }
}
