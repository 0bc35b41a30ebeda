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
    guard let item = movement.item else { return dropMovement() }
    interaction.movement?.advance(to: lastInstant)
    if interaction.isCarrying {
      if isTrackedByScrolling { interaction.movement?.contentScrolled() }
      scrollAtEdges()
    } else if movement.hasEnded(by: lastInstant), motion.transaction == nil, !motion.motions.isMoving(.item(item)) {
      endMovement()
    }
  }

  private var isTrackedByScrolling: Bool {
    scroll.isTracked(at: lastInstant) || orthogonal.isTracked(at: lastInstant)
  }

  /// Phase 3, when updates were carried out: the others make way where the item is meant to be.
  ///
  /// What the delegate applies while it is asked is carried out afterwards: until then all numbers stay what they are.
  final func followMovement() { exclusively { stepOn() } }

  private func stepOn() {
    guard let movement = interaction.movement, movement.isDue, let source = interaction.movementSource,
      source === shownSource, !source.hasPendingUpdate, let item = movement.item, let frame = carriedFrame
    else { return }
    interaction.movement?.noteAsked()
    let middle = Point(x: frame.midX, y: frame.midY)
    guard !movement.isBest(at: middle) else { return }
    guard let target = betterPlace(for: item, at: middle, from: source.originOfMove) else { return }
    source.showMove(to: target)
    interaction.movement?.noteStep()
    setNeedsDisplay()
  }

  /// The first better place that the delegate lets an item have; nothing where that is where it stands.
  private func betterPlace(for item: Int, at middle: Point, from origin: IndexPath?) -> IndexPath? {
    var finder = solving { GapFinder(of: item, in: solution, at: middle, viewport: visibleRect) }
    while let meant = solving({ finder.next() }) {
      guard let path = target(of: item, at: meant, from: origin) else { continue }
      let place = ItemPosition(section: path.section, item: path.item)
      if place == meant || solving({ finder.isBetter(place) }) { return path }
    }
    interaction.movement?.noteBest(at: middle, within: finder.reach)
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
      exclusively {
        target = delegate.collectionView(
          self, targetIndexPathForMoveOfItemFromOriginalIndexPath: origin ?? current, atCurrentIndexPath: current,
          toProposedIndexPath: target)
      }
    }
    let counts = solution.itemCounts
    demand(
      target.count == 2 && (0..<counts.numberOfSections).contains(target.section) && target.item >= 0
        && target.item <= counts.items(inSection: target.section).count - (target.section == current.section ? 1 : 0),
      "The delegate let an item move to \(Array(target)), where there is no place. Name one that the item can stand at."
    )
    return target == current ? nil : target
  }

  /// Phase 4: the item that is held is seen, wherever the place that is kept for it is.
  final func addCarriedItem() {
    guard let item = interaction.movement?.item, item < itemCount else { return }
    guard !memory.runs.contains(where: { $0.contains(item) }) else { return }
    let place = memory.runs.firstIndex { $0.lowerBound > item } ?? memory.runs.endIndex
    memory.runs.insert(item..<(item + 1), at: place)
  }

  // MARK: Edges

  private func scrollAtEdges() {
    guard let movement = interaction.movement else { return }
    let edges = EdgeScroll(from: startOfUncovered - contentOffset, to: viewportLength - insetAlong.end)
    let velocity = edges.velocity(at: movement.hand[scrollAxis], from: movement.origin[scrollAxis])
    let hasRoom = velocity < 0 ? contentOffset > scroll.range.minimum : contentOffset < scroll.range.maximum
    if velocity != 0, hasRoom {
      if scroll.phase(at: lastInstant) != .animating || scroll.velocity(at: lastInstant) != velocity {
        act(.steady(velocity: velocity), at: lastInstant)
      }
      interaction.isScrolledAtEdge = true
    } else if interaction.isScrolledAtEdge {
      interaction.isScrolledAtEdge = false
      act(.stop, at: lastInstant)
    }
    scrollStrip(movement)
  }

  /// A section that scrolls across goes on beneath its own item.
  private func scrollStrip(_ movement: ItemMovement) {
    let section = movement.item.map { indexPath(at: $0).section }
    let strip = section.flatMap { solution.orthogonalSection($0) }
    // It was carried from one strip into another.
    if let held = interaction.strip, held.section != strip?.section { letGoOfStrip() }
    guard let strip, strip.frame.contains(movement.middle + contentOrigin) || interaction.strip != nil else {
      return letGoOfStrip()
    }
    let start = strip.frame.origin[strip.axis] - contentOrigin[strip.axis]
    let edges = EdgeScroll(from: start, to: start + strip.frame.size[strip.axis])
    let isMirrored = strip.axis == .horizontal && solution.environment.layoutDirection == .rightToLeft
    let velocity =
      edges.velocity(at: movement.hand[strip.axis], from: movement.origin[strip.axis]) * (isMirrored ? -1 : 1)
    let hasRoom = velocity < 0 ? strip.offset > 0 : strip.offset < strip.maximumOffset
    guard velocity != 0, hasRoom else { return letGoOfStrip() }
    let seconds = interaction.strip == nil ? 0 : (lastInstant - interaction.stripInstant).seconds
    interaction.strip = (strip.section, velocity)
    interaction.stripInstant = lastInstant
    act(.thumbDrag(to: strip.offset + velocity * max(0, seconds)), across: strip, at: lastInstant)
    takeOrthogonalOffsets(at: lastInstant)
    interaction.movement?.contentScrolled()
  }

  private func letGoOfStrip() {
    guard let held = interaction.strip else { return }
    interaction.strip = nil
    if let strip = solution.orthogonalSection(held.section) { act(.thumbRelease, across: strip, at: lastInstant) }
  }

  /// The item is let go: nothing goes on beneath it.
  final func stopScrollingAtEdges() {
    letGoOfStrip()
    guard interaction.isScrolledAtEdge else { return }
    interaction.isScrolledAtEdge = false
    act(.stop, at: lastInstant)
  }
}
