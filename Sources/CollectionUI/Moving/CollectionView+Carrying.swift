import CollectionEngine
import CollectionLayout
import DataStructures
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ScrollPhysics
import Views

/// What frames make of an item that is carried.
extension CollectionView {
  // MARK: Phases

  /// Phase 2: it rises or goes down, and content goes on beneath it.
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

  /// Phase 3, when updates were carried out: the others make way where the item is meant to be.
  ///
  /// What the delegate applies while it is asked is carried out afterwards: until then all numbers stay what they are.
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

  /// The first better place that the delegate lets an item have; nothing where that is where it stands.
  private func betterPosition(for item: Int, at middle: Point, from origin: IndexPath?) -> IndexPath? {
    var finder = solving { DropPositionFinder(of: item, in: solution, at: middle, viewport: visibleRect) }
    while let meant = solving({ finder.next() }) {
      guard let path = target(of: item, at: meant, from: origin) else { continue }
      let place = ItemPosition(section: path.section, item: path.item)
      if place == meant || solving({ finder.isBetter(place) }) { return path }
    }
    interaction.movement?.recordBestPosition(at: middle, within: finder.unaffectedDistance)
    return nil
  }

  /// Where the delegate lets an item go; nothing where that is where it stands.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - place: where it is meant to be.
  ///   - origin: where it was taken from; nothing where it is not carried.
  final func target(of item: Int, at place: ItemPosition, from origin: IndexPath?) -> IndexPath? {
    let current = indexPath(at: item)
    var target = IndexPath(item: place.item, section: place.section)
    if let delegate = interaction.delegate {
      // Also where a key asks.
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
      "The delegate let an item move to \(Array(target)), where there is no place. Name one that the item can stand at."
    )
    return target == current ? nil : target
  }

  /// Phase 4: the item that is held is seen, wherever the place that is kept for it is.
  final func addDraggedItem() {
    guard let item = interaction.movement?.item, item < itemCount else { return }
    guard !scratch.runs.contains(where: { $0.contains(item) }) else { return }
    let place = scratch.runs.firstIndex { $0.lowerBound > item } ?? scratch.runs.endIndex
    scratch.runs.insert(item..<(item + 1), at: place)
  }

  // MARK: Edges

  private func autoscrollAtEdges() {
    guard let movement = interaction.movement else { return }
    let edges = EdgeAutoscroll(from: uncoveredStart - contentOffset, to: viewportLength - axisInsets.end)
    let velocity = edges.velocity(at: movement.dragLocation[scrollAxis], from: movement.origin[scrollAxis])
    let hasRoom = velocity < 0 ? contentOffset > scroll.range.minimum : contentOffset < scroll.range.maximum
    if velocity != 0, hasRoom {
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

  /// A section that scrolls across goes on beneath its own item.
  private func autoscrollSection(_ movement: InteractiveMovement) {
    let section = movement.item.map { indexPath(at: $0).section }
    let strip = section.flatMap { solution.orthogonalSection($0) }
    // It was carried from one strip into another.
    if let held = interaction.autoscrolledSection, held.section != strip?.section { endSectionAutoscroll() }
    guard let strip, strip.frame.contains(movement.center + contentOrigin) || interaction.autoscrolledSection != nil
    else {
      return endSectionAutoscroll()
    }
    let start = strip.frame.origin[strip.axis] - contentOrigin[strip.axis]
    let edges = EdgeAutoscroll(from: start, to: start + strip.frame.size[strip.axis])
    let isMirrored = strip.axis == .horizontal && solution.environment.layoutDirection == .rightToLeft
    let velocity =
      edges.velocity(at: movement.dragLocation[strip.axis], from: movement.origin[strip.axis]) * (isMirrored ? -1 : 1)
    let hasRoom = velocity < 0 ? strip.offset > 0 : strip.offset < strip.maximumOffset
    guard velocity != 0, hasRoom else { return endSectionAutoscroll() }
    let seconds = interaction.autoscrolledSection == nil ? 0 : (lastInstant - interaction.autoscrollTime).seconds
    interaction.autoscrolledSection = (strip.section, velocity)
    interaction.autoscrollTime = lastInstant
    handleScrollEvent(.thumbDrag(to: strip.offset + velocity * max(0, seconds)), across: strip, at: lastInstant)
    applyOrthogonalOffsets(at: lastInstant)
    interaction.movement?.contentDidScroll()
  }

  private func endSectionAutoscroll() {
    guard let held = interaction.autoscrolledSection else { return }
    interaction.autoscrolledSection = nil
    if let strip = solution.orthogonalSection(held.section) {
      handleScrollEvent(.thumbRelease, across: strip, at: lastInstant)
    }
  }

  /// The item is let go: nothing goes on beneath it.
  final func stopAutoscrolling() {
    endSectionAutoscroll()
    guard interaction.isAutoscrolling else { return }
    interaction.isAutoscrolling = false
    applyScrollEvent(.stop, at: lastInstant)
  }
}
