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
    guard solution.adjustsVisibleItems || motion.motions.isRunning || interaction.movement != nil else {
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
      let zIndex = hasHandlers ? element.zIndex : element.liesBehindCells ? -1 : 1
      items.append(VisibleItem(name: .element(element.identity), frame: element.frame, zIndex: zIndex))
      views.append(view)
    }
    if hasHandlers {
      solution.adjustVisibleItems(&items, in: visibleRect)
      for (item, view) in zip(items, views) {
        if !item.isUsable { ledger.noteRefusedNumber() }
        view.drawing.corner = item.shownFrame.origin
        view.frame.origin = item.shownFrame.origin
      }
    }
    arrange(items, views)
  }

  private func arrange(_ items: [VisibleItem], _ views: [CollectionReusableView]) {
    let displacement = motion.motions.displacements(at: lastInstant)
    var arranged: [ArrangedView] = []
    for entry in motion.leaving {
      if case .copy(let generation) = entry.end, entry.view.generation != generation { continue }
      let way = displacement(.leaving(entry.number))
      arranged.append(
        ArrangedView(
          view: entry.view, place: way.applied(to: entry.place), zIndex: 0, level: .leaving,
          alpha: entry.opacity + way.opacity))
    }
    let (carried, movement) = (carriedFrame, interaction.movement)
    for (item, view) in zip(items, views) {
      let name = item.name.movingElement
      if let movement, let index = movement.item, name == .item(index) {
        let place = carried ?? displacement(name).applied(to: item.shownFrame)
        var lifted = ArrangedView(view: view, place: place, zIndex: .max)
        lifted.height = movement.height(at: lastInstant)
        arranged.append(lifted)
        continue
      }
      let way = displacement(name)
      arranged.append(
        ArrangedView(
          view: view, place: way.applied(to: item.shownFrame), zIndex: item.zIndex,
          level: motion.motions.level(of: name),
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
      if arranged.height > 0 { drawShadow(of: arranged, at: origin - context.origin, in: context) }
      let drawing = arranged.view.drawing
      if !drawing.holds(context.resources.generation) { redraw(arranged.view, in: context.resources) }
      let first = context.list.count
      let place = arranged.place.offset(by: origin)
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
  fileprivate var isUsable: Bool {
    center.x.isFinite && center.y.isFinite && alpha.isFinite && alpha >= 0 && scale.isFinite && scale >= 0
  }

  /// The frame about the middle that a handler gave; a coordinate of that which is no number counts as the layout's.
  fileprivate var shownFrame: Rect {
    let corner = Point(
      x: center.x.isFinite ? center.x - frame.width / 2 : frame.minX,
      y: center.y.isFinite ? center.y - frame.height / 2 : frame.minY)
    return Rect(origin: corner, size: frame.size)
  }
}

extension VisibleItem.Name {
  /// The same as motion knows it.
  fileprivate var movingElement: MovingElement {
    switch self {
    case .item(let index): .item(index)
    case .element(let identity): .element(identity)
    }
  }
}
