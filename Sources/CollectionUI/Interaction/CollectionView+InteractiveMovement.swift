import CollectionEngine
import CollectionLayout
import DiffableData
public import struct FoundationEssentials.IndexPath
public import Geometry
import Rendering
import ScrollPhysics
import Views

/// Interactive movement: items that the user or the program drags to other positions.
///
/// If a data source's `reorderingHandlers` allow moving an item, a press that moves four points begins dragging it; no
/// gesture recognizer has to be installed. A program can begin and control a movement with the four methods below, as
/// in UIKit. While an item is dragged, the other items move out of its way. Their order is provisional:
/// ``DiffableDataSource/snapshot()`` is unchanged until the movement ends, and then changes in one transaction.
extension CollectionView {
  /// The current index path of the dragged item, or nil if no item is dragged.
  ///
  /// - Complexity: O(log sections).
  public final var indexPathOfInteractiveMovement: IndexPath? {
    interaction.draggedItem.map(indexPath(at:))
  }

  /// Initiates the interactive movement of the item at an index path, at its center.
  ///
  /// The item is displayed in front of the others, and its cell's ``CellConfigurationState/isReordering`` becomes true.
  /// Its descendants in its section's tree are hidden during the movement.
  ///
  /// - Parameter path: The index path of the item.
  /// - Returns: Whether the movement began. It does not if the item may not be moved, does not exist or is not visible,
  ///   or while another item is dragged. Items of a ``CollectionViewDataSource`` cannot be dragged, because they have
  ///   no identifiers.
  public final func beginInteractiveMovementForItem(at path: IndexPath) -> Bool {
    guard let index = flatIndex(at: path), displayed[index] != nil else { return false }
    let shown = displayedFrame(ofItem: index)
    return beginDrag(index, from: Point(x: shown.midX, y: shown.midY), byPointer: false)
  }

  /// Updates the position of the dragged item.
  ///
  /// Has no effect if no item is dragged.
  ///
  /// In the coming frame the other items move out of its way. Near an edge of the view the content scrolls, the faster
  /// the nearer.
  ///
  /// - Parameter point: The new center of the item, in the view's coordinates. Use `convertFromWindow(_:)` to convert a
  ///   point of the window.
  public final func updateInteractiveMovementTargetPosition(_ point: Point) {
    guard interaction.isDragging else { return }
    interaction.movement?.updateDragLocation(point)
    setNeedsDisplay()
  }

  /// Ends the interactive movement, moving the item to its current target.
  ///
  /// Has no effect if no item is dragged. The data source commits the new order and calls its handlers once. The item
  /// is animated to its final frame.
  public final func endInteractiveMovement() {
    guard interaction.isDragging else { return }
    updateMovementTarget()
    let source = interaction.movementSource
    finishDrag { source?.endMove() }
  }

  /// Cancels the interactive movement, returning the item to its original position.
  ///
  /// Has no effect if no item is dragged. No handler is called, because nothing changed.
  public final func cancelInteractiveMovement() {
    guard interaction.isDragging else { return }
    let source = interaction.movementSource
    finishDrag { source?.cancelMove() }
  }

  // MARK: - Beginning and ending a drag

  /// Begins dragging an item.
  ///
  /// - Parameters:
  ///   - index: The item, which must be displayed.
  ///   - point: The position of the pointer, in the view's coordinates.
  ///   - isByPointer: Whether the pointer drags the item, rather than the program.
  /// - Returns: Whether the drag began.
  final func beginDrag(_ index: Int, from point: Point, byPointer isByPointer: Bool) -> Bool {
    var hasBegun = false
    // Updates by handlers are deferred, so that the item keeps its index until then.
    deferringUpdates { hasBegun = startDrag(index, from: point, byPointer: isByPointer) }
    return hasBegun
  }

  private func startDrag(_ index: Int, from point: Point, byPointer isByPointer: Bool) -> Bool {
    guard !interaction.isDragging, let source = displayedSource, source.canMoveItem(at: index) else { return false }
    // Its displayed frame, because it may still be animated from the last drag.
    let shown = displayedFrame(ofItem: index)
    interaction.movement = InteractiveMovement(of: index, at: point, center: Point(x: shown.midX, y: shown.midY))
    interaction.movementSource = source
    interaction.isDraggedByPointer = isByPointer
    source.beginMove(of: index)
    updateConfigurationStates()
    setNeedsDisplay()
    return true
  }

