import BenchmarkSupport
import CollectionUI
import FramePacing
import Geometry
import Rendering
import Views

/// A cell whose preparation takes the time that a model says, on a simulated clock.
@MainActor
final class ModelCell: CollectionViewCell {
  private var work = CellWork()
  private var clock: SimulatedClock?

  /// Is configured for an item.
  func configure(_ work: CellWork, _ clock: SimulatedClock) {
    (self.work, self.clock) = (work, clock)
    spend(work.handler)
    setNeedsDisplay()
  }

  override var preparationSteps: Int { work.parts }

  override func prepare(step: Int) { spend(work.part) }

  override func draw(in context: DrawContext) {
    spend(work.drawing)
    context.fill(bounds, .white)
  }

  private func spend(_ nanoseconds: Int64) { clock?.spend(FrameDuration(nanoseconds: nanoseconds)) }
}
