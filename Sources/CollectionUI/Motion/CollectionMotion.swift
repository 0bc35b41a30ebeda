import CollectionEngine
import struct FoundationEssentials.IndexPath
import Geometry

/// What a collection view shows of elements that are not where the model has them, and what it keeps for that.
struct UpdateAnimationState {
  /// What was shown before changes that the coming frame will show.
  var planner: UpdateTransitionPlanner?
  /// What is on its way.
  var animator = ElementAnimator()
  /// What is shown and no more in the model, in the order in which it left.
  var disappearing: [DisappearingView] = []
  /// Whether changes are shown at once.
  var isReduced = false
  /// Where an item of now was when the transaction began.
  var originalPath: (IndexPath) -> IndexPath? = { $0 }
  /// Whether the item that stands at a path was moved there by the last update.
  var isMoved: (IndexPath) -> Bool = { _ in false }
  /// The first item on screen when the transaction began.
  var firstVisible: IndexPath?
  private var lastNumber = 0

  /// Whether something moves, or will in the coming frame.
  var isRunning: Bool { planner != nil || animator.isRunning }

  /// Keeps a view that left the model.
  ///
  /// - Returns: as what it moves from now on.
  mutating func addDisappearingView(
    _ view: CollectionReusableView, _ end: DisappearingView.Completion, at place: Rect, opacity: Double
  ) -> AnimatedElement {
    lastNumber += 1
    disappearing.append(
      DisappearingView(number: lastNumber, view: view, completion: end, frame: place, opacity: opacity))
    return .disappearing(lastNumber)
  }

  /// Takes out what does not move: it has gone.
  mutating func removeFinishedViews() -> [DisappearingView] {
    let motions = animator
    defer { disappearing.removeAll { !motions.isMoving(.disappearing($0.number)) } }
    return disappearing.filter { !motions.isMoving(.disappearing($0.number)) }
  }

  /// Takes a view out that is in the model again.
  mutating func removeDisappearingView(where isMeant: (DisappearingView) -> Bool) -> DisappearingView? {
    disappearing.firstIndex(where: isMeant).map { disappearing.remove(at: $0) }
  }
}
