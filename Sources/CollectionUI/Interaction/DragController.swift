import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
package import VitrineCollectionLayout
import VitrineDataStructures
import VitrineDiffableData
package import VitrineFramePacing
package import VitrineGeometry
package import VitrineRendering
package import VitrineScrollPhysics
import VitrineViews

/// What ``DragController`` needs from the collection view, in addition to what every interaction needs.
package protocol DragHost: InteractionHost {
  /// The data source of the displayed items, or nil while the items of a replaced data source are displayed.
  var reorderingSource: (any ReorderingSource)? { get }
  /// Whether the content or an orthogonal section is scrolled by an input or decelerates.
  var isContentScrolling: Bool { get }
  /// Whether the coming frame begins an update animation.
  var isUpdateAnimationPlanned: Bool { get }
  /// Returns whether an item is animated to its final frame.
  func isAnimatingItem(_ index: Int) -> Bool
  /// Returns the frame in which an item is displayed, in the view's coordinates.
  func displayedFrame(ofItem index: Int) -> Rect
  /// Begins an update animation in which an item moves from a frame to its place.
  func beginSettling(_ index: Int, from frame: Rect)
  /// Displays an item among the others again, because its movement ended.
  func movementDidEnd()
  /// Calls a closure that computes a layout, from which client code must not query the view.
  func solving<Result>(_ body: () -> Result) -> Result
  /// Passes a scroll event to an orthogonal section, and displays its new offset.
  func scrollSection(_ section: OrthogonalSection, by event: ScrollEvent)
}

