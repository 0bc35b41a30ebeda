import CollectionEngine
import CollectionLayout
public import struct FoundationEssentials.IndexPath
public import Geometry
import Views

/// Items that are carried over the others and put elsewhere, by a hand or by the program.
///
/// Where a data source's `reorderingHandlers` say of an item that it may be put elsewhere, a press that is drawn four points
/// away takes it: nothing has to be installed. A recognizer of the program's own uses the four functions below, as with
/// UIKit. While an item is carried the others make way, and the order on screen is none that was applied:
/// ``DiffableDataSource/snapshot()`` stays as it is until the item is put down, and changes then in one transaction.
extension CollectionView {
  /// The path of the item that is carried, where it would be put now; nothing where none is.
  ///
  /// - Complexity: O(log sections).
  public final var indexPathOfInteractiveMovement: IndexPath? {
    interaction.draggedItem.map(indexPath(at:))
  }

  /// Takes an item to be carried, where its middle is.
  ///
  /// It lies over the others from now on, and looks so: its cell is told by ``CellConfigurationState/isReordering``. What
  /// is shown below it in its section's tree is not shown meanwhile.
  ///
  /// - Parameter path: the item.
  /// - Returns: whether it is carried; not where it may not be put elsewhere, is not on screen or not there, nor while
  ///   another one is carried. Items of a ``CollectionViewDataSource`` are never: only identifiers can be followed.
  public final func beginInteractiveMovementForItem(at path: IndexPath) -> Bool {
    guard let index = flatIndex(at: path), displayed[index] != nil else { return false }
    let shown = displayedFrame(ofItem: index)
    return beginDrag(index, from: Point(x: shown.midX, y: shown.midY), byPointer: false)
  }

  /// The item that is carried is elsewhere; nothing happens where none is.
  ///
  /// In the coming frame the others make way where it is meant to be. Near an edge of the view the content goes on beneath
  /// it, the faster the nearer.
  ///
  /// - Parameter point: where its middle is, in the view's coordinates, as `convertFromWindow(_:)` gives them.
  public final func updateInteractiveMovementTargetPosition(_ point: Point) {
    guard interaction.isDragging else { return }
    interaction.movement?.updateDragLocation(point)
    setNeedsDisplay()
  }

  /// Puts the item that is carried where it is meant to be; nothing happens where none is.
  ///
  /// The data source commits the new order and tells its handlers, once; the item goes to its place from where it is shown.
  public final func endInteractiveMovement() {
    guard interaction.isDragging else { return }
    updateMovementTarget()
    let source = interaction.movementSource
    finishDrag { source?.endMove() }
  }

  /// Lets the item that is carried go back to where it was; nothing happens where none is.
  ///
  /// No handler is told, as nothing changed.
  public final func cancelInteractiveMovement() {
    guard interaction.isDragging else { return }
    let source = interaction.movementSource
    finishDrag { source?.cancelMove() }
  }

  // MARK: Taking and letting go

  /// Takes an item.
  ///
  /// - Parameters:
  ///   - index: the item, which is on screen.
  ///   - hand: where it is taken, in the view's coordinates.
  ///   - isByPointer: whether the pointer takes it.
  /// - Returns: whether it is carried.
  final func beginDrag(_ index: Int, from hand: Point, byPointer isByPointer: Bool) -> Bool {
    var isTaken = false
    // What a handler applies is carried out afterwards: until then the item has its number.
    deferringUpdates { isTaken = startDrag(index, from: hand, byPointer: isByPointer) }
    return isTaken
  }

  private func startDrag(_ index: Int, from hand: Point, byPointer isByPointer: Bool) -> Bool {
    guard !interaction.isDragging, let source = displayedSource, source.canMoveItem(at: index) else { return false }
    // Where it is shown, also on its way from the last time.
    let shown = displayedFrame(ofItem: index)
    interaction.movement = InteractiveMovement(of: index, by: hand, middle: Point(x: shown.midX, y: shown.midY))
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
      // From where it is shown, and not from the place that was kept for it.
      updateAnimation.animator.removeAnimation(of: .item(item))
      updateAnimation.planner?.setInitialFrame(of: .item(item), to: shown)
      updateAnimation.planner?.recordMove(of: .item(item))
      interaction.movement?.endDrag()
      // What is on screen is what the layout has there: the place that was kept for it may be elsewhere.
      needsVisibleUpdate = true
      body()
      if updateAnimation.planner == nil { endMovement() }
    }
  }

  /// What is carried is so no more, and at its place at once: items are other ones, or no frames come any more.
  final func discardMovement() {
    guard interaction.movement != nil else { return }
    let source = interaction.isDragging ? interaction.movementSource : nil
    stopAutoscrolling()
    source?.cancelMove()
    endMovement()
  }

  /// The item is down: it is an item as all others.
  final func endMovement() {
    interaction.movement = nil
    interaction.movementSource = nil
    needsVisibleUpdate = true
    // What was arranged has it over the others.
    if !updateAnimation.isRunning { arrangement = [] }
    updateConfigurationStates()
    setNeedsDisplay()
  }

  /// Where an item is shown, in the view's coordinates.
  final func displayedFrame(ofItem index: Int) -> Rect {
    let way = updateAnimation.animator.displacement(of: .item(index), at: lastInstant)
    return way.applied(to: solution.frame(ofItem: index)).offset(by: .zero - contentOrigin)
  }

  /// Where the item that is held is shown, in the content's coordinates; nothing where none is.
  final var draggedFrame: Rect? {
    guard interaction.isDragging, let movement = interaction.movement, let item = movement.item, item < itemCount else {
      return nil
    }
    return movement.frame(of: solution.frame(ofItem: item).size).offset(by: contentOrigin)
  }
}
