public import CollectionLayout
import Geometry
import Rendering
public import Views

/// What a collection view makes, lets go of and uses again: cells, and the views that stand beside them.
///
/// Such a view keeps its drawing as commands in its own coordinates; scrolling only moves them. Anything that calls
/// `setNeedsDisplay` within it makes it draw anew.
open class CollectionReusableView: View {
  /// Which registration made it.
  var registration = -1
  /// The view's number in the ledger of cells, or in that of the views beside them.
  var number = -1
  /// Whether it is ready to be shown.
  var isPrepared = false
  /// Counts what the view has shown: a value kept by somebody else may be stale.
  public private(set) var generation = 0

  /// Whether it was put back, to be used for something else.
  ///
  /// A debug build stops the program where such a view is written to.
  public internal(set) final var isPooled = false
  /// What the view drew last, and where it stands.
  let drawing = RecordedDrawing()
  /// Whether it draws just now.
  private var isRedrawing = false
  /// How often in a row its drawing asked for another one.
  private var unfinishedDrawings = 0
  /// Whether it is worth drawing ahead of its being seen: not where its drawing asks for another one again and again.
  final var isWorthDrawingAhead: Bool { unfinishedDrawings < 2 }
  /// After which update of the items it was configured; nothing for a cell, and for what is to be configured again.
  var configuredUpdate: Int?
  /// Where it was placed last; nothing for a cell.
  var attributes: ElementAttributes?

  /// Makes a view of no size; the collection view gives it one.
  public required init() {
    super.init(frame: .zero)
  }

  /// The view is about to show something else: lets go of what belongs to the last.
  ///
  /// Called before a pooled view is configured, never by a reconfigure. Overriders call super.
  open func prepareForReuse() {
    generation += 1
  }

  /// The layout placed the view, as a supplementary or a decoration view, where it did not stand before.
  ///
  /// Its frame is set already. A pinned view is placed anew in many a frame that scrolls: an override is to be cheap. One
  /// that stays where it is seen while nothing else comes or goes is moved without a call. Never called for cells. Does
  /// nothing unless overridden.
  open func apply(_ attributes: ElementAttributes) {}

  /// The size that a supplementary view prefers, asked of layouts with estimated dimensions once it was configured.
  ///
  /// Taken like that of a cell, which has a question of its own.
  ///
  /// - Parameter attributes: where the layout has the view.
  /// - Returns: the attributes with the size of the content; the same unless overridden.
  open func preferredElementAttributesFitting(_ attributes: ElementAttributes) -> ElementAttributes { attributes }

  /// The view is pinned, and the content was scrolled beneath it.
  final func pin(at place: Double, along axis: Axis) {
    var corner = frame.origin
    corner[axis] = place
    setOriginWithoutDisplay(at: corner)
    attributes?.frame.origin = corner
    drawing.unretained.setCorner(corner)
  }

  /// It does: scrolling moves what was drawn.
  public final override var cachesDrawing: Bool { true }

  /// Forgets the kept drawing and asks for a frame.
  ///
  /// Called while the view draws, it asks for another drawing, and so on from frame to frame; before the view is seen for
  /// one more only.
  open override func setNeedsDisplay() {
    #if DEBUG
      if isPooled { failWriteToPooledView(self) }
    #endif
    invalidateDrawing()
    super.setNeedsDisplay()
  }

  /// Forgets the kept drawing, which shows what stood in the texture's place.
  open override func textureDidArrive() {
    invalidateDrawing()
    super.textureDidArrive()
  }

  private func invalidateDrawing() {
    var isNews = drawing.invalidate()
    if !isRedrawing, unfinishedDrawings > 0 {
      unfinishedDrawings = 0
      isNews = true
    }
    if isNews { (superview as? CollectionView)?.drawingDidBecomeInvalid() }
  }

  /// Draws the view where the context's origin is, from the kept drawing where that still holds.
  public final override func render(in context: DrawContext) {
    if !drawing.isValid(for: context.resources.generation) { redraw(in: context.resources) }
    context.list.append(
      drawing.list, movedByX: context.scale.pixel(context.origin.x), y: context.scale.pixel(context.origin.y))
  }

  /// Draws anew into the kept drawing.
  func redraw(in resources: RenderResources) {
    isRedrawing = true
    layoutIfNeeded()
    drawing.beginRecording(resources.generation, scale: resources.scale)
    if !isHidden { super.render(in: DrawContext(list: drawing.list, resources: resources)) }
    isRedrawing = false
    unfinishedDrawings = drawing.isValid(for: resources.generation) ? 0 : unfinishedDrawings + 1
  }
}
