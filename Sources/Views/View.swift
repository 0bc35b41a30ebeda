import VitrineDataStructures
public import VitrineGeometry
public import VitrineRendering

/// A rectangle of the window that draws itself and its subviews, and handles input.
///
/// Frames are in points in the superview's coordinates, y down. A view draws when requested; the result is a list of
/// commands that a cell can cache and the window collects.
@MainActor
open class View {
  /// The frame in the superview's coordinates, in points.
  public final var frame: Rect {
    get { storedFrame }
    set {
      let last = storedFrame
      guard newValue != last else { return }
      storedFrame = newValue
      if newValue.size != last.size { setNeedsLayout() }
      superview?.setNeedsDisplay()
    }
  }
  // A rectangle is stored without calling other code, so that it cannot be read while it is being modified.
  @exclusivity(unchecked) private final var storedFrame: Rect

  /// The color that fills the view behind its content; a clear color draws nothing.
  public final var backgroundColor: Color = .clear {
    didSet { if backgroundColor != oldValue { setNeedsDisplay() } }
  }

  /// Whether the view and its subviews are invisible and receive no input.
  public final var isHidden = false {
    didSet {
      guard isHidden != oldValue else { return }
      // Performs layout that was skipped while the view was hidden.
      if subtreeNeedsLayout { propagateNeedsLayout() }
      setNeedsDisplay()
    }
  }

  /// A Boolean value that indicates whether the view receives input.
  ///
  /// Unlike in UIKit, it does not affect subviews. The default is true.
  public final var isUserInteractionEnabled = true

  /// The accessibility element of the view, created on each access.
  ///
  /// The default is nil: the elements of the subviews take its place.
  open var accessibility: AccessibilityElement? { nil }

  /// The accessibility label; by default the visible text of the subviews.
  open var accessibilityLabel: String { accessibleText }

  /// Additional accessibility information; by default empty.
  open var accessibilityValue: String { "" }

  /// The superview.
  @exclusivity(unchecked) public private(set) final weak var superview: View?
  /// The subviews, back to front.
  public private(set) final var subviews: [View] = []
  /// The window, if this view is its root.
  @exclusivity(unchecked) weak var hostWindow: Window?
  private(set) var needsLayout = true
  /// Whether this view or a descendant may need layout.
  private var subtreeNeedsLayout = true
  /// Whether the superview manages the view without including it in its subviews.
  private var isManagedChild = false
  /// Whether an ancestor caches the view's drawing.
  private(set) var isDrawingCached = false
  /// The opacity, the transform and the clip, or nil if they never differed from the defaults.
  @exclusivity(unchecked) private(set) final var effects: ViewEffects?
  /// Whether the view is translucent, transformed or clipped, so that drawing it takes more than its origin.
  @exclusivity(unchecked) package private(set) final var hasEffects = false

  /// Creates a view.
  public init(frame: Rect = .zero) { storedFrame = frame }

  /// Moves the view without requesting a frame, for a superview that draws it in the current frame.
  public final func setOriginWithoutDisplay(at corner: Point) { storedFrame.origin = corner }

  /// The view's rectangle in its own coordinates.
  public final var bounds: Rect { Rect(origin: .zero, size: frame.size) }

  /// The window that displays the view, if any.
  public final var window: Window? {
    var view: View? = self
    while let current = view {
      if let hostWindow = current.hostWindow { return hostWindow }
      view = current.superview
    }
    return nil
  }

  // MARK: - Tree

  /// Adds a view in front of the other subviews, removing it from its former superview.
  ///
  /// - Precondition: The view is neither this view nor one of its ancestors.
  public final func addSubview(_ view: View) {
    requireNoCycle(adding: view)
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
    view.setDrawingCached(cachesDrawing || isDrawingCached)
    setNeedsDisplay()
    view.setNeedsLayout()
  }

  /// Stops the program if a view to be added contains this view.
  private func requireNoCycle(adding view: View) {
    var ancestor: View? = self
    while let current = ancestor {
      checkPrecondition(
        current !== view,
        """
        A \(type(of: view)) was added to \(view === self ? "itself" : "a view that it contains"). Remove the inner view \
        from it first.
        """)
      ancestor = current.superview
    }
  }

  /// Removes the view from its superview.
  public final func removeFromSuperview() {
    guard let parent = superview else { return }
    window?.viewWillLeave(self)
    parent.subviews.removeAll { $0 === self }
    superview = nil
    isManagedChild = false
    setDrawingCached(false)
    parent.setNeedsDisplay()
  }

  // MARK: - Layout

  /// Requests a call of ``layoutSubviews()`` before the next drawing.
  public final func setNeedsLayout() {
    needsLayout = true
    propagateNeedsLayout()
    setNeedsDisplay()
  }

  /// Marks the ancestors as containing a view that needs layout.
  private func propagateNeedsLayout() {
    subtreeNeedsLayout = true
    var view = self
    while !view.isManagedChild, let above = view.superview, !above.subtreeNeedsLayout {
      above.subtreeNeedsLayout = true
      view = above
    }
  }

  /// Whether this view or a descendant needs layout.
  final var containsPendingLayout: Bool { subtreeNeedsLayout }

  /// Lays out the subviews; the default does nothing.
  open func layoutSubviews() {}

  /// Lays out this view and its descendants if needed.
  public final func layoutIfNeeded() {
    guard subtreeNeedsLayout else { return }
    subtreeNeedsLayout = false
    if needsLayout {
      needsLayout = false
      layoutSubviews()
    }
    for view in subviews where !view.isHidden { view.layoutIfNeeded() }
  }

