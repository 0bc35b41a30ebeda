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
    get { interaction.bandColor }
    set {
      interaction.bandColor = newValue
      interaction.bandView?.color = newValue
    }
  }

  /// The rectangle that is being drawn, in the view's coordinates, as of the last frame; nothing where none is.
  public final var rubberBandFrame: Rect? {
    interaction.band.map { $0.band.frame.offset(by: Point.zero - contentOrigin) }
  }

  /// Points that a pressed pointer goes until it draws.
  private static var leastWay: Double { 4 }

  // MARK: Input

  /// A press beside items that went far enough draws a band.
  final func drawBand(to point: Point) -> Bool {
    guard let press = interaction.press, press.item == nil, let effect = press.band, interaction.allowsRubberBand,
      interaction.mode == .multiple
    else { return false }
    let way = point - press.point
    guard way.x * way.x + way.y * way.y >= CollectionView.leastWay * CollectionView.leastWay else { return false }
    interaction.press = nil
    interaction.band = RubberBandDrag(
      band: RubberBand(
        at: press.point + contentOrigin, along: scrollAxis, effect: effect, base: interaction.selection.items),
      start: press.point, pointer: point)
    if effect == .replaces { selectByHand(.clear) }
    findHovered()
    showStates()
    setNeedsDisplay()
    return true
  }

  /// A band is being drawn: the pointer is its.
  final func drawOn(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point): interaction.band?.pointer = convertFromWindow(point)
    case .pointerUp(let point, .primary, _):
      interaction.band?.pointer = convertFromWindow(point)
      interaction.pointer = convertFromWindow(point)
      advanceBand()
      letGoOfBand()
    case .pointerDown(_, .primary, _, _):
      // It was let go where nobody could see it.
      letGoOfBand()
      return point(event, isCatch: false)
    default: break
    }
    interaction.band?.isDue = true
    setNeedsDisplay()
    return true
  }

  /// What was selected before the band is selected again.
  final func cancelRubberBand() {
    guard let drag = interaction.band else { return }
    dropBand()
    selectByHand(drag.band.reversal.gesture)
  }

  /// Nothing is drawn any more; what was selected stays so.
  final func dropBand() {
    guard interaction.band != nil else { return }
    interaction.band = nil
    interaction.bandView?.removeFromSuperview()
    interaction.bandView = nil
    stopScrollingAtEdges()
  }

  /// The band is drawn on no more; what lies under it stays selected.
  final func letGoOfBand() {
    guard var band = interaction.band?.band else { return }
    dropBand()
    if let ends = band.ends(in: solution, within: viewportLength) {
      interaction.selection.moveAnchor(to: ends.origin)
      interaction.selection.setLead(ends.corner)
    }
    guard !band.isComplete else { return }
    band.release()
    interaction.releasedBands.append(ReleasedBand(band: band, layout: solution))
  }

  /// What was being found is selected no more, as something else is in its place.
  final func dropReleasedBands(for gesture: SelectionGesture) {
    if !gesture.keepsOthers, !interaction.releasedBands.isEmpty { interaction.releasedBands = [] }
  }

  // MARK: Frames

  /// Phase 2: the content goes on beneath the band near an edge, and what lies under it is selected.
  final func advanceBand() {
    advanceReleasedBand()
    guard var drag = interaction.band else { return }
    // Kept once, or what was found would be copied.
    interaction.band = nil
    drag.isDue = false
    scrollBeneath(drag)
    let inside = Point(
      x: min(bounds.width, max(0, drag.pointer.x)), y: min(bounds.height, max(0, drag.pointer.y)))
    drag.band.move(to: inside + contentOrigin)
    let step = drag.band.find(in: solution, seen: visibleRect)
    interaction.band = drag
    showBand(drag.band.frame)
    if !step.isEmpty { exclusively { selectByHand(step.gesture) } }
  }

  /// The first of those that were let go is looked under, a portion a frame.
  private func advanceReleasedBand() {
    guard !interaction.releasedBands.isEmpty else { return }
    var released = interaction.releasedBands.removeFirst()
    let step = released.band.find(in: released.layout, seen: visibleRect)
    if !released.band.isComplete { interaction.releasedBands.insert(released, at: 0) }
    if !step.isEmpty { exclusively { selectByHand(step.gesture) } }
  }

  private func showBand(_ frame: Rect) {
    let view = interaction.bandView ?? RubberBandView(color: interaction.bandColor)
    if interaction.bandView == nil {
      interaction.bandView = view
      addSubview(view)
    }
    // Of a band that is longer than the view only what is near is drawn, its edges outside.
    let near = Rect(x: -8, y: -8, width: bounds.width + 16, height: bounds.height + 16)
    view.frame = frame.offset(by: Point.zero - contentOrigin).intersection(near)
  }

  private func scrollBeneath(_ drag: RubberBandDrag) {
    let edges = EdgeScroll(from: startOfUncovered - contentOffset, to: viewportLength - insetAlong.end)
    let velocity = edges.velocity(at: drag.pointer[scrollAxis], from: drag.start[scrollAxis])
    let hasRoom = velocity < 0 ? contentOffset > scroll.range.minimum : contentOffset < scroll.range.maximum
    guard velocity != 0, hasRoom else { return stopScrollingAtEdges() }
    if scroll.phase(at: lastInstant) != .animating || scroll.velocity(at: lastInstant) != velocity {
      act(.steady(velocity: velocity), at: lastInstant)
    }
    interaction.isScrolledAtEdge = true
  }
}

extension RubberBandEffect {
  /// What keys that are held make of a band.
  static func of(_ modifiers: KeyModifiers) -> RubberBandEffect {
    modifiers.contains(.control) ? .toggles : modifiers.contains(.shift) ? .adds : .replaces
  }
}
