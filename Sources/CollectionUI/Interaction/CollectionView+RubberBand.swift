import CollectionEngine
import CollectionLayout
import DiffableData
import FramePacing
public import Geometry
public import Rendering
import ScrollPhysics
import Views

/// Selecting by drawing a rectangle over the content.
extension CollectionView {
  /// Whether a press beside items that is drawn away selects what it is drawn over, where more than one item can be
  /// selected; false unless told.
  ///
  /// With Control what lies under the rectangle is toggled, with Shift it is added. Near an edge of the view the content
  /// goes on, the faster the nearer, and Escape brings back what was selected before. A frame looks at the items on screen
  /// and a portion of those behind, however many lie under the rectangle; let go before all of them were found, they are
  /// found in the frames after that, unless something else is selected in their place. Ranges go from the item nearest to
  /// where it began then, and the keyboard is at the one nearest to where it was let go.
  public final var allowsRubberBandSelection: Bool {
    get { interaction.allowsRubberBand }
    set {
      interaction.allowsRubberBand = newValue
      if !newValue { cancelRubberBand() }
    }
  }

  /// The colour of the rectangle's line; within it there is a little of it.
  public final var rubberBandColor: Color {
    get { interaction.rubberBandColor }
    set {
      interaction.rubberBandColor = newValue
      interaction.rubberBandView?.color = newValue
    }
  }

  /// The rectangle that is being drawn, in the view's coordinates, as of the last frame; nothing where none is.
  public final var rubberBandFrame: Rect? {
    interaction.rubberBand.map { $0.band.frame.offset(by: Point.zero - contentOrigin) }
  }

  /// Points that a pressed pointer goes until it draws.
  private static var minimumDragDistance: Double { 4 }

  // MARK: Input

  /// A press beside items that went far enough draws a band.
  final func beginRubberBandIfNeeded(to point: Point) -> Bool {
    guard let press = interaction.press, press.item == nil, let effect = press.effect, interaction.allowsRubberBand,
      interaction.mode == .multiple
    else { return false }
    let way = point - press.point
    guard way.x * way.x + way.y * way.y >= CollectionView.minimumDragDistance * CollectionView.minimumDragDistance
    else { return false }
    interaction.press = nil
    interaction.rubberBand = RubberBandDrag(
      band: RubberBand(
        at: press.point + contentOrigin, along: scrollAxis, effect: effect, base: interaction.selection.items),
      start: press.point, pointer: point)
    if effect == .replaces { selectInteractively(.clear) }
    updateHoveredItem()
    updateConfigurationStates()
    setNeedsDisplay()
    return true
  }

  /// A band is being drawn: the pointer is its.
  final func continueRubberBand(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point): interaction.rubberBand?.pointer = convertFromWindow(point)
    case .pointerUp(let point, .primary, _):
      interaction.rubberBand?.pointer = convertFromWindow(point)
      interaction.pointer = convertFromWindow(point)
      advanceRubberBand()
      endRubberBand()
    case .pointerDown(_, .primary, _, _):
      // It was let go where nobody could see it.
      endRubberBand()
      return handlePointer(event, isCatch: false)
    default: break
    }
    interaction.rubberBand?.needsUpdate = true
    setNeedsDisplay()
    return true
  }

  /// What was selected before the band is selected again.
  final func cancelRubberBand() {
    guard let drag = interaction.rubberBand else { return }
    removeRubberBand()
    selectInteractively(drag.band.reversal.gesture)
  }

  /// Nothing is drawn any more; what was selected stays so.
  final func removeRubberBand() {
    guard interaction.rubberBand != nil else { return }
    interaction.rubberBand = nil
    interaction.rubberBandView?.removeFromSuperview()
    interaction.rubberBandView = nil
    stopAutoscrolling()
  }

  /// The band is drawn on no more; what lies under it stays selected.
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

  /// What was being found is selected no more, as something else is in its place.
  final func discardReleasedBands(for gesture: SelectionGesture) {
    if !gesture.keepsOthers, !interaction.releasedBands.isEmpty { interaction.releasedBands = [] }
  }

  // MARK: Frames

  /// Phase 2: the content goes on beneath the band near an edge, and what lies under it is selected.
  final func advanceRubberBand() {
    advanceReleasedRubberBand()
    guard var drag = interaction.rubberBand else { return }
    // Kept once, or what was found would be copied.
    interaction.rubberBand = nil
    drag.needsUpdate = false
    autoscrollRubberBand(drag)
    let inside = Point(
      x: min(bounds.width, max(0, drag.pointer.x)), y: min(bounds.height, max(0, drag.pointer.y)))
    drag.band.moveCorner(to: inside + contentOrigin)
    let step = drag.band.findItems(in: solution, seen: visibleRect)
    interaction.rubberBand = drag
    showRubberBand(drag.band.frame)
    if !step.isEmpty { deferringUpdates { selectInteractively(step.gesture) } }
  }

  /// The first of those that were let go is looked under, a portion a frame.
  private func advanceReleasedRubberBand() {
    guard !interaction.releasedBands.isEmpty else { return }
    var released = interaction.releasedBands.removeFirst()
    let step = released.band.findItems(in: released.layout, seen: visibleRect)
    if !released.band.isComplete { interaction.releasedBands.insert(released, at: 0) }
    if !step.isEmpty { deferringUpdates { selectInteractively(step.gesture) } }
  }

  private func showRubberBand(_ frame: Rect) {
    let view = interaction.rubberBandView ?? RubberBandView(color: interaction.rubberBandColor)
    if interaction.rubberBandView == nil {
      interaction.rubberBandView = view
      addSubview(view)
    }
    // Of a band that is longer than the view only what is near is drawn, its edges outside.
    let near = Rect(x: -8, y: -8, width: bounds.width + 16, height: bounds.height + 16)
    view.frame = frame.offset(by: Point.zero - contentOrigin).intersection(near)
  }

  private func autoscrollRubberBand(_ drag: RubberBandDrag) {
    let edges = EdgeAutoscroll(from: uncoveredStart - contentOffset, to: viewportLength - axisInsets.end)
    let velocity = edges.velocity(at: drag.pointer[scrollAxis], from: drag.start[scrollAxis])
    let hasRoom = velocity < 0 ? contentOffset > scroll.range.minimum : contentOffset < scroll.range.maximum
    guard velocity != 0, hasRoom else { return stopAutoscrolling() }
    if scroll.phase(at: lastInstant) != .animating || scroll.velocity(at: lastInstant) != velocity {
      applyScrollEvent(.steady(velocity: velocity), at: lastInstant)
    }
    interaction.isAutoscrolling = true
  }
}

extension RubberBandEffect {
  /// What keys that are held make of a band.
  static func forModifiers(_ modifiers: KeyModifiers) -> RubberBandEffect {
    modifiers.contains(.control) ? .toggles : modifiers.contains(.shift) ? .adds : .replaces
  }
}
