import VitrineFramePacing
import VitrineScrollPhysics

/// The position of a swiped item as a function of time: it follows the finger, and springs open or closed from where it
/// was released.
///
/// Positions are in points on the screen: positive ones reveal the actions at the left edge, negative ones those at the
/// right edge. A finger can interrupt a spring at any time without a jump.
nonisolated struct SwipeMotion: Sendable {
  /// The actions at an edge of the screen.
  struct Side: Hashable, Sendable {
    /// The width of the actions, in points.
    var extent: Double
    /// Whether a full swipe performs the first action.
    var allowsFullSwipe: Bool
  }

  /// What the release of a finger leads to.
  enum Outcome: Hashable, Sendable {
    /// The actions are hidden.
    case closed
    /// The actions remain visible.
    case open
    /// The first action is performed.
    case fullSwipe
  }

  private enum Phase: Sendable {
    case resting(Double)
    /// The position of the finger, without resistance.
    case dragging(Double)
    case springing(SpringSimulation, since: FrameInstant)
  }

  /// The width of the item, in points.
  var width: Double
  /// The actions at the left edge, or nil if there are none.
  var left: Side?
  /// The actions at the right edge, or nil if there are none.
  var right: Side?
  /// Whether positions change at once, as the user prefers.
  var reducesMotion = false

  private var phase = Phase.resting(0)
  private var tracker = VelocityTracker()

  private static let spring = SpringParameters(stiffness: 400)
  /// The distance that resistance permits beyond the actions, in points.
  private static let slackDistance = 40.0
  /// The part of the item's width from which on a swipe is a full one.
  private static let fullSwipePart = 0.55
  /// The speed from which on the direction of a release decides, in points per second.
  private static let flickSpeed = 250.0

  /// Creates the motion of an item at rest.
  init(width: Double, left: Side?, right: Side?) {
    (self.width, self.left, self.right) = (width, left, right)
  }

  /// Whether the item follows a finger.
  var isDragging: Bool { if case .dragging = phase { true } else { false } }

  /// Returns whether the item is at rest.
  func isResting(at instant: FrameInstant) -> Bool {
    switch phase {
    case .resting: true
    case .dragging: false
    case .springing(let spring, let start): (instant - start).seconds >= spring.duration
    }
  }

  /// Returns the position at an instant.
  func position(at instant: FrameInstant) -> Double {
    switch phase {
    case .resting(let position): position
    case .dragging(let raw): resisted(raw)
    case .springing(let spring, let start): spring.position(at: max(0, (instant - start).seconds))
    }
  }

  /// Whether a release would perform the first action.
  var isFullSwipe: Bool {
    guard case .dragging(let raw) = phase, let side = side(of: raw), side.allowsFullSwipe else { return false }
    return raw.magnitude >= threshold(of: side)
  }

  /// Takes hold of the item where it is.
  mutating func beginDrag(at instant: FrameInstant) {
    let raw = unresisted(position(at: instant))
    tracker.reset()
    tracker.add(position: raw, at: instant)
    phase = .dragging(raw)
  }

  /// Moves the item with the finger.
  mutating func drag(by distance: Double, at instant: FrameInstant) {
    guard case .dragging(let raw) = phase, distance.isFinite else { return }
    let next = max(-width, min(width, raw + distance))
    tracker.add(position: next, at: instant)
    phase = .dragging(next)
  }

  /// Releases the item, which springs open, closed, or over its full width.
  mutating func release(at instant: FrameInstant) -> Outcome {
    guard case .dragging(let raw) = phase else { return .closed }
    let (velocity, isFull) = (tracker.velocity(at: instant), isFullSwipe)
    let direction = raw < 0 ? -1.0 : 1
    guard let side = side(of: raw), velocity * direction > -SwipeMotion.flickSpeed else {
      spring(to: 0, velocity: velocity, at: instant)
      return .closed
    }
    if isFull {
      spring(to: direction * width, velocity: velocity, at: instant)
      return .fullSwipe
    }
    let opens = raw.magnitude > side.extent / 2 || velocity * direction > SwipeMotion.flickSpeed
    spring(to: opens ? direction * side.extent : 0, velocity: velocity, at: instant)
    return opens ? .open : .closed
  }

  /// Springs to a position from where the item is.
  mutating func settle(to target: Double, at instant: FrameInstant) {
    var velocity = 0.0
    if case .springing(let spring, let start) = phase { velocity = spring.velocity(at: (instant - start).seconds) }
    spring(to: target, velocity: velocity, at: instant)
  }

  /// Continues a spring after a time without frames.
  mutating func delay(by duration: FrameDuration) {
    if case .springing(let spring, let start) = phase { phase = .springing(spring, since: start + duration) }
  }

  private mutating func spring(to target: Double, velocity: Double, at instant: FrameInstant) {
    let start = position(at: instant)
    guard !reducesMotion, start != target else { return phase = .resting(target) }
    phase = .springing(
      SpringSimulation(start: start, velocity: velocity, target: target, parameters: SwipeMotion.spring),
      since: instant)
  }

  // MARK: - Resistance

  private func side(of position: Double) -> Side? { position == 0 ? nil : position > 0 ? left : right }

  private func threshold(of side: Side) -> Double {
    min(0.9 * width, max(SwipeMotion.fullSwipePart * width, side.extent + 32))
  }

  /// The distance up to which the item moves with the finger.
  private func freeDistance(of position: Double) -> Double {
    guard let side = side(of: position) else { return 0 }
    return side.allowsFullSwipe ? width : side.extent
  }

  private func resisted(_ raw: Double) -> Double {
    let (free, slack) = (freeDistance(of: raw), SwipeMotion.slackDistance)
    guard raw.magnitude > free else { return raw }
    let beyond = raw.magnitude - free
    return (raw < 0 ? -1 : 1) * (free + slack * (1 - 1 / (1 + 0.5 * beyond / slack)))
  }

  private func unresisted(_ position: Double) -> Double {
    let (free, slack) = (freeDistance(of: position), SwipeMotion.slackDistance)
    let beyond = min(position.magnitude - free, slack * 0.99)
    guard beyond > 0 else { return position }
    return (position < 0 ? -1 : 1) * (free + 2 * slack * (1 / (1 - beyond / slack) - 1))
  }
}
