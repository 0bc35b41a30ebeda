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
    interaction.carriedItem.map(indexPath(at:))
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
    let shown = shownFrame(ofItem: index)
    return carry(index, from: Point(x: shown.midX, y: shown.midY), byPointer: false)
  }

  /// The item that is carried is elsewhere; nothing happens where none is.
  ///
  /// In the coming frame the others make way where it is meant to be. Near an edge of the view the content goes on beneath
  /// it, the faster the nearer.
  ///
  /// - Parameter point: where its middle is, in the view's coordinates, as `convertFromWindow(_:)` gives them.
  public final func updateInteractiveMovementTargetPosition(_ point: Point) {
    guard interaction.isCarrying else { return }
    interaction.movement?.move(to: point)
    setNeedsDisplay()
  }

  /// Puts the item that is carried where it is meant to be; nothing happens where none is.
  ///
  /// The data source commits the new order and tells its handlers, once; the item goes to its place from where it is shown.
  public final func endInteractiveMovement() {
    guard interaction.isCarrying else { return }
    followMovement()
    let source = interaction.movementSource
    release { source?.endMove() }
  }

  /// Lets the item that is carried go back to where it was; nothing happens where none is.
  ///
  /// No handler is told, as nothing changed.
  public final func cancelInteractiveMovement() {
    guard interaction.isCarrying else { return }
    let source = interaction.movementSource
    release { source?.cancelMove() }
  }

  // MARK: Taking and letting go

  /// Takes an item.
  ///
  /// - Parameters:
  ///   - index: the item, which is on screen.
  ///   - hand: where it is taken, in the view's coordinates.
  ///   - isByPointer: whether the pointer takes it.
  /// - Returns: whether it is carried.
  final func carry(_ index: Int, from hand: Point, byPointer isByPointer: Bool) -> Bool {
    var isTaken = false
    // What a handler applies is carried out afterwards: until then the item has its number.
    exclusively { isTaken = take(index, from: hand, byPointer: isByPointer) }
    return isTaken
  }

  private func take(_ index: Int, from hand: Point, byPointer isByPointer: Bool) -> Bool {
    guard !interaction.isCarrying, let source = shownSource, source.mayMove(index) else { return false }
    // Where it is shown, also on its way from the last time.
    let shown = shownFrame(ofItem: index)
    interaction.movement = ItemMovement(of: index, by: hand, middle: Point(x: shown.midX, y: shown.midY))
    interaction.movementSource = source
    interaction.isCarriedByPointer = isByPointer
    source.beginMove(of: index)
    showStates()
    setNeedsDisplay()
    return true
  }

  private func release(_ body: () -> Void) {
    guard let item = interaction.movement?.item, let shown = carriedFrame else { return dropMovement() }
    exclusively {
      stopScrollingAtEdges()
      beginMotion()
      // From where it is shown, and not from the place that was kept for it.
      motion.motions.forget(.item(item))
      motion.transaction?.correct(.item(item), to: shown)
      motion.transaction?.noteMove(of: .item(item))
      interaction.movement?.release()
      // What is on screen is what the layout has there: the place that was kept for it may be elsewhere.
      needsPlan = true
      body()
      if motion.transaction == nil { endMovement() }
    }
  }

  /// What is carried is so no more, and at its place at once: items are other ones, or no frames come any more.
  final func dropMovement() {
    guard interaction.movement != nil else { return }
    let source = interaction.isCarrying ? interaction.movementSource : nil
    stopScrollingAtEdges()
    source?.cancelMove()
    endMovement()
  }

  /// The item is down: it is an item as all others.
  final func endMovement() {
    interaction.movement = nil
    interaction.movementSource = nil
    needsPlan = true
    // What was arranged has it over the others.
    if !motion.isRunning { arrangement = [] }
    showStates()
    setNeedsDisplay()
  }

  /// Where an item is shown, in the view's coordinates.
  final func shownFrame(ofItem index: Int) -> Rect {
    let way = motion.motions.displacement(of: .item(index), at: lastInstant)
    return way.applied(to: solution.frame(ofItem: index)).offset(by: .zero - contentOrigin)
  }

  /// Where the item that is held is shown, in the content's coordinates; nothing where none is.
  final var carriedFrame: Rect? {
    guard interaction.isCarrying, let movement = interaction.movement, let item = movement.item, item < itemCount else {
      return nil
    }
    return movement.frame(of: solution.frame(ofItem: item).size).offset(by: contentOrigin)
  }
}
