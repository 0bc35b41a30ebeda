public import Geometry
public import Rendering

/// A rectangle of the window that draws itself and its subviews, and answers input.
///
/// Frames are in points in the superview's coordinates, y down. A view draws when something asked for it; what it drew
/// is a list of commands that a cell keeps and the window collects.
open class View {
  /// The place within the superview, in points.
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
  private final var storedFrame: Rect

  /// Filled behind everything; clear draws nothing.
  public final var backgroundColor: Color = .clear {
    didSet { if backgroundColor != oldValue { setNeedsDisplay() } }
  }

  /// Whether the view and its subviews neither draw nor answer.
  public final var isHidden = false {
    didSet {
      guard isHidden != oldValue else { return }
      // What was not laid out while it was hidden is now.
      if subtreeNeedsLayout { propagateNeedsLayout() }
      setNeedsDisplay()
    }
  }

  /// Whether input is offered to this view; its subviews are asked either way.
  public final var isInteractive = true

  /// What the view is for whoever cannot see it, made when it is asked for; nothing unless overridden: then what is within it
  /// stands in its place.
  open var accessibility: AccessibilityElement? { nil }

  /// What it is called, for whoever cannot see it; the words within unless overridden.
  open var accessibilityLabel: String { accessibleText }

  /// What there is to say beside its name; nothing unless overridden.
  open var accessibilityValue: String { "" }

  /// What holds this view.
  public private(set) final weak var superview: View?
  /// The views within, back to front.
  public private(set) final var subviews: [View] = []
  /// The window above, where this view is its root.
  weak var hostWindow: Window?
  private(set) var needsLayout = true
  /// Whether this view or one below it may want to be laid out.
  private var subtreeNeedsLayout = true
  /// Whether its superview looks after it without having it among its subviews.
  private var isManagedChild = false
  /// Whether a view above keeps its drawing.
  private(set) var isDrawingCached = false

  /// Makes a view.
  public init(frame: Rect = .zero) { storedFrame = frame }

  /// Puts the view elsewhere and asks for no frame: for a superview that draws it itself, in the frame that is being made.
  public final func setOriginWithoutDisplay(at corner: Point) { storedFrame.origin = corner }

  /// The view's own rectangle, its corner at the origin.
  public final var bounds: Rect { Rect(origin: .zero, size: frame.size) }

  /// The window that shows this view, if any.
  public final var window: Window? {
    var view: View? = self
    while let current = view {
      if let hostWindow = current.hostWindow { return hostWindow }
      view = current.superview
    }
    return nil
  }

  // MARK: Tree

