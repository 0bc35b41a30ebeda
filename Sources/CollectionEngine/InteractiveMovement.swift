public import VitrineFramePacing
public import VitrineGeometry
internal import VitrineScrollPhysics

/// The interactive movement of an item: its displayed position, its lift, and whether its drop position must be
/// determined again.
///
/// The movement lasts until the dropped item has come to rest. It identifies the item by its flat index, which updates
/// change.
public struct InteractiveMovement: Sendable {
  /// The flat index of the item, or nil after the item was deleted.
  public private(set) var item: Int?
  /// Whether the item is being dragged.
  ///
  /// Otherwise it moves to its layout position.
  public private(set) var isDragging = true
  /// Whether the drop position must be determined for the current drag location.
  public private(set) var needsTargetUpdate = true
  /// The drag location at the start, in view coordinates.
  public let origin: Point
  /// The current drag location, in view coordinates.
  public private(set) var dragLocation: Point
  /// The offset of the item's center from the drag location.
  private let centerOffset: Point
  private var liftAnimation = LiftAnimation()
  /// The number of moves to better positions since the drag location changed.
  private var stepCount = 0
  /// A center, in content coordinates, and the radius around it within which no position is better than the current
  /// one.
  private var knownBest: (center: Point, radius: Double)?

  /// The maximum number of moves while the drag location does not change.
  ///
  /// It ends the steps of a layout whose frames differ from those that it predicts.
  public static let maximumSteps = 8

  /// Starts dragging an item.
  ///
  /// - Parameters:
  ///   - item: The flat index of the item.
  ///   - location: The drag location, in view coordinates.
  ///   - center: The displayed center of the item, in view coordinates.
  public init(of item: Int, at location: Point, center: Point) {
    self.item = item
    self.dragLocation = location
    origin = location
    centerOffset = center - location
  }

  /// Starts the movement of an item to its new position without a drag, for example after a key press.
  ///
  /// The item is displayed above the others and is not lifted.
  ///
  /// - Parameter item: The flat index of the item.
  public init(settling item: Int) {
    self.init(of: item, at: .zero, center: .zero)
    endDrag()
  }

  /// The displayed center of the dragged item, in view coordinates.
  public var center: Point { dragLocation + centerOffset }

  /// Returns the displayed frame of the dragged item for a size, in view coordinates.
  public func frame(of size: Size) -> Rect {
    Rect(origin: Point(x: center.x - size.width / 2, y: center.y - size.height / 2), size: size)
  }

  /// Sets the drag location.
  ///
  /// A location that is not finite is ignored.
  public mutating func updateDragLocation(_ location: Point) {
    guard isDragging, location.x.isFinite, location.y.isFinite, location != dragLocation else { return }
    dragLocation = location
    contentDidScroll()
  }

  /// Handles scrolling, which moves other items under the drag location.
  public mutating func contentDidScroll() {
    needsTargetUpdate = isDragging
    stepCount = 0
  }

  /// Handles a shift of the content, which moves other items under the drag location.
  ///
  /// The shift may be caused by a layout.
  public mutating func contentDidShift() {
    needsTargetUpdate = isDragging && stepCount < InteractiveMovement.maximumSteps
  }

  /// Handles a change of the layout or the scrolling of an orthogonal section, which moves other items under the drag
  /// location.
  public mutating func contentDidChange() {
    knownBest = nil
    contentDidShift()
  }

  /// Records that the drop position was determined.
  public mutating func didUpdateTarget() { needsTargetUpdate = false }

  /// Records that no position is better than the current one while the dragged center is within a circle.
  ///
  /// - Parameters:
  ///   - center: The dragged center, in content coordinates.
  ///   - radius: The radius around the center, in points.
  public mutating func recordBestPosition(at center: Point, within radius: Double) { knownBest = (center, radius) }

  /// Returns whether no position is known to be better for a dragged center, in content coordinates.
  public func isBestPosition(at center: Point) -> Bool {
    guard let knownBest else { return false }
    let offset = center - knownBest.center
    return offset.x * offset.x + offset.y * offset.y < knownBest.radius * knownBest.radius
  }

  /// Records a move to a better position.
  ///
  /// There may be an even better one.
  public mutating func recordStep() {
    stepCount += 1
    contentDidChange()
  }

  /// Ends the drag.
  ///
  /// The item moves to its layout position and is lowered.
  public mutating func endDrag() {
    isDragging = false
    needsTargetUpdate = false
    liftAnimation.startLowering()
  }

