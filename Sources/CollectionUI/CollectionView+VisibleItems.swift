import CollectionEngine
import CollectionLayout
import Geometry
import Rendering
import Views

extension CollectionView {
  /// Lets sections' handlers change how what is seen is shown; what they said of the last frame is forgotten.
  ///
  /// - Complexity: O(1) where no section has a handler; otherwise that of the layout's answer.
  final func adjustVisibleItems() {
    guard solution.adjustsVisibleItems else {
      if !arrangement.isEmpty { arrangement = [] }
      return
    }
    var items: [VisibleItem] = []
    var views: [CollectionReusableView] = []
    for (index, cell) in displayed.entries {
      let attributes = solution.attributes(ofItem: index)
      items.append(VisibleItem(name: .item(index), frame: attributes.frame, zIndex: attributes.zIndex))
      views.append(cell)
    }
    for place in 0..<elements.count {
      guard let view = elements.view(at: place) else { continue }
      let element = elements.attributes[place]
      items.append(VisibleItem(name: .element(element.identity), frame: element.frame, zIndex: element.zIndex))
      views.append(view)
    }
    solution.adjustVisibleItems(&items, in: visibleRect)
    arrangement = zip(items, views).map { item, view in
      let corner = Point(
        x: item.center.x.isFinite ? item.center.x - item.frame.width / 2 : item.frame.minX,
        y: item.center.y.isFinite ? item.center.y - item.frame.height / 2 : item.frame.minY)
      view.drawing.corner = corner
      view.frame.origin = corner
      return ArrangedView(
        view: view, zIndex: item.zIndex, alpha: item.isHidden ? 0 : item.alpha, scale: item.scale)
    }
    // Equal levels keep their order: cells as they are read, then what stands beside them.
    arrangement = arrangement.enumerated().sorted { ($0.element.zIndex, $0.offset) < ($1.element.zIndex, $1.offset) }
      .map(\.element)
  }

  /// Appends what handlers arranged, back to front.
  final func renderArrangement(in context: DrawContext) {
    let scale = context.scale
    let origin = context.origin - contentOrigin
    for arranged in arrangement where arranged.opacity > 0 {
      let drawing = arranged.view.drawing
      if !drawing.holds(context.resources.generation) { redraw(arranged.view, in: context.resources) }
      let first = context.list.count
      let corner = (x: scale.pixel(origin.x + drawing.corner.x), y: scale.pixel(origin.y + drawing.corner.y))
      context.list.append(drawing.list, movedByX: corner.x, y: corner.y, opacity: arranged.opacity)
      if arranged.scale != 1 {
        let middle = Point(
          x: Double(corner.x) + arranged.view.frame.width * scale.pixelsPerPoint / 2,
          y: Double(corner.y) + arranged.view.frame.height * scale.pixelsPerPoint / 2)
        context.list.scale(from: first, by: arranged.scale, about: middle)
      }
    }
  }
}