  // MARK: - Drawing

  /// Whether the view caches its drawing and that of its descendants, as a cell does.
  open var cachesDrawing: Bool { false }

  private func setDrawingCached(_ isCached: Bool) {
    guard isCached != isDrawingCached else { return }
    isDrawingCached = isCached
    if !cachesDrawing { for view in subviews { view.setDrawingCached(isCached) } }
  }

  /// Requests a frame in which the view draws again.
  ///
  /// A view that caches its drawing, such as a cell, overrides this to discard it and calls super.
  open func setNeedsDisplay() {
    if let superview { superview.setNeedsDisplay() } else { hostWindow?.setNeedsFrame() }
  }

  /// Requests a frame because a texture that the view displays has become available.
  ///
  /// The view itself has not changed. A view that caches its drawing overrides this too.
  open func textureDidArrive() {
    if let superview { superview.textureDidArrive() } else { hostWindow?.setNeedsFrame() }
  }

  /// Draws the view's own content over its background; the default does nothing.
  open func draw(in context: DrawContext) {}

  /// Draws the background, the view's content and its subviews at the context's origin.
  open func render(in context: DrawContext) {
    if backgroundColor.alpha > 0 { context.fill(bounds, backgroundColor) }
    draw(in: context)
    renderSubviews(in: context)
  }

  /// Draws the subviews, back to front.
  open func renderSubviews(in context: DrawContext) {
    for view in subviews { render(view, in: context) }
  }

  /// Draws a subview at its position.
  package final func render(_ view: View, in context: DrawContext) {
    guard !view.isHidden else { return }
    // A view that caches its drawing draws its effects itself.
    if view.hasEffects, !view.cachesDrawing {
      context.translated(by: view.frame.origin) { view.renderWithEffects(in: $0) { view.render(in: $0) } }
    } else {
      context.translated(by: view.frame.origin) { view.render(in: $0) }
    }
  }

  /// Returns the effects, which are created if there are none.
  final func makeEffects() -> ViewEffects {
    if let effects { return effects }
    let made = ViewEffects()
    effects = made
    return made
  }

  /// Updates whether the view has effects.
  final func updateEffects() { hasEffects = alpha != 1 || transform != .identity || clipsToBounds }

  // MARK: - Memory

  /// The bytes that the view itself retains for its content, such as pixels, without its subviews; by default 0.
  open var retainedBytes: Int { 0 }

  /// The bytes that the view and its descendants retain.
  ///
  /// - Complexity: O(n) for n descendants.
  public final var totalRetainedBytes: Int { subviews.reduce(retainedBytes) { $0 + $1.totalRetainedBytes } }

  // MARK: - Input

  /// Returns the frontmost interactive view at a point in this view's coordinates, or nil if there is none.
  open func hitTest(_ point: Point) -> View? {
    guard !isHidden, bounds.contains(point) else { return nil }
    for view in subviews.reversed() {
      if let hit = view.hitTest(point, displayedAt: view.frame.origin) { return hit }
    }
    return isUserInteractionEnabled ? self : nil
  }

  /// Whether the view receives a finger as a pointer from the touch onward, as a draggable thumb does.
  ///
  /// For other views a moving finger pans, and a stationary one taps.
  open var treatsTouchAsPointer: Bool { false }

  /// Called when the view became its window's first responder; the default does nothing.
  func didBecomeFirstResponder() {}

  /// Called when the view ceased to be its window's first responder; the default does nothing.
  func didResignFirstResponder() {}

  /// Handles an event, or declines it so that the superview receives it.
  ///
  /// - Returns: Whether the event was handled.
  open func handle(_ event: InputEvent) -> Bool { false }

  /// Returns a point in the window's coordinates converted to this view's.
  public final func convertFromWindow(_ point: Point) -> Point {
    let start = point
    var point = point
    var view: View? = self
    while let current = view, current.superview != nil || current.hostWindow == nil {
      if current.hasEffects { return convertThroughTransforms(start) }
      point = point - (current.superview?.origin(of: current) ?? current.frame.origin)
      view = current.superview
    }
    return point
  }

  /// The view's frame in the window's coordinates.
  public final var frameInWindow: Rect {
    var rect = bounds
    var view: View = self
    if hasEffects { rect = rect.applying(centeredTransform) }
    while let parent = view.superview {
      rect = rect.offset(by: parent.origin(of: view))
      if parent.hasEffects { rect = rect.applying(parent.centeredTransform) }
      view = parent
    }
    // The origin of a window's root view is that of the window.
    if view.hostWindow == nil { rect = rect.offset(by: view.frame.origin) }
    return rect
  }

  /// Returns the origin of a subview in this view's coordinates: that of its frame, unless the content is scrolled.
  open func origin(of view: View) -> Point { view.frame.origin }

  /// Makes the view the superview of another one without adding it to the subviews; the caller draws it and routes
  /// input.
  ///
  /// For containers that add and remove thousands of views, such as the cells of a collection view.
  ///
  /// - Precondition: The view is neither this view nor one of its ancestors.
  public final func adoptChild(_ view: View) {
    requireNoCycle(adding: view)
    view.removeFromSuperview()
    view.superview = self
    view.isManagedChild = true
    view.setDrawingCached(cachesDrawing || isDrawingCached)
    view.setNeedsLayout()
  }
}
