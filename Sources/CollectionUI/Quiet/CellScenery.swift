import DataStructures
import Rendering

/// What all cells on screen drew, as one list: a frame that only moves it copies it as a whole.
///
/// The drawings are held by the cells on screen; whoever changes those empties this.
nonisolated final class CachedDisplayList {
  /// What each cell drew.
  private let drawings = TrivialBuffer<RecordedDrawing.Unretained>(capacity: 64)
  private let list = DisplayList()
  /// Where the content's origin was, in pixels of the frame, when the list was put together.
  private let base: UnsafeMutablePointer<(x: Int, y: Int)>

  init() {
    base = .allocate(capacity: 1)
    base.initialize(to: (0, 0))
  }

  deinit { base.deallocate() }

  /// Whether no drawing is in it.
  var isEmpty: Bool { drawings.count == 0 }

  /// Forgets the drawings: other cells are on screen.
  func removeAll() {
    drawings.removeAll()
    list.removeAll()
  }

  /// Takes the drawing of a cell, behind the others.
  func addDrawing(_ drawing: RecordedDrawing) {
    drawings.append(drawing.unretained)
    drawing.unretained.setInDisplayList(false)
  }

  /// Whether it shows every cell as it is, and no cell would draw anything else.
  func isComplete(for generation: Int) -> Bool {
    for drawing in drawings.elements where !drawing.isInDisplayList(generation) { return false }
    return !isEmpty
  }

  /// The first drawing from a place on that does not show its cell any more.
  func firstStaleIndex(from place: Int, generation: Int) -> Int? {
    let drawings = drawings.elements
    var place = place
    while place < drawings.count {
      if !drawings[place].isValid(for: generation) { return place }
      place += 1
    }
    return nil
  }

  /// Appends what the cells drew.
  ///
  /// - Parameters:
  ///   - x: where the content's origin is, in pixels of the frame.
  ///   - y: the same, downwards.
  ///   - frame: the frame's list.
  func append(atX x: Int, y: Int, to frame: DisplayList) {
    frame.append(
      list.unretained, movedByX: Int32(clamping: x - base.pointee.x), y: Int32(clamping: y - base.pointee.y))
  }

  /// Puts the list together anew.
  func rebuild(atX x: Int, y: Int) {
    list.removeAll()
    base.pointee = (x, y)
    for drawing in drawings.elements {
      let corner = drawing.corner
      list.append(drawing.list, movedByX: Int32(clamping: x + corner.x), y: Int32(clamping: y + corner.y))
      drawing.setInDisplayList(true)
    }
  }
}
