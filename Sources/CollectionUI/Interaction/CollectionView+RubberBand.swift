import CollectionEngine
import CollectionLayout
import DiffableData
import FramePacing
public import Geometry
public import Rendering
import ScrollPhysics
import Views

/// Selecting items by drawing a rectangle over the content.
extension CollectionView {
  /// A Boolean value that indicates whether a drag that begins between items selects the items under the drawn
  /// rectangle.
  ///
  /// It has an effect only if multiple items can be selected. With Control, the items under the rectangle are toggled;
  /// with Shift, they are added. Near an edge of the view the content scrolls, the faster the nearer. Escape restores
  /// the previous selection.
  ///
  /// Each frame examines the visible items and a portion of the others, however many are under the rectangle. Items
  /// that were not found before the release are found in the frames after it, unless another selection replaces them.
  /// After the release, the anchor of range selections is the item nearest to where the drag began, and the focused
  /// item is the one nearest to where it ended. The default is false.
  public final var allowsRubberBandSelection: Bool {
    get { interaction.allowsRubberBand }
    set {
      interaction.allowsRubberBand = newValue
      if !newValue { cancelRubberBand() }
    }
  }

  /// The color of the rectangle's border.
  ///
  /// The rectangle is filled with a translucent shade of it.
  public final var rubberBandColor: Color {
    get { interaction.rubberBandColor }
    set {
      interaction.rubberBandColor = newValue
      interaction.rubberBandView?.color = newValue
    }
  }

  /// The frame of the drawn rectangle, in the view's coordinates, as of the last frame, or nil if none is drawn.
  public final var rubberBandFrame: Rect? {
    interaction.rubberBand.map { $0.band.frame.offset(by: Point.zero - contentOrigin) }
  }

  /// The distance that the pointer moves before a rubber band begins, in points.
  private static var minimumDragDistance: Double { 4 }

  // MARK: - Input

  /// Begins a rubber band, if a press between items moved far enough.
  final func beginRubberBandIfNeeded(to point: Point) -> Bool {
    guard let press = interaction.press, press.item == nil, let effect = press.effect, interaction.allowsRubberBand,
      interaction.mode == .multiple
    else { return false }
    let translation = point - press.point
    guard
      translation.x * translation.x + translation.y * translation.y >= CollectionView.minimumDragDistance
        * CollectionView.minimumDragDistance
    else { return false }
    interaction.press = nil
    interaction.rubberBand = RubberBandDrag(
      band: RubberBandSelection(
        at: press.point + contentOrigin, along: scrollAxis, effect: effect, base: interaction.selection.items),
      start: press.point, pointer: point)
    if effect == .replaces { selectInteractively(.clear) }
    updateHoveredItem()
    updateConfigurationStates()
    setNeedsDisplay()
    return true
  }

