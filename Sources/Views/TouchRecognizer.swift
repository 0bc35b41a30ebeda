import VitrineFramePacing
import VitrineGeometry
import VitrineRendering

/// A recognizer of taps, long presses, pans and pinches.
///
/// It ignores events of unknown fingers and non-finite locations. Two fingers pan and pinch simultaneously: their
/// center moves the content, their distance scales it. Further fingers are ignored.
nonisolated struct TouchRecognizer: Sendable {
  /// The distance in points that a finger may move and still tap.
  static let slop = 8.0
  /// The change in the distance of two fingers, in points, at which a pinch begins.
  static let pinchSlop = 16.0
  /// The time after which a stationary finger is a long press.
  static let longPress = FrameDuration.milliseconds(500)
  /// The maximum time between the taps of a double tap, and their maximum distance in points.
  static let doubleTap = (pause: FrameDuration.milliseconds(300), distance: 32.0)
  /// The time without events after which a finger counts as lifted when another one touches, because its end was lost.
  static let lostTouchTimeout = FrameDuration.seconds(2)

  private struct Finger: Hashable, Sendable {
    var identifier: Int64
    var start: Point
    var location: Point
    /// The time of the last event of the finger.
    var lastEventInstant: FrameInstant
  }

  /// The state of the gesture of all fingers.
  private enum State: Hashable, Sendable { case idle, possible(since: FrameInstant), pan, recognized }

  private var fingers: [Finger] = []
  private var state = State.idle
  private var panStart = Point.zero
  private var middle = Point.zero
  /// The distance of two fingers at the start of the pinch or touch, their current distance, and whether the pinch has
  /// begun.
  private var pinch: (base: Double, last: Double, hasBegun: Bool)?
  private var lastTap: (location: Point, instant: FrameInstant)?

  /// Whether a single finger is panning.
  var isPanningWithOneFinger: Bool { fingers.count == 1 && state == .pan }

  /// Whether any finger is on the screen.
  var isTouched: Bool { !fingers.isEmpty }

  /// Whether a gesture can be recognized by the passage of time alone.
  var isAwaitingLongPress: Bool { longPressInstant != nil }

  /// The time at which a long press is recognized without further events, or nil.
  var longPressInstant: FrameInstant? {
    if case .possible(let since) = state { since + TouchRecognizer.longPress } else { nil }
  }

  /// Returns whether a finger with a given last event counts as lifted when another one touches.
  static func isLost(_ lastEventInstant: FrameInstant, at instant: FrameInstant) -> Bool {
    instant - lastEventInstant >= lostTouchTimeout
  }

  /// Processes a touch and returns the recognized gestures.
  mutating func handle(_ touch: TouchInput, at instant: FrameInstant) -> [TouchGesture] {
    let index = fingers.firstIndex { $0.identifier == touch.finger }
    guard let touch = touch.clamped(orLast: index.map { fingers[$0].location }) else { return [] }
    switch touch.phase {
    case .began:
      // A finger that begins twice lost its end.
      let gestures = index == nil ? cancelLostTouches(at: instant) : cancelGestures()
      return gestures + beginTouch(touch, at: instant)
    case .moved:
      guard let index else { return [] }
      fingers[index].location = touch.location
      fingers[index].lastEventInstant = max(fingers[index].lastEventInstant, instant)
      return moveTouch(touch.location, from: fingers[index].start)
    case .ended:
      guard let index else { return [] }
      fingers[index].location = touch.location
      let moved = moveTouch(touch.location, from: fingers[index].start)
      return moved + endTouch(fingers.remove(at: index), wasAmongFirst: index < 2, at: instant)
    case .cancelled: return index == nil ? [] : cancelGestures()
    }
  }

  /// Advances the time and returns the recognized gestures.
  mutating func advance(to instant: FrameInstant) -> [TouchGesture] {
    guard case .possible(let since) = state, instant - since >= TouchRecognizer.longPress, let finger = fingers.first
    else { return [] }
    state = .recognized
    lastTap = nil
    return [.longPress(finger.location)]
  }

  /// Cancels all gestures if the end of a finger's touch was lost.
  mutating func cancelLostTouches(at instant: FrameInstant) -> [TouchGesture] {
    fingers.contains { TouchRecognizer.isLost($0.lastEventInstant, at: instant) } ? cancelGestures() : []
  }

  /// Cancels all gestures.
  mutating func cancelGestures() -> [TouchGesture] {
    let gestures: [TouchGesture] =
      endPinch(.cancelled)
      + (state == .pan ? [panGesture(.cancelled, by: .zero)] : fingers.isEmpty ? [] : [.lifted])
    fingers = []
    state = .idle
    return gestures
  }

  private mutating func beginTouch(_ touch: TouchInput, at instant: FrameInstant) -> [TouchGesture] {
    fingers.append(
      Finger(identifier: touch.finger, start: touch.location, location: touch.location, lastEventInstant: instant))
    if fingers.count == 1 {
      state = .possible(since: instant)
      return [.touched(touch.location)]
    }
    guard fingers.count == 2, state != .recognized else { return [] }
    pinch = (distance, distance, false)
    middle = center
    guard state != .pan else { return [] }
    return beginPan(translation: .zero)
  }

  private mutating func beginPan(translation: Point) -> [TouchGesture] {
    state = .pan
    middle = center
    panStart = fingers.count > 1 ? middle : (fingers.first?.start ?? middle)
    lastTap = nil
    return [panGesture(.began, by: translation)]
  }

  private mutating func moveTouch(_ location: Point, from start: Point) -> [TouchGesture] {
    switch state {
    case .idle, .recognized: return []
    case .possible:
      let translation = location - start
      guard translation.x * translation.x + translation.y * translation.y > TouchRecognizer.slop * TouchRecognizer.slop
      else { return [] }
      return beginPan(translation: translation)
    case .pan:
      let before = middle
      middle = center
      let pinched = updatePinch()
      return (middle == before ? [] : [panGesture(.moved, by: middle - before)]) + pinched
    }
  }

  private mutating func updatePinch() -> [TouchGesture] {
    guard let (base, last, hasBegun) = pinch, fingers.count > 1 else { return [] }
    let now = distance
    if hasBegun {
      pinch?.last = now
      return now == last ? [] : [.pinch(PinchInput(phase: .moved, location: middle, scale: now / base))]
    }
    guard (now - base).magnitude >= TouchRecognizer.pinchSlop else { return [] }
    // Measured from here, so that the scale does not jump.
    pinch = (now, now, true)
    return [.pinch(PinchInput(phase: .began, location: middle, scale: 1))]
  }

  private mutating func endPinch(_ phase: TouchInput.Phase) -> [TouchGesture] {
    defer { pinch = nil }
    guard let (base, last, hasBegun) = pinch, hasBegun else { return [] }
    return [.pinch(PinchInput(phase: phase, location: middle, scale: last / base))]
  }

  private mutating func endTouch(_ finger: Finger, wasAmongFirst: Bool, at instant: FrameInstant) -> [TouchGesture] {
    var gestures = wasAmongFirst ? endPinch(.ended) : []
    guard fingers.isEmpty else {
      middle = center
      return gestures
    }
    defer { state = .idle }
    switch state {
    case .possible(let since):
      gestures.append(.lifted)
      gestures.append(
        instant - since >= TouchRecognizer.longPress
          ? .longPress(finger.location) : tapGesture(at: finger.location, instant: instant))
    case .pan: gestures.append(panGesture(.ended, by: .zero))
    case .recognized: gestures.append(.lifted)
    case .idle: break
    }
    return gestures
  }

  private mutating func tapGesture(at location: Point, instant: FrameInstant) -> TouchGesture {
    if let last = lastTap, instant - last.instant <= TouchRecognizer.doubleTap.pause {
      let translation = location - last.location
      let maximumDistance = TouchRecognizer.doubleTap.distance
      if translation.x * translation.x + translation.y * translation.y <= maximumDistance * maximumDistance {
        lastTap = nil
        return .tap(location, count: 2)
      }
    }
    lastTap = (location, instant)
    return .tap(location, count: 1)
  }

  private func panGesture(_ phase: TouchInput.Phase, by translation: Point) -> TouchGesture {
    .pan(PanInput(phase: phase, start: panStart, location: middle, translation: translation))
  }

  /// The location of the finger, or the center of the first two.
  private var center: Point {
    guard let first = fingers.first?.location else { return middle }
    guard fingers.count > 1 else { return first }
    let second = fingers[1].location
    return Point(x: (first.x + second.x) / 2, y: (first.y + second.y) / 2)
  }

  /// The distance of the first two fingers.
  private var distance: Double {
    guard fingers.count > 1 else { return 1 }
    let translation = fingers[0].location - fingers[1].location
    return max(1, (translation.x * translation.x + translation.y * translation.y).squareRoot())
  }
}

