import Geometry
import Rendering

/// What a cell drew, in its own coordinates, and where the cell stands in the content.
///
/// Apart from its cell: a frame in which nothing enters reads these alone, and holding them is cheap, as nothing refers
/// to them weakly.
final class KeptDrawing {
  /// The commands.
  let list = DisplayList(capacity: 16)
  /// The corner of the item's frame, in the content's coordinates.
  var corner = Point.zero
  private var isValid = false
  private var generation = -1

  /// Whether the commands still show the cell.
  func holds(_ generation: Int) -> Bool { isValid && self.generation == generation }

  /// The cell will have to draw again.
  ///
  /// - Returns: whether that is news.
  func invalidate() -> Bool {
    defer { isValid = false }
    return isValid
  }

  /// Begins a drawing; what asks for another one from now on gets it.
  func begin(_ generation: Int) {
    isValid = true
    self.generation = generation
    list.removeAll()
  }
}
