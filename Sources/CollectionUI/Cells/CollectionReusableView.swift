public import VitrineCollectionLayout
import VitrineGeometry
import VitrineRendering
public import VitrineViews

/// The base class of the views that a collection view reuses: cells, supplementary views and decoration views.
///
/// A reusable view caches its drawing as commands in its own coordinates. Scrolling only moves them. Calling
/// `setNeedsDisplay` in the view or one of its subviews makes it draw again.
@MainActor
open class CollectionReusableView: View {
  /// The number of the view's registration.
  var registration = -1
  /// The view's number in the lifecycle records of cells, or of supplementary and decoration views.
  var number = -1
  /// Whether the view is ready to be displayed.
  var isPrepared = false
  /// The number of times the view was reused.
  ///
  /// A stored reference with another value is stale.
  public private(set) var generation = 0

  /// A Boolean value that indicates whether the view is in the reuse pool.
  ///
  /// A debug build stops the program if such a view is written to.
  public internal(set) final var isPooled = false
  /// The cached drawing and its position.
  let drawing = RecordedDrawing()
  /// Whether the view is drawing.
  private var isRedrawing = false
  /// The number of consecutive drawings that requested another one.
  private var unfinishedDrawings = 0
  /// Whether the view should be drawn before it is visible.
  ///
  /// It is not if its drawing repeatedly requests another one.
  final var isWorthDrawingAhead: Bool { unfinishedDrawings < 2 }
  /// The number of the update after which the view was configured, or nil for cells and for views to configure again.
  var configuredUpdate: Int?
  /// The layout attributes that were applied last, or nil for a cell.
  var attributes: ElementAttributes?

  /// Creates a view with an empty frame.
  ///
  /// The collection view sets its frame.
  public required init() {
    super.init(frame: .zero)
  }

  /// Releases what the view should not keep while it waits for its next item, such as pictures.
  ///
  /// The collection view calls this method when the view no longer belongs to an item, before it enters the reuse pool,
  /// where it may stay as long as the collection view exists, or is discarded. Views that wait for their item do not
  /// receive it. Do not use the collection view in this method. The default implementation does nothing.
  open func willEnterReusePool() {}

  /// Prepares the view for reuse, resetting what belongs to the last item.
  ///
  /// The collection view calls this method before a pooled view is configured, but not when an item is reconfigured.
  /// Subclasses must call super. Release memory in ``willEnterReusePool()``, which is called earlier.
  open func prepareForReuse() {
    generation += 1
  }

  /// Applies layout attributes to a supplementary or decoration view whose attributes changed.
  ///
  /// The frame is set before this method is called. A pinned view may receive new attributes in many frames of a
  /// scroll, so overrides should be fast. A pinned view that only moves with the viewport, while no other view appears
  /// or disappears, is moved without a call. This method is not called for cells. The default implementation does
  /// nothing.
  open func apply(_ attributes: ElementAttributes) {}

  /// Returns the preferred attributes of a supplementary view, if the layout estimates its size.
  ///
  /// The view calls this method after the supplementary view was configured. Its result is used as that of
  /// ``CollectionViewCell/preferredLayoutAttributesFitting(_:)`` is for cells.
  ///
  /// - Parameter attributes: The attributes that the layout computed.
  /// - Returns: The attributes with the size of the content. The default implementation returns `attributes`.
  open func preferredLayoutAttributesFitting(_ attributes: ElementAttributes) -> ElementAttributes { attributes }

  /// Moves a pinned view after the content was scrolled beneath it.
  final func pin(at position: Double, along axis: Axis) {
    var corner = frame.origin
    corner[axis] = position
    setOriginWithoutDisplay(at: corner)
    attributes?.frame.origin = corner
    drawing.unretained.setCorner(corner)
  }

  /// Whether drawings are cached, which is always true.
  ///
  /// Scrolling moves the cached drawing.
  public final override var cachesDrawing: Bool { true }

  /// Invalidates the cached drawing and requests a frame.
  ///
  /// If a view calls this method while it draws, it is drawn again in every frame, but only once more before it is
  /// visible.
  open override func setNeedsDisplay() {
    #if DEBUG
      if isPooled { failWriteToPooledView(self) }
    #endif
    invalidateDrawing()
    super.setNeedsDisplay()
  }

  /// Invalidates the cached drawing, which shows a placeholder for the texture.
  open override func textureDidArrive() {
    invalidateDrawing()
    super.textureDidArrive()
  }

  private func invalidateDrawing() {
    var needsNotification = drawing.invalidate()
    if !isRedrawing, unfinishedDrawings > 0 {
      unfinishedDrawings = 0
      needsNotification = true
    }
    if needsNotification { (superview as? CollectionView)?.drawingDidBecomeInvalid() }
  }

  /// Draws the view at the context's origin, from the cached drawing if it is up to date.
  public final override func render(in context: DrawContext) {
    if !drawing.isValid(for: context.resources.generation) { redraw(in: context.resources) }
    context.list.append(
      drawing.list, movedByX: context.scale.pixel(context.origin.x), y: context.scale.pixel(context.origin.y))
  }

  /// Draws the view into its cached drawing.
  func redraw(in resources: RenderResources) {
    isRedrawing = true
    let failures = resources.textures.failureCount
    layoutIfNeeded()
    drawing.beginRecording(resources.generation, scale: resources.scale)
    let context = DrawContext(recordingIn: drawing.list, resources: resources)
    if hasEffects, !isHidden {
      renderWithEffects(in: context) { super.render(in: $0) }
    } else if !isHidden {
      super.render(in: context)
    }
    drawing.retainTextures(of: context)
    // The drawing lacks what has no texture.
    if resources.textures.failureCount != failures { setNeedsDisplay() }
    isRedrawing = false
    unfinishedDrawings = drawing.isValid(for: resources.generation) ? 0 : unfinishedDrawings + 1
  }
}
