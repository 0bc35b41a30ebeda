import CollectionEngine
import struct FoundationEssentials.IndexPath
import Geometry

/// What a collection view shows of elements that are not where the model has them, and what it keeps for that.
struct CollectionMotion {
  /// What was shown before changes that the coming frame will show.
  var transaction: UpdateTransaction?
  /// What is on its way.
  var motions = ElementMotions()
  /// What is shown and no more in the model, in the order in which it left.
  var leaving: [LeavingView] = []
  /// Whether changes are shown at once.
  var isReduced = false
  /// Where an item of now was when the transaction began.
  var origin: (IndexPath) -> IndexPath? = { $0 }
  /// Whether the item that stands at a path was moved there by the last update.
  var isMoved: (IndexPath) -> Bool = { _ in false }
  /// The first item on screen when the transaction began.
  var firstSeen: IndexPath?
  private var lastNumber = 0

  /// Whether something moves, or will in the coming frame.
  var isRunning: Bool { transaction != nil || motions.isRunning }

  /// Keeps a view that left the model.
  ///
  /// - Returns: as what it moves from now on.
  mutating func keep(
    _ view: CollectionReusableView, _ end: LeavingView.End, at place: Rect, opacity: Double
  ) -> MovingElement {
    lastNumber += 1
    leaving.append(LeavingView(number: lastNumber, view: view, end: end, place: place, opacity: opacity))
    return .leaving(lastNumber)
  }

  /// Takes out what does not move: it has gone.
  mutating func takeGone() -> [LeavingView] {
    let motions = motions
    defer { leaving.removeAll { !motions.isMoving(.leaving($0.number)) } }
    return leaving.filter { !motions.isMoving(.leaving($0.number)) }
  }

  /// Takes a view out that is in the model again.
  mutating func takeBack(where isMeant: (LeavingView) -> Bool) -> LeavingView? {
    leaving.firstIndex(where: isMeant).map { leaving.remove(at: $0) }
  }
}