  private func finishDrag(_ body: () -> Void) {
    guard let item = interaction.movement?.item, let shown = draggedFrame else { return discardMovement() }
    deferringUpdates {
      stopAutoscrolling()
      beginUpdateAnimation()
      // From its displayed frame, not from the gap that was left for it.
      updateAnimation.animator.removeAnimation(of: .item(item))
      updateAnimation.planner?.setInitialFrame(of: .item(item), to: shown)
      updateAnimation.planner?.recordMove(of: .item(item))
      interaction.movement?.endDrag()
      // From now on only the layout's visible items are displayed, and the item may not be one of them.
      needsVisibleUpdate = true
      body()
      if updateAnimation.planner == nil { endMovement() }
    }
  }

  /// Ends the drag without animation, because the items are replaced or no more frames are displayed.
  final func discardMovement() {
    guard interaction.movement != nil else { return }
    let source = interaction.isDragging ? interaction.movementSource : nil
    stopAutoscrolling()
    source?.cancelMove()
    endMovement()
  }

  /// Ends the movement after the item settled.
  final func endMovement() {
    interaction.movement = nil
    interaction.movementSource = nil
    needsVisibleUpdate = true
    // The arrangement displays the item in front of the others.
    if !updateAnimation.isRunning { arrangement = [] }
    updateConfigurationStates()
    setNeedsDisplay()
  }

  /// Returns the displayed frame of an item, in the view's coordinates.
  final func displayedFrame(ofItem index: Int) -> Rect {
    let displacement = updateAnimation.animator.displacement(of: .item(index), at: lastInstant)
    return displacement.applied(to: solution.frame(ofItem: index)).offset(by: .zero - contentOrigin)
  }

  /// The displayed frame of the dragged item, in the content's coordinates, or nil if no item is dragged.
  final var draggedFrame: Rect? {
    guard interaction.isDragging, let movement = interaction.movement, let item = movement.item, item < itemCount else {
      return nil
    }
    return movement.frame(of: solution.frame(ofItem: item).size).offset(by: contentOrigin)
  }

  // MARK: - Movement by keyboard

  /// The maximum number of positions proposed to the delegate if it refuses the previous ones.
  private static var maximumPositions: Int { 200 }

  /// Moves the focused item by one position and keeps it visible.
  ///
  /// - Returns: Whether the key is handled, whether or not there was another position.
  final func moveItemByKey(_ key: Key) -> Bool {
    guard let move = focusMove(of: key), let item = interaction.selection.lead, item < itemCount,
      let source = displayedSource, source.canMoveItem(at: item)
    else { return false }
    guard !interaction.isDragging, !source.hasPendingUpdate else { return true }
    interaction.showsFocus = true
    let isForward = move == .down || move == .next
    let current = indexPath(at: item)
    for position in candidatePositions(from: item, move, isForward: isForward) {
      guard let target = target(of: item, at: position, from: nil), isForward ? target > current : target < current,
        source.moveItem(at: item, to: target)
      else { continue }
      // With the indices after the update, which may be deferred until running client code returns.
      performWhenReady { self.revealFocusedItem() }
      return true
    }
    return true
  }

  private func focusMove(of key: Key) -> FocusMove? {
    let isMirrored = solution.environment.layoutDirection == .rightToLeft
    switch key {
    case .up: return scrollAxis == .vertical ? .up : .previous
    case .down: return scrollAxis == .vertical ? .down : .next
    case .left: return scrollAxis == .vertical ? (isMirrored ? .next : .previous) : .up
    case .right: return scrollAxis == .vertical ? (isMirrored ? .previous : .next) : .down
    default: return nil
    }
  }

  /// Returns the positions in the direction of a key, the nearest first: those of items, and the ends of sections in
  /// between.
  private func candidatePositions(from item: Int, _ move: FocusMove, isForward: Bool) -> [ItemPosition] {
    let counts = solution.itemCounts
    guard let source = counts.position(of: item) else { return [] }
    var positions: [ItemPosition] = []
    var (last, section) = (item, source.section)
    while positions.count < CollectionView.maximumPositions {
      let next = solution.item(from: last, move).flatMap { counts.position(of: $0) }
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

  /// Scrolls the focused item into view.
  private func revealFocusedItem() {
    guard let lead = interaction.selection.lead, lead < itemCount else { return }
    // When two items are exchanged, either may count as the moved one. This item must be in front.
    if updateAnimation.planner != nil { interaction.movement = InteractiveMovement(settling: lead) }
    updateConfigurationStates()
    scrollToItem(at: indexPath(at: lead), at: [.nearestVerticalEdge, .nearestHorizontalEdge], animated: true)
  }
}
