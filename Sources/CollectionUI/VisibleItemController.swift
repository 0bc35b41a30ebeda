import VitrineCollectionEngine
import VitrineCollectionLayout
package import VitrineGeometry
import VitrineRendering
package import VitrineViews

/// What ``VisibleItemController`` needs from the collection view.
package protocol VisibleItemHost: ControllerHost {
  /// The item that is dragged or settles after a drag, or nil if there is none.
  var liftedItem: LiftedItem? { get }
}

/// The item that is displayed in front of the others, because it is dragged or settles after a drag.
package struct LiftedItem {
  /// The item.
  package let index: Int
  /// The frame in the content's coordinates while the item is dragged, or nil while it settles.
  package let frame: Rect?
  /// The progress of lifting the item, from 0 to 1.
  package let progress: Double

  /// Creates the state of an item.
  package init(index: Int, frame: Rect?, progress: Double) {
    self.index = index
    self.frame = frame
    self.progress = progress
  }
}

/// The owner of how the displayed views are shown: in the frames of the layout, or as section handlers, animations and
/// a drag adjust them.
///
/// The commit of a frame adjusts the views (``adjust()``), after all of them are displayed and animations advanced. The
/// views are then drawn and found where they were adjusted to. Without handlers, animations and a drag nothing is
/// stored, and the views are drawn by the owners of cells and of supplementary views.
///
/// Invariants:
/// - Adjusted views are the displayed ones, the ones that animations retain and the dragged one, back to front: by
///   z-index, then by the level of their transition, then in reading order. The dragged one is in front.
/// - An adjustment is relative to the layout of the frame. That of the last frame has no effect on it.
/// - Numbers of handlers that cannot be displayed are replaced, and counted as refused.
/// - Views that may be reused are not retained: ``discardAdjustments()`` is called when animations end.
package final class VisibleItemController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any VisibleItemHost)!
  private let cells: CellController
  private let supplementaryViews: SupplementaryController
  private let animator: UpdateAnimator
  private let meter: StepMeter

  // Unchecked: nothing that changes it calls client code, so that it cannot be read while it is being modified.
  /// The adjusted views, back to front, or none if all views are shown in the frames of the layout.
  @exclusivity(unchecked) private var adjustedViews: [PresentedView] = []

  /// The reach of a dragged item's shadow around it and its vertical offset, in points, and its opacity.
  private static let (shadowReach, shadowDrop, shadowDepth) = (16.0, 4.0, 0.26)
  /// The rotation in radians below which a view is drawn upright.
  private static let leastRotation = 0.002

  /// Creates a controller that shows views in the frames of the layout.
  ///
  /// - Parameters:
  ///   - cells: The owner of cells.
  ///   - supplementaryViews: The owner of supplementary and decoration views.
  ///   - animator: The owner of animated updates.
  ///   - meter: The owner of costs, to which drawing counts.
  package init(
    cells: CellController, supplementaryViews: SupplementaryController, animator: UpdateAnimator, meter: StepMeter
  ) {
    self.cells = cells
    self.supplementaryViews = supplementaryViews
    self.animator = animator
    self.meter = meter
  }

  // MARK: - Adjusting

  /// Whether views are shown as handlers, animations or a drag adjust them.
  package var isAdjusted: Bool { !adjustedViews.isEmpty }

  /// Shows the views in the frames of the layout.
  package func discardAdjustments() { if isAdjusted { adjustedViews = [] } }

  /// Adjusts the displayed views by section handlers, animations and the drag.
  ///
  /// - Complexity: O(1) without any of them; otherwise that of the layout's handlers and O(n log n) for n visible views.
  package func adjust() {
    // Read once, because it is used for every item.
    let (solution, lifted) = (host.solution, host.liftedItem)
    guard solution.adjustsVisibleItems || animator.isMoving || lifted != nil else { return discardAdjustments() }
    var (items, views) = listVisibleItems(of: solution)
    if solution.adjustsVisibleItems {
      solution.adjustVisibleItems(&items, in: host.visibleRect)
      for (item, view) in zip(items, views) {
        if !item.isValid { cells.recordRefusedNumber() }
        view.drawing.corner = item.displayedFrame.origin
        view.frame.origin = item.displayedFrame.origin
      }
    }
    let presented = presentRetainedViews() + present(items, views, lifted)
    // Equal levels keep their order: cells in reading order, then elements.
    let order = presented.enumerated().map { position, view in (view.zIndex, view.level.rawValue, position) }
    adjustedViews = order.sorted(by: <).map { presented[$0.2] }
  }

  /// Returns the displayed cells and elements with their attributes.
  private func listVisibleItems(of solution: any SolvedLayout) -> ([VisibleItem], [CollectionReusableView]) {
    let hasHandlers = solution.adjustsVisibleItems
    var items: [VisibleItem] = []
    var views: [CollectionReusableView] = []
    for (index, cell) in cells.displayedEntries {
      let attributes = solution.attributes(ofItem: index)
      items.append(
        VisibleItem(name: .item(index), frame: attributes.frame, zIndex: hasHandlers ? attributes.zIndex : 0))
      views.append(cell)
    }
    for (element, view, _) in supplementaryViews.elements {
      guard let view else { continue }
      // Without handlers, the order in which views are displayed at rest: cells in their order, and elements around
      // them.
      let zIndex = hasHandlers ? element.zIndex : element.isBehindCells ? -1 : 1
      items.append(VisibleItem(name: .element(element.identity), frame: element.frame, zIndex: zIndex))
      views.append(view)
    }
    return (items, views)
  }

  /// Returns the views that animations retain.
  private func presentRetainedViews() -> [PresentedView] {
    let displacement = animator.displacements
    return animator.retainedViews.map { entry in
      let delta = displacement(.disappearing(entry.id))
      return PresentedView(
        view: entry.view, frame: delta.applied(to: entry.frame), zIndex: 0, level: .disappearing,
        alpha: entry.opacity + delta.opacity, rotation: entry.rotation + delta.rotation)
    }
  }

  /// Returns the displayed views where animations and the drag move them.
  private func present(
    _ items: [VisibleItem], _ views: [CollectionReusableView], _ lifted: LiftedItem?
  ) -> [PresentedView] {
    let displacement = animator.displacements
    return zip(items, views).map { item, view in
      let name = item.name.animatedElement
      let delta = displacement(name)
      if let lifted, name == .item(lifted.index) {
        let frame = lifted.frame ?? delta.applied(to: item.displayedFrame)
        var presented = PresentedView(view: view, frame: frame, zIndex: .max)
        presented.liftProgress = lifted.progress
        return presented
      }
      return PresentedView(
        view: view, frame: delta.applied(to: item.displayedFrame), zIndex: item.zIndex, level: animator.level(of: name),
        alpha: (item.isHidden ? 0 : item.alpha) + delta.opacity, scale: item.scale, rotation: delta.rotation)
    }
  }

  // MARK: - Drawing

  /// Appends the drawings of the views, back to front, at their current positions.
  package func render(atContentOrigin contentOrigin: Point, in context: DrawContext) {
    guard adjustedViews.isEmpty else { return renderAdjustedViews(atContentOrigin: contentOrigin, in: context) }
    supplementaryViews.render(areBehindCells: true, atContentOrigin: contentOrigin, in: context)
    cells.render(atContentOrigin: contentOrigin, in: context)
    supplementaryViews.render(areBehindCells: false, atContentOrigin: contentOrigin, in: context)
  }

  private func renderAdjustedViews(atContentOrigin contentOrigin: Point, in context: DrawContext) {
    let scale = context.scale
    let origin = context.origin - contentOrigin
    for presented in adjustedViews where presented.opacity > 0 {
      if presented.liftProgress > 0 { drawShadow(of: presented, at: origin - context.origin, in: context) }
      let drawing = presented.view.drawing
      if !drawing.isValid(for: context.resources.generation) {
        meter.measuring(.draw, of: presented.view.registration) { presented.view.redraw(in: context.resources) }
      }
      guard presented.rotation.magnitude < Self.leastRotation else {
        drawRotated(presented, at: origin - context.origin, in: context)
        continue
      }
      let first = context.list.count
      let frame = presented.frame.offset(by: origin)
      let corner = (x: scale.pixel(frame.minX), y: scale.pixel(frame.minY))
      context.list.append(drawing.list, movedByX: corner.x, y: corner.y, opacity: presented.opacity)
      let size = presented.view.frame.size
      if frame.size != size, !size.isEmpty {
        context.list.scale(
          from: first, byX: frame.width / size.width, y: frame.height / size.height,
          about: Point(x: Double(corner.x), y: Double(corner.y)))
      }
      if presented.scale != 1 {
        let middle = Point(
          x: Double(corner.x) + frame.width * scale.pixelsPerPoint / 2,
          y: Double(corner.y) + frame.height * scale.pixelsPerPoint / 2)
        context.list.scale(from: first, by: presented.scale, about: middle)
      }
    }
  }

  /// Draws a view that an update rotates.
  ///
  /// - Parameters:
  ///   - presented: The view.
  ///   - origin: The content's origin, in the view's coordinates.
  ///   - context: The context.
  private func drawRotated(_ presented: PresentedView, at origin: Point, in context: DrawContext) {
    let (frame, size) = (presented.frame.offset(by: origin), presented.view.frame.size)
    guard !size.isEmpty, !frame.isEmpty else { return }
    let corner = Point(x: frame.midX - size.width / 2, y: frame.midY - size.height / 2)
    let transform = Transform(
      scaleX: frame.width / size.width * presented.scale, y: frame.height / size.height * presented.scale
    ).concatenating(Transform(rotationAngle: presented.rotation))
    // The content of the image is the same in all frames: opacity and transform apply to the image.
    context.withOpacity(Double(presented.opacity) / 255) { context in
      context.transformed(by: transform.about(Point(x: frame.midX, y: frame.midY))) { context in
        let place = corner + context.origin
        context.list.append(
          presented.view.drawing.list, movedByX: context.scale.pixel(place.x), y: context.scale.pixel(place.y))
      }
    }
  }

  /// Draws the shadow of a lifted item.
  ///
  /// The shadow is darker the higher the item is lifted. Its size is constant, so that no texture is made while the
  /// item rises.
  ///
  /// - Parameters:
  ///   - presented: The item, with its lift progress.
  ///   - origin: The content's origin, in the view's coordinates.
  ///   - context: The context, into which the views behind the item have been drawn.
  private func drawShadow(of presented: PresentedView, at origin: Point, in context: DrawContext) {
    context.drawShadow(
      of: presented.frame.offset(by: origin),
      radius: (presented.view as? CollectionViewCell)?.shadowCornerRadius ?? 0, extent: Self.shadowReach,
      verticalOffset: Self.shadowDrop,
      Color(red: 0, green: 0, blue: 0).opacity(Self.shadowDepth * presented.liftProgress))
  }

  // MARK: - Hit testing

  /// Returns the frontmost cell or element at a point in the view's coordinates, or nil if there is none.
  package func hitTest(_ point: Point, atContentOrigin origin: Point) -> View? {
    if let hit = supplementaryViews.hitTest(areBehindCells: false, point, atContentOrigin: origin) { return hit }
    if let hit = cells.hitTest(point + origin) { return hit }
    return supplementaryViews.hitTest(areBehindCells: true, point, atContentOrigin: origin)
  }

  /// Returns the last item whose cell was adjusted to a point of the content, or nil if there is none.
  package func adjustedItem(at location: Point) -> Int? {
    guard isAdjusted else { return nil }
    return cells.displayedEntries.last { $0.cell.frame.contains(location) }?.index
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
private struct PresentedView {
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
  /// The rotation about the center, in radians.
  let rotation: Double
  /// The progress of lifting the item for a drag, from 0 to 1.
  var liftProgress = 0.0

  /// Creates a view from the values of a handler or an animation.
  ///
  /// An alpha or scale that is not a number counts as 1, and a negative scale as 0.
  init(
    view: CollectionReusableView, frame: Rect, zIndex: Int, level: ElementTransition.Level = .staying,
    alpha: Double = 1,
    scale: Double = 1, rotation: Double = 0
  ) {
    self.view = view
    self.frame = frame
    self.zIndex = zIndex
    self.level = level
    self.rotation = rotation
    self.scale = scale.isFinite ? max(0, min(64, scale)) : 1
    opacity = UInt8((max(0, min(1, alpha.isNaN ? 1 : alpha)) * 255).rounded())
  }
}
