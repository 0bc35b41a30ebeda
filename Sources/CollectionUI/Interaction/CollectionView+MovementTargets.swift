import CollectionEngine
import CollectionLayout
import DataStructures
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ScrollPhysics
import Views

/// The work of frames during an interactive movement.
extension CollectionView {
  // MARK: - Phases

  /// Phase 2: advances the lift animation and scrolls the content near an edge.
  final func advanceMovement() {
    guard let movement = interaction.movement else { return }
    guard let item = movement.item else { return discardMovement() }
    interaction.movement?.advance(to: lastInstant)
    if interaction.isDragging {
      if isTrackedByScrolling { interaction.movement?.contentDidScroll() }
      autoscrollAtEdges()
    } else if movement.hasEnded(by: lastInstant), updateAnimation.planner == nil,
      !updateAnimation.animator.isMoving(.item(item))
    {
      endMovement()
    }
  }

  private var isTrackedByScrolling: Bool {
    scroll.isTracked(at: lastInstant) || orthogonal.isTracked(at: lastInstant)
  }

  /// Phase 3, after updates were applied: moves the other items out of the way of the dragged one.
  ///
  /// Updates by the delegate are deferred, so that all indices remain valid until then.
  final func updateMovementTarget() { deferringUpdates { moveToBetterPosition() } }

  private func moveToBetterPosition() {
    guard let movement = interaction.movement, movement.needsTargetUpdate, let source = interaction.movementSource,
      source === displayedSource, !source.hasPendingUpdate, let item = movement.item, let frame = draggedFrame
    else { return }
    interaction.movement?.didUpdateTarget()
    let middle = Point(x: frame.midX, y: frame.midY)
    guard !movement.isBestPosition(at: middle) else { return }
    guard let target = betterPosition(for: item, at: middle, from: source.originalPathOfMove) else { return }
    source.showMove(to: target)
    interaction.movement?.recordStep()
    setNeedsDisplay()
  }

  /// Returns the first better position that the delegate allows, or nil if there is none.
  private func betterPosition(for item: Int, at middle: Point, from origin: IndexPath?) -> IndexPath? {
    var finder = solving { DropPositionFinder(of: item, in: solution, at: middle, viewport: visibleRect) }
    while let candidate = solving({ finder.next() }) {
      guard let path = target(of: item, at: candidate, from: origin) else { continue }
      let allowed = ItemPosition(section: path.section, item: path.item)
      if allowed == candidate || solving({ finder.isBetter(allowed) }) { return path }
    }
    interaction.movement?.recordBestPosition(at: middle, within: finder.unaffectedDistance)
    return nil
  }

  /// Returns the target that the delegate allows for an item, or nil if it is the current position.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: The proposed position.
  ///   - origin: The index path before the drag, or nil if the item is not dragged.
  final func target(of item: Int, at position: ItemPosition, from origin: IndexPath?) -> IndexPath? {
    let current = indexPath(at: item)
    var target = IndexPath(item: position.item, section: position.section)
    if let delegate = interaction.delegate {
      // Necessary for moves by keyboard.
      deferringUpdates {
        target = delegate.collectionView(
          self, targetIndexPathForMoveOfItemFromOriginalIndexPath: origin ?? current, atCurrentIndexPath: current,
          toProposedIndexPath: target)
      }
    }
    let counts = solution.itemCounts
    checkPrecondition(
      target.count == 2 && (0..<counts.numberOfSections).contains(target.section) && target.item >= 0
        && target.item <= counts.items(inSection: target.section).count - (target.section == current.section ? 1 : 0),
      "The delegate let an item move to \(Array(target)), which does not exist. Return the index path of an item or the end of a section."
    )
    return target == current ? nil : target
  }

  /// Phase 4: adds the dragged item to the visible items, even if its gap is outside the viewport.
  final func addDraggedItem() {
    guard let item = interaction.movement?.item, item < itemCount else { return }
    guard !scratch.runs.contains(where: { $0.contains(item) }) else { return }
    let position = scratch.runs.firstIndex { $0.lowerBound > item } ?? scratch.runs.endIndex
    scratch.runs.insert(item..<(item + 1), at: position)
  }

  // MARK: - Edges

  private func autoscrollAtEdges() {
    guard let movement = interaction.movement else { return }
    let edges = EdgeAutoscroll(from: uncoveredStart - contentOffset, to: viewportLength - axisInsets.end)
    let velocity = edges.velocity(at: movement.dragLocation[scrollAxis], from: movement.origin[scrollAxis])
    let canScroll = velocity < 0 ? contentOffset > scroll.range.minimum : contentOffset < scroll.range.maximum
    if velocity != 0, canScroll {
      if scroll.phase(at: lastInstant) != .animating || scroll.velocity(at: lastInstant) != velocity {
        applyScrollEvent(.steady(velocity: velocity), at: lastInstant)
      }
      interaction.isAutoscrolling = true
    } else if interaction.isAutoscrolling {
      interaction.isAutoscrolling = false
      applyScrollEvent(.stop, at: lastInstant)
    }
    autoscrollSection(movement)
  }

  /// Scrolls the orthogonal section of the dragged item.
  private func autoscrollSection(_ movement: InteractiveMovement) {
    let section = movement.item.map { indexPath(at: $0).section }
    let strip = section.flatMap { solution.orthogonalSection($0) }
    // It was dragged from one orthogonal section into another.
    if let scrolled = interaction.autoscrolledSection, scrolled.section != strip?.section { endSectionAutoscroll() }
    guard let strip, strip.frame.contains(movement.center + contentOrigin) || interaction.autoscrolledSection != nil
    else {
      return endSectionAutoscroll()
    }
    let start = strip.frame.origin[strip.axis] - contentOrigin[strip.axis]
    let edges = EdgeAutoscroll(from: start, to: start + strip.frame.size[strip.axis])
    let isMirrored = strip.axis == .horizontal && solution.environment.layoutDirection == .rightToLeft
    let velocity =
      edges.velocity(at: movement.dragLocation[strip.axis], from: movement.origin[strip.axis]) * (isMirrored ? -1 : 1)
    let canScroll = velocity < 0 ? strip.offset > 0 : strip.offset < strip.maximumOffset
    guard velocity != 0, canScroll else { return endSectionAutoscroll() }
    let seconds = interaction.autoscrolledSection == nil ? 0 : (lastInstant - interaction.autoscrollTime).seconds
    interaction.autoscrolledSection = (strip.section, velocity)
    interaction.autoscrollTime = lastInstant
    handleScrollEvent(.thumbDrag(to: strip.offset + velocity * max(0, seconds)), across: strip, at: lastInstant)
    applyOrthogonalOffsets(at: lastInstant)
    interaction.movement?.contentDidScroll()
  }

  private func endSectionAutoscroll() {
    guard let scrolled = interaction.autoscrolledSection else { return }
    interaction.autoscrolledSection = nil
    if let strip = solution.orthogonalSection(scrolled.section) {
      handleScrollEvent(.thumbRelease, across: strip, at: lastInstant)
    }
  }

  /// Stops automatic scrolling after the drag ended.
  final func stopAutoscrolling() {
    endSectionAutoscroll()
    guard interaction.isAutoscrolling else { return }
    interaction.isAutoscrolling = false
    applyScrollEvent(.stop, at: lastInstant)
  }
}