/// The owner of interactive movement: the item that the user or the program drags to another position.
///
/// While an item is dragged, the other items move out of its way: each frame looks for the position whose frame is
/// nearest to the dragged one (``DropPositionFinder``) and asks the data source to display the item there. That order is
/// provisional until the drag ends; the data source then commits it in one transaction. The item settles in its final
/// frame, and the movement ends when it has.
///
/// Invariants:
/// - At most one item moves. It is drawn in front of the others, at the pointer while it is dragged.
/// - The target is determined only after the pointer moved, the content scrolled or the items changed, so that a resting
///   drag needs no frames. Every step leads to a nearer position, so that there are finitely many.
/// - The data source that began a movement also ends or cancels it, even if another one replaced it.
/// - A drag whose item is deleted ends without animation.
package final class DragController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any DragHost)!
  private let selection: SelectionController
  private let edgeScrolling: EdgeScrollController

  // Unchecked: nothing that changes it calls client code, so that it cannot be read while it is being modified.
  @exclusivity(unchecked) private var movement: InteractiveMovement?
  private weak var source: (any ReorderingSource)?
  private var isByPointer = false
  /// The orthogonal section that scrolls beneath the dragged item, with its velocity in points per second.
  private var scrolledSection: (section: Int, velocity: Double)?
  private var sectionScrollTime = FrameInstant.zero

  /// The maximum number of positions proposed to the delegate if it refuses the previous ones.
  private static let maximumPositions = 200

  /// Creates a controller without a movement.
  ///
  /// - Parameters:
  ///   - selection: The owner of the focused item, which the keyboard moves.
  ///   - edgeScrolling: The owner of scrolling near edges.
  package init(selection: SelectionController, edgeScrolling: EdgeScrollController) {
    self.selection = selection
    self.edgeScrolling = edgeScrolling
  }

  // MARK: - State

  /// Whether an item is dragged or settles.
  package var isActive: Bool { movement != nil }

  /// Whether an item is dragged.
  package var isDragging: Bool { movement?.isDragging ?? false }

  /// Whether the pointer drags an item, rather than the program.
  package var isDraggingByPointer: Bool { isDragging && isByPointer }

  /// The dragged item, or nil if none is.
  package var draggedItem: Int? { isDragging ? movement?.item : nil }

  /// The item that is dragged or settles, or nil if none does.
  package var movingItem: Int? { movement?.item }

  /// The frame of the dragged item, in the content's coordinates, or nil if no item is dragged.
  package var draggedFrame: Rect? {
    guard let movement, movement.isDragging, let item = host.existing(movement.item) else { return nil }
    return movement.frame(of: host.solution.frame(ofItem: item).size).offset(by: host.contentOrigin)
  }

  /// The progress of lifting the moving item, from 0 to 1.
  package var liftProgress: Double { movement?.liftProgress(at: host.lastInstant) ?? 0 }

  /// Whether the movement needs a frame after an instant.
  package func needsFrames(at instant: FrameInstant) -> Bool {
    guard let movement else { return false }
    return movement.needsTargetUpdate || !movement.isDragging || movement.isLifting(at: instant)
      || scrolledSection != nil
  }

  // MARK: - Beginning and ending

  /// Begins dragging an item.
  ///
  /// - Parameters:
  ///   - index: The item, which must be displayed.
  ///   - point: The position of the pointer, in the view's coordinates, or nil for the center of the item.
  ///   - isByPointer: Whether the pointer drags the item, rather than the program.
  /// - Returns: Whether the drag began.
  package func begin(_ index: Int, from point: Point?, byPointer isByPointer: Bool) -> Bool {
    var hasBegun = false
    // Updates by handlers are deferred, so that the item keeps its index until then.
    host.deferringUpdates { hasBegun = start(index, from: point, byPointer: isByPointer) }
    return hasBegun
  }

  private func start(_ index: Int, from point: Point?, byPointer isByPointer: Bool) -> Bool {
    guard !isDragging, let source = host.reorderingSource, source.canMoveItem(at: index) else { return false }
    // Its displayed frame, because it may still be animated from the last drag.
    let shown = host.displayedFrame(ofItem: index)
    let center = Point(x: shown.midX, y: shown.midY)
    movement = InteractiveMovement(of: index, at: point ?? center, center: center)
    self.source = source
    self.isByPointer = isByPointer
    source.beginMove(of: index)
    host.updateConfigurationStates()
    host.setNeedsDisplay()
    return true
  }

  /// Moves the dragged item to a point of the view.
  package func move(to point: Point) {
    guard isDragging else { return }
    movement?.updateDragLocation(point)
    host.setNeedsDisplay()
  }

  /// Ends the drag, leaving the item at its target.
  package func end() {
    guard isDragging else { return }
    updateTarget()
    let source = source
    finish { source?.endMove() }
  }

  /// Cancels the drag, returning the item to its original position.
  package func cancel() {
    guard isDragging else { return }
    let source = source
    finish { source?.cancelMove() }
  }

  private func finish(_ body: () -> Void) {
    guard let item = movement?.item, let shown = draggedFrame else { return discard() }
    host.deferringUpdates {
      stopScrolling()
      host.beginSettling(item, from: shown)
      movement?.endDrag()
      body()
      if !host.isUpdateAnimationPlanned { endMovement() }
    }
  }

  /// Ends the movement without animation, because the items are replaced or no more frames are displayed.
  package func discard() {
    guard movement != nil else { return }
    let source = isDragging ? source : nil
    stopScrolling()
    source?.cancelMove()
    endMovement()
  }

  private func endMovement() {
    movement = nil
    source = nil
    host.movementDidEnd()
  }

  // MARK: - Frames

  /// Phase 2: advances the lift animation, and scrolls the content near an edge.
  package func advance() {
    guard let movement else { return }
    guard let item = movement.item else { return discard() }
    let now = host.lastInstant
    self.movement?.advance(to: now)
    if movement.isDragging {
      if host.isContentScrolling { self.movement?.contentDidScroll() }
      edgeScrolling.scroll(near: movement.dragLocation, from: movement.origin)
      scrollSection(movement)
    } else if movement.hasEnded(by: now), !host.isUpdateAnimationPlanned, !host.isAnimatingItem(item) {
      endMovement()
    }
  }

  /// Phase 3, after updates were applied: moves the other items out of the way of the dragged one.
  ///
  /// Updates by the delegate are deferred, so that all indices remain valid until then.
  package func updateTarget() {
    if movement != nil { host.deferringUpdates { moveToBetterPosition() } }
  }

  private func moveToBetterPosition() {
    guard let movement, movement.needsTargetUpdate, let source, source === host.reorderingSource,
      !source.hasPendingUpdate, let item = movement.item, let frame = draggedFrame
    else { return }
    self.movement?.didUpdateTarget()
    let center = Point(x: frame.midX, y: frame.midY)
    guard !movement.isBestPosition(at: center) else { return }
    guard let target = betterPosition(for: item, at: center, from: source.originalPathOfMove) else { return }
    source.showMove(to: target)
    self.movement?.recordStep()
    host.setNeedsDisplay()
  }

  /// Returns the first better position that the delegate allows, or nil if there is none.
  private func betterPosition(for item: Int, at center: Point, from origin: IndexPath?) -> IndexPath? {
    let (layout, viewport) = (host.solution, host.visibleRect)
    var finder = host.solving { DropPositionFinder(of: item, in: layout, at: center, viewport: viewport) }
    while let candidate = host.solving({ finder.next() }) {
      guard let path = target(of: item, at: candidate, from: origin) else { continue }
      let allowed = ItemPosition(section: path.section, item: path.item)
      if allowed == candidate || host.solving({ finder.isBetter(allowed) }) { return path }
    }
    movement?.recordBestPosition(at: center, within: finder.unaffectedDistance)
    return nil
  }

  /// Returns the target that the delegate allows for an item, or nil if it is the current position.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: The proposed position.
  ///   - origin: The index path before the drag, or nil if the item is not dragged.
  private func target(of item: Int, at position: ItemPosition, from origin: IndexPath?) -> IndexPath? {
    let current = host.indexPath(at: item)
    var target = IndexPath(item: position.item, section: position.section)
    if let delegate = host.interactionDelegate {
      // Necessary for moves by keyboard.
      host.deferringUpdates {
        target = delegate.targetOfMove(from: origin ?? current, at: current, proposed: target)
      }
    }
    let counts = host.solution.itemCounts
    checkPrecondition(
      target.count == 2 && (0..<counts.numberOfSections).contains(target.section) && target.item >= 0
        && target.item <= counts.items(inSection: target.section).count - (target.section == current.section ? 1 : 0),
      "The delegate let an item move to \(Array(target)), which does not exist. Return the index path of an item or the end of a section."
    )
    return target == current ? nil : target
  }

  // MARK: - Scrolling

  /// Scrolls the orthogonal section of the dragged item, if the item is near its edge.
  private func scrollSection(_ movement: InteractiveMovement) {
    let strip = host.existing(movement.item).flatMap { host.solution.orthogonalSection(host.indexPath(at: $0).section) }
    // It was dragged from one orthogonal section into another.
    if let scrolledSection, scrolledSection.section != strip?.section { stopSection() }
    guard let strip, strip.frame.contains(movement.center + host.contentOrigin) || scrolledSection != nil else {
      return stopSection()
    }
    let start = strip.frame.origin[strip.axis] - host.contentOrigin[strip.axis]
    let edges = EdgeAutoscroll(from: start, to: start + strip.frame.size[strip.axis])
    let sign: Double = strip.axis == .horizontal && host.isRightToLeft ? -1 : 1
    let velocity = edges.velocity(at: movement.dragLocation[strip.axis], from: movement.origin[strip.axis]) * sign
    let canScroll = velocity < 0 ? strip.offset > 0 : strip.offset < strip.maximumOffset
    guard velocity != 0, canScroll else { return stopSection() }
    let seconds = scrolledSection == nil ? 0 : (host.lastInstant - sectionScrollTime).seconds
    scrolledSection = (strip.section, velocity)
    sectionScrollTime = host.lastInstant
    host.scrollSection(strip, by: .thumbDrag(to: strip.offset + velocity * max(0, seconds)))
    self.movement?.contentDidScroll()
  }

  private func stopSection() {
    guard let scrolled = scrolledSection else { return }
    scrolledSection = nil
    if let strip = host.solution.orthogonalSection(scrolled.section) { host.scrollSection(strip, by: .thumbRelease) }
  }

  private func stopScrolling() {
    stopSection()
    edgeScrolling.stop()
  }

  // MARK: - Keyboard

  /// Moves the focused item by one position, and keeps it visible.
  ///
  /// - Parameter key: An arrow key.
  /// - Returns: Whether the key is handled, whether or not there was another position.
  package func moveFocusedItem(by key: Key) -> Bool {
    guard let move = move(of: key), let item = selection.focusedItem, let source = host.reorderingSource,
      source.canMoveItem(at: item)
    else { return false }
    guard !isDragging, !source.hasPendingUpdate else { return true }
    selection.setShowsFocus(true)
    let isForward = move == .down || move == .next
    let current = host.indexPath(at: item)
    for position in candidatePositions(from: item, move, isForward: isForward) {
      guard let target = target(of: item, at: position, from: nil), isForward ? target > current : target < current,
        source.moveItem(at: item, to: target)
      else { continue }
      // With the indices after the update, which may be deferred until running client code returns.
      host.performWhenReady { self.revealFocusedItem() }
      return true
    }
    return true
  }

  private func move(of key: Key) -> FocusHeading? {
    let isVertical = host.scrollAxis == .vertical
    switch key {
    case .up: return isVertical ? .up : .previous
    case .down: return isVertical ? .down : .next
    case .left: return isVertical ? (host.isRightToLeft ? .next : .previous) : .up
    case .right: return isVertical ? (host.isRightToLeft ? .previous : .next) : .down
    default: return nil
    }
  }

  /// Returns the positions in the direction of a key, the nearest first: those of items, and the ends of sections in
  /// between.
  private func candidatePositions(from item: Int, _ move: FocusHeading, isForward: Bool) -> [ItemPosition] {
    let layout = host.solution
    let counts = layout.itemCounts
    guard let source = counts.position(of: item) else { return [] }
    var positions: [ItemPosition] = []
    var (last, section) = (item, source.section)
    while positions.count < DragController.maximumPositions {
      let next = layout.item(from: last, move).flatMap { counts.position(of: $0) }
      let end = next?.section ?? (isForward ? counts.numberOfSections - 1 : 0)
      // The near end of each section that is passed or entered, including empty sections.
      while section != end {
        section += isForward ? 1 : -1
        positions.append(
          ItemPosition(section: section, item: isForward ? 0 : counts.items(inSection: section).count))
      }
      guard let next, let index = counts.index(section: next.section, item: next.item) else { break }
      if next.section == source.section {
        positions.append(ItemPosition(section: next.section, item: next.item))
      } else {
        positions.append(ItemPosition(section: next.section, item: isForward ? next.item + 1 : next.item))
      }
      last = index
    }
    return positions
  }

  private func revealFocusedItem() {
    guard let item = selection.focusedItem else { return }
    // When two items are exchanged, either may count as the moved one. This item must be in front.
    if host.isUpdateAnimationPlanned { movement = InteractiveMovement(settling: item) }
    host.updateConfigurationStates()
    host.revealItem(item, margin: 0, animated: true)
  }

  // MARK: - Updates

  /// Updates the moving item after an update of the items.
  package func apply(_ map: IndexMap) {
    movement?.apply(map)
    scrolledSection = scrolledSection.flatMap { strip in
      map.newIndex(ofSection: strip.section).map { ($0, strip.velocity) }
    }
    movement?.contentDidChange()
  }

  /// Requires the target to be determined again, because frames changed.
  package func contentDidChange() { movement?.contentDidChange() }

  /// Requires the target to be determined again, with all its steps, because the content scrolled or the client changed
  /// the items.
  package func contentDidScroll() { movement?.contentDidScroll() }

  /// Requires the target to be determined again, because the content's offset changed.
  package func contentDidShift() { movement?.contentDidShift() }
}
