import Geometry
import Rendering

/// What a cell drew, in its own coordinates, and where the cell stands in the content.
///
/// Apart from its cell: a frame in which nothing enters reads these alone, and reading them counts no reference.
nonisolated final class RecordedDrawing {
  fileprivate struct State: BitwiseCopyable {
    var corner = Point.zero
    /// The corner in pixels.
    var (x, y) = (0, 0)
    var scale = DisplayScale.one
    /// Of the textures that it was drawn with; ``none`` where it has to be drawn again.
    var generation = State.none
    /// Whether the scenery that it is part of has it as it is now.
    var isInDisplayList = false

    static let none = -1

    mutating func updatePixelCorner() {
      (x, y) = (scale.contentPixel(corner.x), scale.contentPixel(corner.y))
      isInDisplayList = false
    }
  }

  /// The commands.
  let list = DisplayList(capacity: 16)
  private let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit { state.deallocate() }

  /// The corner of the item's frame, in the content's coordinates.
  var corner: Point {
    get { state.pointee.corner }
    set {
      state.pointee.corner = newValue
      state.pointee.updatePixelCorner()
    }
  }

  /// Whether the commands still show the cell.
  func isValid(for generation: Int) -> Bool { state.pointee.generation == generation }

  /// The cell will have to draw again.
  ///
  /// - Returns: whether that is news.
  func invalidate() -> Bool {
    defer { state.pointee.generation = State.none }
    return state.pointee.generation != State.none
  }

  /// Begins a drawing; what asks for another one from now on gets it.
  func beginRecording(_ generation: Int, scale: DisplayScale) {
    state.pointee.generation = generation
    state.pointee.scale = scale
    state.pointee.updatePixelCorner()
    list.removeAll()
  }

  /// The drawing without a hold on it, for whoever knows that somebody else holds it.
  var unretained: Unretained { Unretained(list: list.unretained, state: state) }

  /// A drawing that somebody else holds, as a plain value.
  ///
  /// Of use only while the drawing is held, as a cell on screen holds its own.
  struct Unretained: BitwiseCopyable {
    /// The commands.
    let list: DisplayList.Unretained
    private let state: UnsafeMutablePointer<State>

    fileprivate init(list: DisplayList.Unretained, state: UnsafeMutablePointer<State>) {
      self.list = list
      self.state = state
    }

    /// The corner of the item's frame, in pixels of the content.
    var corner: (x: Int, y: Int) { (state.pointee.x, state.pointee.y) }

    /// The view stands elsewhere in the content, in points.
    func setCorner(_ corner: Point) {
      state.pointee.corner = corner
      state.pointee.updatePixelCorner()
    }

    /// Whether the commands still show the cell.
    func isValid(for generation: Int) -> Bool { state.pointee.generation == generation }

    /// Whether the scenery that it is part of has it as it is now, and the commands still show the cell.
    func isInDisplayList(_ generation: Int) -> Bool {
      state.pointee.isInDisplayList && state.pointee.generation == generation
    }

    /// The scenery has it as it is now, or is to be put together with it.
    func setInDisplayList(_ isInScenery: Bool) { state.pointee.isInDisplayList = isInScenery }
  }
}
