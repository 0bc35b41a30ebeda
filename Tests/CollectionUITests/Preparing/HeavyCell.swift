import CollectionUI
import Geometry
import Rendering
import Views

/// A cell that is prepared in parts, and keeps a list of what is done with it.
final class HeavyCell: CollectionViewCell {
  /// How many parts every such cell has, and what is done with any of them.
  final class Log {
    var parts = 0
    /// How many bytes every such cell holds.
    var bytes = 0
    var lines: [String] = []
    /// Called whenever a cell was configured, with its item.
    var onConfigure: ((Int) -> Void)?
    /// Called whenever a cell draws, with its item.
    var onDraw: ((HeavyCell) -> Void)?
    /// Called whenever a part was done, with its number and the item.
    var onPart: ((Int, Int) -> Void)?
    func forget() { lines = [] }
  }

  var item = -1
  var log: Log?

  override var preparationSteps: Int { log?.parts ?? 0 }

  override var retainedBytes: Int { log?.bytes ?? 0 }

  override func prepare(step: Int) {
    log?.lines.append("part \(step) of \(item)")
    log?.onPart?(step, item)
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    log?.lines.append("reuse \(item)")
  }

  override func draw(in context: DrawContext) {
    log?.lines.append("draw \(item)")
    log?.onDraw?(self)
    context.fill(bounds, .white)
  }
}
