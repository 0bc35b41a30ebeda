public import FramePacing
public import Geometry

/// An item that a hand carries, or that comes to rest after that: where it is shown, how far it is lifted, and whether it
/// has to be asked anew which place is meant.
///
/// A pure machine. It knows the item by its flat index, which updates change.
public struct InteractiveMovement: Sendable {
  /// The item; nothing once it is gone.
  public private(set) var item: Int?
  /// Whether a hand holds it; otherwise it goes to its place.
  public private(set) var isDragging = true
  /// Whether the hand is where it was not yet asked what place is meant there.
  public private(set) var needsTargetUpdate = true
  /// Where the hand took it, in the view's coordinates.
  public let origin: Point
  /// Where the hand is, in the view's coordinates.
  public private(set) var dragLocation: Point
  /// How far its middle is from the hand.
  private let centerOffset: Point
  private var liftAnimation = LiftAnimation()
  /// Steps from place to place since the hand was moved last.
  private var stepCount = 0
  /// Where its middle was when no place was better, and how far from there none is, in the content's coordinates.
  private var knownBest: (middle: Point, reach: Double)?

  /// So many steps at most while the hand is still: a layout that has other places than it said ends there.
  public static let maximumSteps = 8

  /// A hand takes an item.
  ///
  /// - Parameters:
  ///   - item: its flat index.
  ///   - hand: where the hand is, in the view's coordinates.
  ///   - middle: where the item's middle is shown, in the same.
  public init(of item: Int, by hand: Point, middle: Point) {
    self.item = item
    self.dragLocation = hand
    origin = hand
    centerOffset = middle - hand
  }

  /// An item goes to another place by itself, as a key has it: over the others, and not lifted.
  ///
  /// - Parameter item: its flat index.
  public init(settling item: Int) {
    self.init(of: item, by: .zero, middle: .zero)
    endDrag()
  }

  /// Where its middle is shown while it is held, in the view's coordinates.
  public var center: Point { dragLocation + centerOffset }

  /// Where it is shown while it is held, in the view's coordinates, with a size.
  public func frame(of size: Size) -> Rect {
    Rect(origin: Point(x: center.x - size.width / 2, y: center.y - size.height / 2), size: size)
  }

  /// The hand is elsewhere; a place that is no number is none.
  public mutating func updateDragLocation(_ place: Point) {
    guard isDragging, place.x.isFinite, place.y.isFinite, place != dragLocation else { return }
    dragLocation = place
    contentDidScroll()
  }

  /// Other items are beneath the hand, as they scrolled.
  public mutating func contentDidScroll() {
    needsTargetUpdate = isDragging
    stepCount = 0
  }

  /// Other items are beneath the hand, as the content's beginning is elsewhere: it may be a layout that moved it.
  public mutating func contentDidShift() {
    needsTargetUpdate = isDragging && stepCount < InteractiveMovement.maximumSteps
  }

  /// What lies beneath the hand is other than before, as it was laid out anew or a section was scrolled across.
  public mutating func contentDidChange() {
    knownBest = nil
    contentDidShift()
  }

  /// It was asked what place is meant.
  public mutating func didUpdateTarget() { needsTargetUpdate = false }

  /// No place is better than where it stands, and none will be until its middle is farther away.
  ///
  /// - Parameters:
  ///   - middle: where its middle is, in the content's coordinates.
  ///   - reach: how far from there no place is better, in points.
  public mutating func recordBestPosition(at middle: Point, within reach: Double) { knownBest = (middle, reach) }

  /// Whether it is known that no place is better, with its middle at a place in the content's coordinates.
  public func isBestPosition(at middle: Point) -> Bool {
    guard let knownBest else { return false }
    let way = middle - knownBest.middle
    return way.x * way.x + way.y * way.y < knownBest.reach * knownBest.reach
  }

  /// It goes to a better place: there may be one that is better yet.
  public mutating func recordStep() {
    stepCount += 1
    contentDidChange()
  }

  /// The hand lets go: from now on the item goes to its place, and down.
  public mutating func endDrag() {
    isDragging = false
    needsTargetUpdate = false
    liftAnimation.startLowering()
  }

  /// Items have other numbers.
  ///
  /// - Parameter newIndex: the new number of an item by its old one; nothing for one that is gone.
  public mutating func remapIndices(_ newIndex: (Int) -> Int?) {
    item = item.flatMap(newIndex)
    knownBest = nil
  }

  /// A frame is shown at an instant.
  public mutating func advance(to instant: FrameInstant) { liftAnimation.advance(to: instant) }

  /// How far it is lifted at an instant, from 0 to 1.
  public func liftProgress(at instant: FrameInstant) -> Double { liftAnimation.progress(at: instant) }

  /// Whether it will still rise or go down after an instant.
  public func isLifting(at instant: FrameInstant) -> Bool { liftAnimation.isMoving(at: instant) }

  /// Whether it was let go and is down.
  public func hasEnded(by instant: FrameInstant) -> Bool { !isDragging && !liftAnimation.isMoving(at: instant) }
}
