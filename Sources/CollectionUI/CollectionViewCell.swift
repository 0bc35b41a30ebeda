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

  /// What the cell drew last, and where it stands.
  let drawing = KeptDrawing()

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
    drawing.invalidate()
    super.setNeedsDisplay()
  }

  /// Draws the cell where the context's origin is, from the kept drawing where that still holds.
  public final override func render(in context: DrawContext) {
    if !drawing.holds(context.resources.generation) { redraw(in: context.resources) }
    context.list.append(
      drawing.list, movedByX: context.scale.pixel(context.origin.x), y: context.scale.pixel(context.origin.y))
  }

  /// Draws anew into the kept drawing.
  func redraw(in resources: RenderResources) {
    layoutIfNeeded()
    drawing.begin(resources.generation)
    if !isHidden { super.render(in: DrawContext(list: drawing.list, resources: resources)) }
  }
}
