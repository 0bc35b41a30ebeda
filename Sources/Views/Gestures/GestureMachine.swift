import VitrineFramePacing
import VitrineGeometry
import VitrineRendering

/// The kind of a gesture, with its conditions.
nonisolated enum GestureKind: Hashable, Sendable {
  /// A number of taps with one finger.
  case tap(count: Int)
  /// A finger that stays within a distance in points for a time.
  case longPress(duration: FrameDuration, movement: Double)
  /// Fingers that move.
  case pan(minimumTouches: Int, maximumTouches: Int)
  /// Two fingers that change their distance.
  case pinch

  /// The number of contacts without which the gesture cannot begin.
  var minimumContacts: Int {
    switch self {
    case .pinch: 2
    case .pan(let minimum, _): minimum
    default: 1
    }
  }

  /// Whether the gesture is recognized at one instant, rather than over a time.
  var isDiscrete: Bool { if case .tap = self { true } else { false } }
}

/// A finger, or the pointer while its button is pressed.
nonisolated struct GestureContact: Hashable, Sendable {
  /// The identifier.
  var id: Int64
  /// The location in the window, in points.
  var location: Point
}

/// The recognition of a single gesture, as if there were no others.
///
/// It receives the contacts after each change, and has no clock.
nonisolated struct GestureMachine: Hashable, Sendable {
  /// The result of an event.
  enum Signal: Hashable, Sendable {
    /// Nothing to report.
    case none
    /// The gesture is recognized, or begins.
    case recognized
    /// A gesture that has begun has changed.
    case changed
    /// A gesture that has begun has ended.
    case ended
    /// The contacts are no such gesture.
    case failed
  }

  private struct Sample: Hashable, Sendable {
    var instant: FrameInstant
    var location: Point
  }

  /// The time over which a velocity is measured.
  private static let velocityWindow = FrameDuration.milliseconds(100)

  /// The kind.
  let kind: GestureKind
  /// The location: that of the finger, or the center of the fingers.
  private(set) var location = Point.zero
  /// The movement since the first touch, in points.
  private(set) var translation = Point.zero
  /// The factor by which the distance of two fingers has grown.
  private(set) var scale = 1.0
  /// The time at which the gesture is recognized or fails without further events, or nil.
  private(set) var deadline: FrameInstant?

  private var hasBegun = false
  private var start = Point.zero
  private var tapCount = 0
  private var contactCount = 0
  private var baseDistance: Double?
  private var samples: [Sample] = []

  /// Creates a machine that has seen no contact.
  init(_ kind: GestureKind) { self.kind = kind }

  /// The velocity in points per second.
  var velocity: Point {
    guard let last = samples.last, let first = samples.first, last.instant > first.instant else { return .zero }
    let seconds = (last.instant - first.instant).seconds
    return Point(x: (last.location.x - first.location.x) / seconds, y: (last.location.y - first.location.y) / seconds)
  }

  /// Processes a contact.
  ///
  /// - Parameters:
  ///   - phase: What happened; not `cancelled`.
  ///   - contacts: All contacts after it: a contact that ended is not among them.
  ///   - location: The location of the contact.
  ///   - instant: The time.
  mutating func handle(
    _ phase: TouchInput.Phase, _ contacts: [GestureContact], at location: Point, _ instant: FrameInstant
  ) -> Signal {
    switch kind {
    case .tap(let count): handleTap(phase, contacts, location, instant, count)
    case .longPress(let duration, let movement): handlePress(phase, contacts, location, instant, duration, movement)
    case .pan(let minimum, let maximum): handlePan(phase, contacts, instant, minimum, maximum)
    case .pinch: handlePinch(phase, contacts)
    }
  }

  /// Advances the time.
  mutating func advance(to instant: FrameInstant) -> Signal {
    guard let deadline, instant >= deadline else { return .none }
    self.deadline = nil
    guard case .longPress = kind else { return .failed }
    hasBegun = true
    return .recognized
  }

  // MARK: - Kinds

  private mutating func handleTap(
    _ phase: TouchInput.Phase, _ contacts: [GestureContact], _ location: Point, _ instant: FrameInstant, _ count: Int
  ) -> Signal {
    switch phase {
    case .began:
      let maximum = TouchRecognizer.doubleTap.distance
      guard contacts.count == 1, tapCount == 0 || !isFarther(location, from: self.location, than: maximum) else {
        return .failed
      }
      (start, self.location, deadline) = (location, location, nil)
      return .none
    case .moved: return isFarther(location, from: start, than: TouchRecognizer.slop) ? .failed : .none
    case .ended:
      guard !isFarther(location, from: start, than: TouchRecognizer.slop) else { return .failed }
      self.location = location
      tapCount += 1
      if tapCount >= count { return .recognized }
      deadline = instant + TouchRecognizer.doubleTap.pause
      return .none
    case .cancelled: return .failed
    }
  }

  private mutating func handlePress(
    _ phase: TouchInput.Phase, _ contacts: [GestureContact], _ location: Point, _ instant: FrameInstant,
    _ duration: FrameDuration, _ movement: Double
  ) -> Signal {
    switch phase {
    case .began:
      guard !hasBegun else { return .none }
      guard contacts.count == 1 else { return .failed }
      (start, self.location, deadline) = (location, location, instant + duration)
      return .none
    case .moved:
      self.location = contacts.first?.location ?? location
      if hasBegun { return .changed }
      return isFarther(location, from: start, than: movement) ? .failed : .none
    case .ended, .cancelled:
      guard hasBegun else { return .failed }
      return contacts.isEmpty ? .ended : .none
    }
  }

  private mutating func handlePan(
    _ phase: TouchInput.Phase, _ contacts: [GestureContact], _ instant: FrameInstant, _ minimum: Int, _ maximum: Int
  ) -> Signal {
    guard !contacts.isEmpty else { return hasBegun ? .ended : .failed }
    let center = GestureMachine.center(of: contacts)
    if contactCount != contacts.count {
      // The center jumps, but nothing has moved.
      start = contactCount == 0 ? center : start + (center - location)
      (contactCount, location) = (contacts.count, center)
      samples = [Sample(instant: instant, location: center)]
      if hasBegun { return contacts.count < minimum ? .ended : .none }
      return contacts.count > maximum ? .failed : .none
    }
    location = center
    translation = center - start
    samples.append(Sample(instant: instant, location: center))
    samples.removeAll { instant - $0.instant > GestureMachine.velocityWindow }
    if hasBegun { return .changed }
    guard contacts.count >= minimum, isFarther(center, from: start, than: TouchRecognizer.slop) else { return .none }
    hasBegun = true
    return .recognized
  }

  private mutating func handlePinch(_ phase: TouchInput.Phase, _ contacts: [GestureContact]) -> Signal {
    guard contacts.count >= 2 else {
      baseDistance = nil
      return hasBegun ? .ended : contacts.isEmpty ? .failed : .none
    }
    location = GestureMachine.center(of: Array(contacts.prefix(2)))
    let distance = max(1, GestureMachine.distance(contacts[0].location, contacts[1].location))
    guard let base = baseDistance else {
      baseDistance = distance
      return .none
    }
    if hasBegun {
      scale = distance / base
      return .changed
    }
    guard (distance - base).magnitude >= TouchRecognizer.pinchSlop else { return .none }
    // Measured from here, so that the scale does not jump.
    (hasBegun, baseDistance) = (true, distance)
    return .recognized
  }

  // MARK: - Geometry

  private func isFarther(_ point: Point, from other: Point, than distance: Double) -> Bool {
    GestureMachine.distance(point, other) > distance
  }

  private static func distance(_ one: Point, _ other: Point) -> Double {
    let vector = one - other
    return (vector.x * vector.x + vector.y * vector.y).squareRoot()
  }

  private static func center(of contacts: [GestureContact]) -> Point {
    let sum = contacts.reduce(Point.zero) { $0 + $1.location }
    return Point(x: sum.x / Double(contacts.count), y: sum.y / Double(contacts.count))
  }
}
