import CollectionEngine
import CollectionLayout
import Geometry
import Rendering
import Views

extension CollectionView {
  /// Adjusts the displayed views by section handlers and animations.
  ///
  /// Adjustments of the last frame are discarded.
  ///
  /// - Complexity: O(1) without handlers and animations; otherwise that of the layout's handlers and O(n log n) for n
  ///   visible views.
  final func adjustVisibleItems() {
    guard solution.adjustsVisibleItems || updateAnimator.isMoving || dragController.isActive else {
      if !arrangement.isEmpty { arrangement = [] }
      return
    }
    // Read once, because it is used for every item.
    let solution = solution
    let hasHandlers = solution.adjustsVisibleItems
    var items: [VisibleItem] = []
    var views: [CollectionReusableView] = []
    for (index, cell) in cellController.displayedEntries {
      let attributes = solution.attributes(ofItem: index)
      items.append(
        VisibleItem(name: .item(index), frame: attributes.frame, zIndex: hasHandlers ? attributes.zIndex : 0))
      views.append(cell)
    }
    for (element, view, _) in supplementaryController.elements {
      guard let view else { continue }
      // Without handlers, the order in which views are displayed at rest: cells in their order, and elements around
      // them.
      let zIndex = hasHandlers ? element.zIndex : element.isBehindCells ? -1 : 1
      items.append(VisibleItem(name: .element(element.identity), frame: element.frame, zIndex: zIndex))
      views.append(view)
    }
    if hasHandlers {
      solution.adjustVisibleItems(&items, in: visibleRect)
      for (item, view) in zip(items, views) {
        if !item.isValid { cellController.recordRefusedNumber() }
        view.drawing.corner = item.displayedFrame.origin
        view.frame.origin = item.displayedFrame.origin
      }
    }
    arrangeViews(items, views)
  }

  private func arrangeViews(_ items: [VisibleItem], _ views: [CollectionReusableView]) {
    let displacement = updateAnimator.displacements
    var arranged: [PresentedView] = []
    for entry in updateAnimator.retainedViews {
      let delta = displacement(.disappearing(entry.id))
      arranged.append(
        PresentedView(
          view: entry.view, frame: delta.applied(to: entry.frame), zIndex: 0, level: .disappearing,
          alpha: entry.opacity + delta.opacity))
    }
    let (dragFrame, movingItem) = (dragController.draggedFrame, dragController.movingItem)
    for (item, view) in zip(items, views) {
      let name = item.name.animatedElement
      if let movingItem, name == .item(movingItem) {
        let frame = dragFrame ?? displacement(name).applied(to: item.displayedFrame)
        var lifted = PresentedView(view: view, frame: frame, zIndex: .max)
        lifted.liftProgress = dragController.liftProgress
        arranged.append(lifted)
        continue
      }
      let delta = displacement(name)
      arranged.append(
        PresentedView(
          view: view, frame: delta.applied(to: item.displayedFrame), zIndex: item.zIndex,
          level: updateAnimator.level(of: name),
          alpha: (item.isHidden ? 0 : item.alpha) + delta.opacity, scale: item.scale))
    }
    // Equal levels keep their order: cells in reading order, then elements.
    let order = arranged.enumerated().map { position, view in (view.zIndex, view.level.rawValue, position) }.sorted(
      by: <)
    arrangement = order.map { arranged[$0.2] }
  }

  /// Appends the arranged views, back to front.
  final func renderArrangement(in context: DrawContext) {
    let scale = context.scale
    let origin = context.origin - contentOrigin
    for arranged in arrangement where arranged.opacity > 0 {
      if arranged.liftProgress > 0 { drawShadow(of: arranged, at: origin - context.origin, in: context) }
      let drawing = arranged.view.drawing
      if !drawing.isValid(for: context.resources.generation) { redraw(arranged.view, in: context.resources) }
      let first = context.list.count
      let frame = arranged.frame.offset(by: origin)
      let corner = (x: scale.pixel(frame.minX), y: scale.pixel(frame.minY))
      context.list.append(drawing.list, movedByX: corner.x, y: corner.y, opacity: arranged.opacity)
      let size = arranged.view.frame.size
      if frame.size != size, !size.isEmpty {
        context.list.scale(
          from: first, byX: frame.width / size.width, y: frame.height / size.height,
          about: Point(x: Double(corner.x), y: Double(corner.y)))
      }
      if arranged.scale != 1 {
        let middle = Point(
          x: Double(corner.x) + frame.width * scale.pixelsPerPoint / 2,
          y: Double(corner.y) + frame.height * scale.pixelsPerPoint / 2)
        context.list.scale(from: first, by: arranged.scale, about: middle)
      }
    }
  }
}

extension VisibleItem {
  /// Whether a handler set usable numbers.
  fileprivate var isValid: Bool {
    center.x.isFinite && center.y.isFinite && alpha.isFinite && alpha >= 0 && scale.isFinite && scale >= 0
  }

  /// The frame around the center that a handler set.
  ///
  /// A coordinate that is not a number is replaced by the layout's.
  fileprivate var displayedFrame: Rect {
    let corner = Point(
      x: center.x.isFinite ? center.x - frame.width / 2 : frame.minX,
      y: center.y.isFinite ? center.y - frame.height / 2 : frame.minY)
    return Rect(origin: corner, size: frame.size)
  }
}

extension VisibleItem.Name {
  /// The name under which animations know the item.
  fileprivate var animatedElement: AnimatedElement {
    switch self {
    case .item(let index): .item(index)
    case .element(let identity): .element(identity)
    }
  }
}

/// A displayed view as section handlers and animations adjust it.
struct PresentedView {
  /// The view, whose drawing is displayed.
  let view: CollectionReusableView
  /// The frame in the content's coordinates, before scaling.
  ///
  /// If its size differs from the view's, the drawing is stretched.
  let frame: Rect
  /// The front-to-back order among views.
  let zIndex: Int
  /// The front-to-back order among views with the same z-index.
  let level: ElementTransition.Level
  /// The opacity, from 0 to 255.
  let opacity: UInt8
  /// The scale, about the center.
  let scale: Double
  /// The progress of lifting the item for a drag, from 0 to 1.
  var liftProgress = 0.0

  /// Creates a view from the values of a handler or an animation.
  ///
  /// An alpha or scale that is not a number counts as 1, and a negative scale as 0.
  init(
    view: CollectionReusableView, frame: Rect, zIndex: Int, level: ElementTransition.Level = .staying,
    alpha: Double = 1,
    scale: Double = 1
  ) {
    self.view = view
    self.frame = frame
    self.zIndex = zIndex
    self.level = level
    self.scale = scale.isFinite ? max(0, min(64, scale)) : 1
    opacity = UInt8((max(0, min(1, alpha.isNaN ? 1 : alpha)) * 255).rounded())
  }
}
