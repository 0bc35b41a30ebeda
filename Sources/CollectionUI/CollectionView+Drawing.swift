import CollectionEngine
import CollectionLayout
import Geometry
import Rendering
import Views

extension CollectionView {
  /// Draws what is behind the content, the content, and what is in front of it.
  final func renderLayers(in context: DrawContext) {
    if backgroundColor.alpha > 0 { context.fill(bounds, backgroundColor) }
    let background = visibleBackground
    if let background { context.clipped(to: bounds) { background.render(in: $0) } }
    context.clipped(to: bounds) { renderContent(in: $0) }
    guard background != nil else { return renderSubviews(in: context) }
    for view in subviews where !view.isHidden && view !== background {
      context.translated(by: view.frame.origin) { view.render(in: $0) }
    }
  }

  /// The frontmost view at a point: what is in front of the content, the content, and what is behind it.
  final func hitTestLayers(_ point: Point) -> View? {
    guard !isHidden, bounds.contains(point) else { return nil }
    let background = visibleBackground
    for view in subviews.reversed() where view !== background {
      if let hit = view.hitTest(point - view.frame.origin) { return hit }
    }
    return hitTestContent(point) ?? background?.hitTest(point) ?? (isInteractive ? self : nil)
  }

  /// Appends the kept drawings of views behind the cells, of the cells, and of views before them, moved to where they
  /// stand now.
  final func renderContent(in context: DrawContext) {
    guard arrangement.isEmpty else { return renderArrangement(in: context) }
    guard elements.count > 0 else { return renderCells(in: context) }
    if !scratch.hasElementDisplayLists { collectElementDrawings() }
    if !displayListBehind.isEmpty { renderElements(displayListBehind, in: context) }
    renderCells(in: context)
    if !displayListInFront.isEmpty { renderElements(displayListInFront, in: context) }
  }

  private func renderCells(in context: DrawContext) {
    // Content moves by whole pixels and its cells stand on them: sums of whole numbers place them.
    let origin = context.origin - contentOrigin
    let (x, y) = (context.scale.contentPixel(origin.x), context.scale.contentPixel(origin.y))
    if !cellDisplayList.isComplete(for: context.resources.generation) {
      redrawCells(in: context.resources)
      cellDisplayList.rebuild(atX: x, y: y)
    }
    cellDisplayList.append(atX: x, y: y, to: context.list)
  }

  /// Has those cells draw that would draw something else now; their code may change what is displayed.
  private func redrawCells(in resources: RenderResources) {
    if cellDisplayList.isEmpty { collectCellDrawings() }
    var next = cellDisplayList.firstStaleIndex(from: 0, generation: resources.generation)
    while let place = next {
      redraw(displayed.cells[place], in: resources)
      next = cellDisplayList.firstStaleIndex(from: place + 1, generation: resources.generation)
    }
    if cellDisplayList.isEmpty { collectCellDrawings() }
  }

  private func collectCellDrawings() { for cell in displayed.cells { cellDisplayList.addDrawing(cell.drawing) } }

  private func renderElements(_ layer: CachedDisplayList, in context: DrawContext) {
    let origin = context.origin - contentOrigin
    let (x, y) = (context.scale.contentPixel(origin.x), context.scale.contentPixel(origin.y))
    if !layer.isComplete(for: context.resources.generation) {
      redrawElements(in: context.resources)
      layer.rebuild(atX: x, y: y)
    }
    layer.append(atX: x, y: y, to: context.list)
  }

  /// Has those views beside the cells draw that would draw something else now.
  private func redrawElements(in resources: RenderResources) {
    for place in 0..<elements.count {
      guard let view = elements.view(at: place), !view.drawing.isValid(for: resources.generation) else { continue }
      redraw(view, in: resources)
    }
    // Their code may change what is displayed.
    if !scratch.hasElementDisplayLists { collectElementDrawings() }
  }

  private func collectElementDrawings() {
    scratch.hasElementDisplayLists = true
    for place in 0..<elements.count {
      guard let view = elements.view(at: place) else { continue }
      (elements.attributes[place].isBehindCells ? displayListBehind : displayListInFront).addDrawing(view.drawing)
    }
  }

  /// The frontmost view at a point among cells and the views beside them.
  final func hitTestContent(_ point: Point) -> View? {
    if let hit = hitTestElements(areBehindCells: false, point) { return hit }
    for cell in displayed.cells {
      if let hit = cell.hitTest(point - origin(of: cell)) { return hit }
    }
    return hitTestElements(areBehindCells: true, point)
  }

  private func hitTestElements(areBehindCells: Bool, _ point: Point) -> View? {
    for place in (0..<elements.count).reversed()
    where elements.attributes[place].isBehindCells == areBehindCells {
      if let view = elements.view(at: place), let hit = view.hitTest(point - origin(of: view)) { return hit }
    }
    return nil
  }
}

extension ElementAttributes {
  /// Whether cells lie over it: decorations that are not lifted, and views beneath the cells' level.
  var isBehindCells: Bool {
    if case .decoration = identity.kind { return zIndex <= 0 }
    return zIndex < 0
  }
}