  /// Puts a view in front of the subviews; it leaves its former superview.
  public final func addSubview(_ view: View) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
    view.setDrawingCached(cachesDrawing || isDrawingCached)
    setNeedsDisplay()
    view.setNeedsLayout()
  }

  /// Takes the view out of its superview.
  public final func removeFromSuperview() {
    guard let parent = superview else { return }
    window?.viewWillLeave(self)
    parent.subviews.removeAll { $0 === self }
    superview = nil
    isManagedChild = false
    setDrawingCached(false)
    parent.setNeedsDisplay()
  }

  // MARK: Layout

  /// Asks for ``layoutSubviews()`` before the next drawing.
  public final func setNeedsLayout() {
    needsLayout = true
    propagateNeedsLayout()
    setNeedsDisplay()
  }

  /// Tells the views above that there is something to lay out.
  private func propagateNeedsLayout() {
    subtreeNeedsLayout = true
    var view = self
    while !view.isManagedChild, let above = view.superview, !above.subtreeNeedsLayout {
      above.subtreeNeedsLayout = true
      view = above
    }
  }

  /// Places subviews; does nothing unless overridden.
  open func layoutSubviews() {}

  /// Lays out this view and those below it, where that was asked for.
  public final func layoutIfNeeded() {
    guard subtreeNeedsLayout else { return }
    subtreeNeedsLayout = false
    if needsLayout {
      needsLayout = false
      layoutSubviews()
    }
    for view in subviews where !view.isHidden { view.layoutIfNeeded() }
  }

  // MARK: Drawing

  /// Whether the view keeps what it and the views below it drew, as a cell does.
  open var cachesDrawing: Bool { false }

  private func setDrawingCached(_ isDrawnByKeeper: Bool) {
    guard isDrawnByKeeper != self.isDrawingCached else { return }
    self.isDrawingCached = isDrawnByKeeper
    if !cachesDrawing { for view in subviews { view.setDrawingCached(isDrawnByKeeper) } }
  }

  /// Asks for a frame in which this view draws again.
  ///
  /// A view that keeps its drawing, such as a cell, overrides this to forget it and passes the call on.
  open func setNeedsDisplay() {
    if let superview { superview.setNeedsDisplay() } else { hostWindow?.setNeedsFrame() }
  }

  /// What the view shows has become a texture: it draws again, if it is seen.
  ///
  /// Nobody changed the view. One that keeps its drawing overrides this too.
  open func textureDidArrive() {
    if let superview { superview.textureDidArrive() } else { hostWindow?.setNeedsFrame() }
  }

  /// Draws the view's own content over its background; does nothing unless overridden.
  open func draw(in context: DrawContext) {}

  /// Draws background, own content and subviews, at the context's origin.
  open func render(in context: DrawContext) {
    if backgroundColor.alpha > 0 { context.fill(bounds, backgroundColor) }
    draw(in: context)
    renderSubviews(in: context)
  }

  /// Draws the views within, back to front.
  open func renderSubviews(in context: DrawContext) {
    for view in subviews { render(view, in: context) }
  }

  /// Draws a view where it stands within this one.
  final func render(_ view: View, in context: DrawContext) {
    if !view.isHidden { context.translated(by: view.frame.origin) { view.render(in: $0) } }
  }

  // MARK: Memory

  /// The bytes that the view itself holds of what it shows, such as pixels; none unless overridden.
  ///
  /// Those of views within are theirs.
  open var retainedBytes: Int { 0 }

  /// The bytes that the view and all within it hold.
  ///
  /// - Complexity: O(views within).
  public final var totalRetainedBytes: Int { subviews.reduce(retainedBytes) { $0 + $1.totalRetainedBytes } }

  // MARK: Input

  /// The frontmost view at a point of this view's coordinates that wants input.
  open func hitTest(_ point: Point) -> View? {
    guard !isHidden, bounds.contains(point) else { return nil }
    for view in subviews.reversed() {
      if let hit = view.hitTest(point - view.frame.origin) { return hit }
    }
    return isInteractive ? self : nil
  }

  /// Whether a finger on a screen is a pointer to this view from the touch on, as to a thumb that is dragged.
  ///
  /// To others a finger that moves is drawn over the screen, and one that does not taps.
  open var treatsTouchAsPointer: Bool { false }

  /// Answers an event, or declines so that the superview is asked.
  /// - Returns: whether the event was used.
  open func handle(_ event: InputEvent) -> Bool { false }

  /// A point of the window in this view's coordinates.
  public final func convertFromWindow(_ point: Point) -> Point {
    var point = point
    var view: View? = self
    while let current = view, current.superview != nil || current.hostWindow == nil {
      point = point - (current.superview?.origin(of: current) ?? current.frame.origin)
      view = current.superview
    }
    return point
  }

  /// This view's rectangle in the window's coordinates.
  public final var frameInWindow: Rect {
    var rect = bounds
    var view: View? = self
    while let current = view, current.superview != nil || current.hostWindow == nil {
      rect = rect.offset(by: current.superview?.origin(of: current) ?? current.frame.origin)
      view = current.superview
    }
    return rect
  }

  /// Where a view within stands in this view's coordinates: its frame's corner, unless the content is scrolled.
  open func origin(of view: View) -> Point { view.frame.origin }

  /// Becomes the superview of a view that is not among the subviews: the caller draws it and gives it input.
  ///
  /// For containers that keep thousands of views coming and going, such as a collection view's cells.
  public final func adoptChild(_ view: View) {
    view.removeFromSuperview()
    view.superview = self
    view.isManagedChild = true
    view.setDrawingCached(cachesDrawing || isDrawingCached)
    view.setNeedsLayout()
  }
}
