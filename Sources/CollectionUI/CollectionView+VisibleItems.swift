import CollectionEngine
import CollectionLayout
import Geometry
import Rendering
import Views

extension CollectionView {
  /// Lets sections' handlers, and motion, change how what is seen is shown; what they said of the last frame is forgotten.
  ///
  /// - Complexity: O(1) where no section has a handler and nothing moves; otherwise that of the layout's answer, and
  ///   O(n log n) for what is seen.
  final func adjustVisibleItems() {
    guard solution.adjustsVisibleItems || updateAnimation.animator.isRunning || interaction.movement != nil else {
      if !arrangement.isEmpty { arrangement = [] }
      return
    }
    // Read once: it is asked of every item.
    let solution = solution
    let hasHandlers = solution.adjustsVisibleItems
    var items: [VisibleItem] = []
    var views: [CollectionReusableView] = []
    for (index, cell) in displayed.entries {
      let attributes = solution.attributes(ofItem: index)
      items.append(
        VisibleItem(name: .item(index), frame: attributes.frame, zIndex: hasHandlers ? attributes.zIndex : 0))
      views.append(cell)
    }
    for place in 0..<elements.count {
      guard let view = elements.view(at: place) else { continue }
      let element = elements.attributes[place]
      // Without handlers, as they lie over each other when nothing moves: cells in their order, and views around them.
      let zIndex = hasHandlers ? element.zIndex : element.isBehindCells ? -1 : 1
      items.append(VisibleItem(name: .element(element.identity), frame: element.frame, zIndex: zIndex))
      views.append(view)
    }
    if hasHandlers {
      solution.adjustVisibleItems(&items, in: visibleRect)
      for (item, view) in zip(items, views) {
        if !item.isValid { lifecycle.recordRefusedNumber() }
        view.drawing.corner = item.displayedFrame.origin
        view.frame.origin = item.displayedFrame.origin
      }
    }
    arrangeViews(items, views)
  }

  private func arrangeViews(_ items: [VisibleItem], _ views: [CollectionReusableView]) {
    let displacement = updateAnimation.animator.displacements(at: lastInstant)
    var arranged: [PresentedView] = []
    for entry in updateAnimation.disappearing {
      if case .copy(let generation) = entry.completion, entry.view.generation != generation { continue }
      let way = displacement(.disappearing(entry.number))
      arranged.append(
        PresentedView(
          view: entry.view, place: way.applied(to: entry.frame), zIndex: 0, level: .disappearing,
          alpha: entry.opacity + way.opacity))
    }
    let (carried, movement) = (draggedFrame, interaction.movement)
    for (item, view) in zip(items, views) {
      let name = item.name.animatedElement
      if let movement, let index = movement.item, name == .item(index) {
        let place = carried ?? displacement(name).applied(to: item.displayedFrame)
        var lifted = PresentedView(view: view, place: place, zIndex: .max)
        lifted.liftProgress = movement.liftProgress(at: lastInstant)
        arranged.append(lifted)
        continue
      }
      let way = displacement(name)
      arranged.append(
        PresentedView(
          view: view, place: way.applied(to: item.displayedFrame), zIndex: item.zIndex,
          level: updateAnimation.animator.level(of: name),
          alpha: (item.isHidden ? 0 : item.alpha) + way.opacity, scale: item.scale))
    }
    // Equal levels keep their order: cells as they are read, then what stands beside them.
    let order = arranged.enumerated().map { place, view in (view.zIndex, view.level.rawValue, place) }.sorted(by: <)
    arrangement = order.map { arranged[$0.2] }
  }

  /// Appends what handlers and motion arranged, back to front.
  final func renderArrangement(in context: DrawContext) {
    let scale = context.scale
    let origin = context.origin - contentOrigin
    for arranged in arrangement where arranged.opacity > 0 {
      if arranged.liftProgress > 0 { drawShadow(of: arranged, at: origin - context.origin, in: context) }
      let drawing = arranged.view.drawing
      if !drawing.isValid(for: context.resources.generation) { redraw(arranged.view, in: context.resources) }
      let first = context.list.count
      let place = arranged.frame.offset(by: origin)
      let corner = (x: scale.pixel(place.minX), y: scale.pixel(place.minY))
      context.list.append(drawing.list, movedByX: corner.x, y: corner.y, opacity: arranged.opacity)
      let size = arranged.view.frame.size
      if place.size != size, !size.isEmpty {
        context.list.scale(
          from: first, byX: place.width / size.width, y: place.height / size.height,
          about: Point(x: Double(corner.x), y: Double(corner.y)))
      }
      if arranged.scale != 1 {
        let middle = Point(
          x: Double(corner.x) + place.width * scale.pixelsPerPoint / 2,
          y: Double(corner.y) + place.height * scale.pixelsPerPoint / 2)
        context.list.scale(from: first, by: arranged.scale, about: middle)
      }
    }
  }
}

extension VisibleItem {
  /// Whether a handler gave numbers that can be meant.
  fileprivate var isValid: Bool {
    center.x.isFinite && center.y.isFinite && alpha.isFinite && alpha >= 0 && scale.isFinite && scale >= 0
  }

  /// The frame about the middle that a handler gave; a coordinate of that which is no number counts as the layout's.
  fileprivate var displayedFrame: Rect {
    let corner = Point(
      x: center.x.isFinite ? center.x - frame.width / 2 : frame.minX,
      y: center.y.isFinite ? center.y - frame.height / 2 : frame.minY)
    return Rect(origin: corner, size: frame.size)
  }
}

extension VisibleItem.Name {
  /// The same as motion knows it.
  fileprivate var animatedElement: AnimatedElement {
    switch self {
    case .item(let index): .item(index)
    case .element(let identity): .element(identity)
    }
  }
}
