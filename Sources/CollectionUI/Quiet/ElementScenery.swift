import DataStructures
import Geometry

/// What the views beside the cells drew, as lists: a frame that only moves them copies these.
///
/// The drawings are held by the views on screen; whoever changes those empties this.
nonisolated final class ElementScenery {
  /// What lies behind the cells.
  let behind = CellScenery()
  /// What lies over them.
  let front = CellScenery()
  /// The views that stay where they are in the viewport.
  let pinned = TrivialBuffer<PinnedView>(capacity: 4)
  /// Whether the drawings are those of what is on screen.
  var isRead = false

  /// Forgets everything: other views are on screen.
  func removeAll() {
    isRead = false
    behind.removeAll()
    front.removeAll()
    pinned.removeAll()
  }

  /// The drawings of one side of the cells.
  func layer(isBehind: Bool) -> CellScenery { isBehind ? behind : front }
}