  /// Updates the flat index after an update of the items.
  public mutating func apply(_ map: IndexMap) {
    item = item.flatMap(map.newIndex(ofItem:))
    knownBest = nil
  }

  /// Records that a frame is displayed at an instant.
  public mutating func advance(to instant: FrameInstant) { liftAnimation.advance(to: instant) }

  /// Returns how far the item is lifted at an instant, from 0 to 1.
  public func liftProgress(at instant: FrameInstant) -> Double { liftAnimation.progress(at: instant) }

  /// Returns whether the item is still being lifted or lowered after an instant.
  public func isLifting(at instant: FrameInstant) -> Bool { liftAnimation.isMoving(at: instant) }

  /// Returns whether the drag has ended and the item is lowered.
  public func hasEnded(by instant: FrameInstant) -> Bool { !isDragging && !liftAnimation.isMoving(at: instant) }
}

// MARK: - Lift

/// The lift of a dragged item as a function of time: up during the drag, and down after its end.
private struct LiftAnimation: Hashable, Sendable {
  private static let spring = SpringParameters(stiffness: 600)
  /// The full height, in points.
  ///
  /// It scales the spring so that it comes to rest when the difference is invisible.
  private static let fullHeight = 64.0

  private var (start, velocity, target) = (0.0, 0.0, LiftAnimation.fullHeight)
  /// The start of the animation, or nil until the next frame, because the last frame may be long ago.
  private var startTime: FrameInstant?
  private var isReleased = false
  private var lastFrameTime = FrameInstant.distantPast

  private var simulation: SpringSimulation {
    SpringSimulation(start: start, velocity: velocity, target: target, parameters: LiftAnimation.spring)
  }

  /// Records that a frame is displayed at an instant.
  mutating func advance(to instant: FrameInstant) {
    lastFrameTime = instant
    if startTime == nil { startTime = instant }
  }

  /// Starts lowering from the current height.
  mutating func startLowering() {
    guard !isReleased else { return }
    isReleased = true
    if let startTime {
      let seconds = max(.zero, lastFrameTime - startTime).seconds
      (start, velocity) = (simulation.position(at: seconds), simulation.velocity(at: seconds))
    }
    target = 0
    startTime = nil
  }

  func progress(at instant: FrameInstant) -> Double {
    let position = startTime.map { simulation.position(at: max(.zero, instant - $0).seconds) } ?? start
    return max(0, min(1, position / LiftAnimation.fullHeight))
  }

  func isMoving(at instant: FrameInstant) -> Bool {
    guard let startTime else { return true }
    return max(.zero, instant - startTime).seconds < simulation.duration
  }
}

// MARK: - Scrolling at the edges

/// The scrolling speed while an item is dragged near an edge of the viewport.
///
/// The speed is a function of positions only. The caller evaluates it in every frame.
public struct EdgeAutoscroll: Hashable, Sendable {
  /// The depth of the scrolling zone at each edge, in points.
  public static let depth = 64.0
  /// The maximum speed, at an edge and beyond it, in points per second.
  public static let maximumSpeed = 1_200.0
  /// The minimum distance of the drag towards an edge, in points.
  ///
  /// A drag that starts near an edge does not scroll.
  public static let minimumDrag = 8.0

  /// The start of the viewport along the axis, in points.
  public var start: Double
  /// The end of the viewport along the axis, in points.
  public var end: Double

  /// Creates the speed function for a viewport.
  public init(from start: Double, to end: Double) {
    self.start = start
    self.end = end
  }

  /// Returns the scrolling velocity, in points per second.
  ///
  /// A positive velocity reveals later content.
  ///
  /// The speed grows with the square of the depth in the scrolling zone, so that slow scrolling is possible.
  ///
  /// - Parameters:
  ///   - position: The drag location along the axis.
  ///   - origin: The drag location at the start.
  public func velocity(at position: Double, from origin: Double) -> Double {
    let depth = min(EdgeAutoscroll.depth, (end - start) / 4)
    guard depth > 0, position.isFinite else { return 0 }
    let (before, behind) = (start + depth - position, position - end + depth)
    if before > 0, origin - position >= EdgeAutoscroll.minimumDrag { return -EdgeAutoscroll.speed(at: before / depth) }
    if behind > 0, position - origin >= EdgeAutoscroll.minimumDrag { return EdgeAutoscroll.speed(at: behind / depth) }
    return 0
  }

  private static func speed(at share: Double) -> Double {
    let share = min(1, share)
    return maximumSpeed * share * share
  }
}
