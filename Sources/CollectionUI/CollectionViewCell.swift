import Geometry
import Rendering
public import Views

/// A cell: what shows one item, and another one later.
///
/// A cell keeps its drawing as commands in its own coordinates; scrolling only moves them. Anything that calls
/// `setNeedsDisplay` within the cell makes it draw anew.
open class CollectionViewCell: View {
  /// The flat index of the item that the cell shows; nothing while it waits in the pool.
  public internal(set) var itemIndex: Int?
  /// Which registration made it.
  var registration = -1
  /// Counts the items that the cell has shown: a value kept by somebody else may be stale.
  public private(set) var generation = 0

  private let drawing = DisplayList(capacity: 16)
  private var isDrawn = false
  private var drawnGeneration = -1

  /// Makes a cell of no size; the collection view gives it one.
  public required init() {
    super.init(frame: .zero)
  }

  /// The cell is about to show another item: lets go of what belongs to the last one.
  ///
  /// Called before a pooled cell is configured, never by a reconfigure. Overriders call super.
  open func prepareForReuse() {
    generation += 1
  }

  /// Forgets the kept drawing and asks for a frame.
  open override func setNeedsDisplay() {
    isDrawn = false
    super.setNeedsDisplay()
  }

  /// Draws the cell where the context's origin is, from the kept drawing where that still holds.
  open override func render(in context: DrawContext) {
    layoutIfNeeded()
    if !isDrawn || drawnGeneration != context.resources.generation {
      // Before drawing, so that a view that asks for another drawing while it draws gets it.
      isDrawn = true
      drawnGeneration = context.resources.generation
      drawing.removeAll()
      super.render(in: DrawContext(list: drawing, resources: context.resources))
    }
    context.list.append(
      drawing, movedByX: context.scale.pixel(context.origin.x), y: context.scale.pixel(context.origin.y))
  }
}