// MARK: - Clamping

extension TouchInput {
  /// Returns the touch with its location clamped to the vicinity of any screen, or nil if the location is not finite.
  ///
  /// - Parameter last: The last location of the finger, which replaces a non-finite one when the touch ends.
  fileprivate nonisolated func clamped(orLast last: Point?) -> TouchInput? {
    var touch = self
    if !location.x.isFinite || !location.y.isFinite {
      guard phase == .ended || phase == .cancelled else { return nil }
      touch.location = last ?? .zero
    }
    touch.location = Point(x: max(-1e5, min(1e5, touch.location.x)), y: max(-1e5, min(1e5, touch.location.y)))
    return touch
  }
}

// MARK: - Gestures

/// A gesture of fingers on a touchscreen.
nonisolated enum TouchGesture: Hashable, Sendable {
  /// The first finger touched the screen; moving content under it stops.
  case touched(Point)
  /// The last finger left the screen without a pan.
  case lifted
  /// A tap; a count of 2 means the second of a double tap.
  case tap(Point, count: Int)
  /// A finger stayed in place.
  case longPress(Point)
  /// Fingers move over the screen.
  case pan(PanInput)
  /// Two fingers move apart or together.
  case pinch(PinchInput)
}

// MARK: - Long press timer

/// A frame participant that notifies a window of long presses.
final class LongPressTimer: FrameParticipant {
  private weak var window: Window?

  init(_ window: Window) { self.window = window }

  var nextFrame: FrameInstant? {
    window?.gestures?.holdsEvents == true ? nil : window?.touchRouting.recognizer.longPressInstant
  }

  func update(at target: FrameInstant) { window?.advanceTouches(to: target) }
}