  /// Handles pointer events while a rubber band is drawn.
  final func continueRubberBand(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point): interaction.rubberBand?.pointer = convertFromWindow(point)
    case .pointerUp(let point, .primary, _):
      interaction.rubberBand?.pointer = convertFromWindow(point)
      interaction.pointer = convertFromWindow(point)
      advanceRubberBand()
      endRubberBand()
    case .pointerDown(_, .primary, _, _):
      // The release of the button was not received.
      endRubberBand()
      return handlePointer(event, isCatch: false)
    default: break
    }
    interaction.rubberBand?.needsUpdate = true
    setNeedsDisplay()
    return true
  }

  /// Cancels the rubber band and restores the selection before it.
  final func cancelRubberBand() {
    guard let drag = interaction.rubberBand else { return }
    removeRubberBand()
    selectInteractively(drag.band.reversal.gesture)
  }

  /// Removes the rubber band without changing the selection.
  final func removeRubberBand() {
    guard interaction.rubberBand != nil else { return }
    interaction.rubberBand = nil
    interaction.rubberBandView?.removeFromSuperview()
    interaction.rubberBandView = nil
    stopAutoscrolling()
  }

  /// Ends the rubber band.
  ///
  /// The items under it stay selected.
  final func endRubberBand() {
    guard var band = interaction.rubberBand?.band else { return }
    removeRubberBand()
    if let ends = band.endItems(in: solution, within: viewportLength) {
      interaction.selection.moveAnchor(to: ends.origin)
      interaction.selection.setLead(ends.corner)
    }
    guard !band.isComplete else { return }
    band.endDrag()
    interaction.releasedBands.append(ReleasedRubberBand(band: band, layout: solution))
  }

  /// Stops finding the items under released rubber bands, if a gesture replaces the selection.
  final func discardReleasedBands(for gesture: SelectionGesture) {
    if !gesture.keepsOthers, !interaction.releasedBands.isEmpty { interaction.releasedBands = [] }
  }

  // MARK: - Frames

  /// Phase 2: scrolls the content near an edge, and selects the items under the rubber band.
  final func advanceRubberBand() {
    advanceReleasedRubberBand()
    guard var drag = interaction.rubberBand else { return }
    // Moved out of the state, to avoid a copy of the found items.
    interaction.rubberBand = nil
    drag.needsUpdate = false
    autoscrollRubberBand(drag)
    let inside = Point(
      x: min(bounds.width, max(0, drag.pointer.x)), y: min(bounds.height, max(0, drag.pointer.y)))
    drag.band.moveCorner(to: inside + contentOrigin)
    let step = drag.band.findItems(in: solution, viewport: visibleRect)
    interaction.rubberBand = drag
    showRubberBand(drag.band.frame)
    if !step.isEmpty { deferringUpdates { selectInteractively(step.gesture) } }
  }

  /// Finds a portion of the items under the first released rubber band.
  private func advanceReleasedRubberBand() {
    guard !interaction.releasedBands.isEmpty else { return }
    var released = interaction.releasedBands.removeFirst()
    let step = released.band.findItems(in: released.layout, viewport: visibleRect)
    if !released.band.isComplete { interaction.releasedBands.insert(released, at: 0) }
    if !step.isEmpty { deferringUpdates { selectInteractively(step.gesture) } }
  }

  private func showRubberBand(_ frame: Rect) {
    let view = interaction.rubberBandView ?? RubberBandView(color: interaction.rubberBandColor)
    if interaction.rubberBandView == nil {
      interaction.rubberBandView = view
      addSubview(view)
    }
    // The frame is limited to the view's surroundings, with its edges outside.
    let near = Rect(x: -8, y: -8, width: bounds.width + 16, height: bounds.height + 16)
    view.frame = frame.offset(by: Point.zero - contentOrigin).intersection(near)
  }

  private func autoscrollRubberBand(_ drag: RubberBandDrag) {
    let edges = EdgeAutoscroll(from: uncoveredStart - contentOffset, to: viewportLength - axisInsets.end)
    let velocity = edges.velocity(at: drag.pointer[scrollAxis], from: drag.start[scrollAxis])
    let canScroll = velocity < 0 ? contentOffset > scroll.range.minimum : contentOffset < scroll.range.maximum
    guard velocity != 0, canScroll else { return stopAutoscrolling() }
    if scroll.phase(at: lastInstant) != .animating || scroll.velocity(at: lastInstant) != velocity {
      applyScrollEvent(.steady(velocity: velocity), at: lastInstant)
    }
    interaction.isAutoscrolling = true
  }
}

extension RubberBandEffect {
  /// Returns the effect of a rubber band with the given modifier keys.
  static func forModifiers(_ modifiers: KeyModifiers) -> RubberBandEffect {
    modifiers.contains(.control) ? .toggles : modifiers.contains(.shift) ? .adds : .replaces
  }
}

/// A view that draws a rubber band: a translucent rectangle with a border of one pixel.
final class RubberBandView: View {
  /// The color of the border, and of the translucent fill.
  var color: Color {
    didSet { if color != oldValue { setNeedsDisplay() } }
  }
  private static let fillOpacity = 0.16

  init(color: Color) {
    self.color = color
    super.init()
    isUserInteractionEnabled = false
  }

  override func draw(in context: DrawContext) {
    context.fill(bounds, color.opacity(RubberBandView.fillOpacity))
    let line = 1 / context.scale.pixelsPerPoint
    let (width, height) = (bounds.width, bounds.height)
    guard width > 2 * line, height > 2 * line else { return }
    let edge = color.opacity(0.85)
    context.fill(Rect(x: 0, y: 0, width: width, height: line), edge)
    context.fill(Rect(x: 0, y: height - line, width: width, height: line), edge)
    context.fill(Rect(x: 0, y: line, width: line, height: height - 2 * line), edge)
    context.fill(Rect(x: width - line, y: line, width: line, height: height - 2 * line), edge)
  }
}
