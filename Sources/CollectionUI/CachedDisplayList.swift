import VitrineDataStructures
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A display list of the drawings of several views, copied as a whole in frames that only scroll.
///
/// The list does not retain the drawings. The displayed views do: an owner that changes those must empty the list.
nonisolated final class CachedDisplayList {
  /// The drawing of each view.
  private let drawings = TrivialBuffer<RecordedDrawing.Unretained>(capacity: 64)
  private let list = DisplayList()
  /// The content's origin, in pixels of the frame, when the list was built.
  private let base: UnsafeMutablePointer<(x: Int, y: Int)>

  init() {
    base = .allocate(capacity: 1)
    base.initialize(to: (0, 0))
  }

  deinit { base.deallocate() }

  /// Whether the list contains no drawing.
  var isEmpty: Bool { drawings.count == 0 }

  /// Removes all drawings, because other views are displayed.
  func removeAll() {
    drawings.removeAll()
    list.removeAll()
  }

  /// Adds the drawing of a view, behind the others.
  func addDrawing(_ drawing: RecordedDrawing) {
    drawings.append(drawing.unretained)
    drawing.unretained.setInDisplayList(false)
  }

  /// Returns whether the list shows every view in its current state, so that no view needs to draw again.
  func isComplete(for generation: Int) -> Bool {
    for drawing in drawings.elements where !drawing.isInDisplayList(generation) { return false }
    return !isEmpty
  }

  /// Returns the index of the first drawing at or after the given index that is out of date, or nil.
  func firstStaleIndex(from position: Int, generation: Int) -> Int? {
    let drawings = drawings.elements
    var position = position
    while position < drawings.count {
      if !drawings[position].isValid(for: generation) { return position }
      position += 1
    }
    return nil
  }

  /// Appends the list to the frame's list.
  ///
  /// - Parameters:
  ///   - x: The horizontal position of the content's origin, in pixels of the frame.
  ///   - y: The vertical position of the content's origin, in pixels of the frame.
  ///   - frame: The frame's list.
  func append(atX x: Int, y: Int, to frame: DisplayList) {
    frame.append(
      list.unretained, movedByX: Int32(clamping: x - base.pointee.x), y: Int32(clamping: y - base.pointee.y))
  }

  /// Rebuilds the list with the content's origin at the given pixel.
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

// MARK: - Drawings

/// The recorded drawing of a view, in the view's coordinates, with the view's position in the content.
///
/// It is stored apart from its view: a frame in which no view enters reads only drawings, without retaining any.
nonisolated final class RecordedDrawing {
  fileprivate struct State: BitwiseCopyable {
    var corner = Point.zero
    /// The corner in pixels.
    var (x, y) = (0, 0)
    var scale = DisplayScale.one
    /// The generation of the textures it was drawn with, or ``none`` if it must be drawn again.
    var generation = State.none
    /// Whether the cached display list contains it in its current state.
    var isInDisplayList = false

    static let none = -1

    mutating func updatePixelCorner() {
      (x, y) = (scale.contentPixel(corner.x), scale.contentPixel(corner.y))
      isInDisplayList = false
    }
  }

  /// The drawing commands.
  let list = DisplayList(capacity: 16)
  /// The textures that the commands draw and no view leases.
  @exclusivity(unchecked) private var textures: [AnyObject] = []
  private let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit { state.deallocate() }

  /// The origin of the view's frame, in the content's coordinates, in points.
  var corner: Point {
    get { state.pointee.corner }
    set {
      state.pointee.corner = newValue
      state.pointee.updatePixelCorner()
    }
  }

  /// Returns whether the commands are up to date.
  func isValid(for generation: Int) -> Bool { state.pointee.generation == generation }

  /// Marks the drawing as out of date.
  ///
  /// - Returns: Whether it was up to date before.
  func invalidate() -> Bool {
    defer { state.pointee.generation = State.none }
    return state.pointee.generation != State.none
  }

  /// Begins a recording.
  ///
  /// An invalidation from now on requires another one.
  func beginRecording(_ generation: Int, scale: DisplayScale) {
    state.pointee.generation = generation
    state.pointee.scale = scale
    state.pointee.updatePixelCorner()
    list.removeAll()
  }

  /// Retains the textures that a recording has drawn in place of those of the last one.
  @MainActor
  func retainTextures(of context: DrawContext) {
    if context.hasRetainedTextures || !textures.isEmpty { textures = context.takeRetainedTextures() }
  }

  /// An unretained reference to the drawing, for a caller that knows that it is retained elsewhere.
  var unretained: Unretained { Unretained(list: list.unretained, state: state) }

  /// An unretained reference to a drawing, as a plain value.
  ///
  /// It is valid only while the drawing is retained, as a displayed cell retains its own.
  struct Unretained: BitwiseCopyable {
    /// The drawing commands.
    let list: DisplayList.Unretained
    private let state: UnsafeMutablePointer<State>

    fileprivate init(list: DisplayList.Unretained, state: UnsafeMutablePointer<State>) {
      self.list = list
      self.state = state
    }

    /// The origin of the view's frame, in pixels of the content.
    var corner: (x: Int, y: Int) { (state.pointee.x, state.pointee.y) }

    /// Sets the origin of the view's frame in the content, in points.
    func setCorner(_ corner: Point) {
      state.pointee.corner = corner
      state.pointee.updatePixelCorner()
    }

    /// Returns whether the commands are up to date.
    func isValid(for generation: Int) -> Bool { state.pointee.generation == generation }

    /// Returns whether the commands are up to date and the cached display list contains them at the current position.
    func isInDisplayList(_ generation: Int) -> Bool {
      state.pointee.isInDisplayList && state.pointee.generation == generation
    }

    /// Records whether the cached display list contains the drawing in its current state.
    func setInDisplayList(_ isIncluded: Bool) { state.pointee.isInDisplayList = isIncluded }
  }
}
