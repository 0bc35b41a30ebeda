import FramePacing
import Geometry
import Rendering

/// Tells taps, long presses, pans and pinches by what fingers do.
///
/// Touches of fingers that are not known, and places that are no numbers, mean nothing. Two fingers pan and pinch at once:
/// their middle moves the content, their distance makes it larger. A third one means nothing.
nonisolated struct TouchRecognizer: Sendable {
  /// Points that a finger may go and still taps.
  static let slop = 8.0
  /// Points by which the distance of two fingers changes before they pinch.
  static let pinchSlop = 16.0
  /// How long a finger stays where it is to mean something else than a tap.
  static let longPress = FrameDuration.milliseconds(500)
  /// A tap this soon after another, and this near in points, is its second.
  static let doubleTap = (pause: FrameDuration.milliseconds(300), distance: 32.0)
  /// A finger that has been silent for so long when another one comes is there no more: its end was lost.
  static let lostTouchTimeout = FrameDuration.seconds(2)

  private struct Finger: Hashable, Sendable {
    var identifier: Int64
    var start: Point
    var location: Point
    /// When it was heard of last.
    var lastEventInstant: FrameInstant
  }

  /// What the fingers that are there have come to mean.
  private enum State: Hashable, Sendable { case idle, possible(since: FrameInstant), pan, recognized }

  private var fingers: [Finger] = []
  private var state = State.idle
  private var panStart = Point.zero
  private var middle = Point.zero
  /// How far apart two fingers were when they began to pinch or touched, how far they are, and whether they pinch already.
  private var pinch: (base: Double, last: Double, hasBegun: Bool)?
  private var lastTap: (place: Point, instant: FrameInstant)?

  /// Whether there is one finger, and it draws content along.
  var isPanningWithOneFinger: Bool { fingers.count == 1 && state == .pan }

  /// Whether fingers are on the screen.
  var isTouched: Bool { !fingers.isEmpty }

  /// Whether time alone may tell what the fingers mean.
  var isAwaitingLongPress: Bool { longPressInstant != nil }

  /// When time alone tells what the fingers mean.
  var longPressInstant: FrameInstant? {
    if case .possible(let since) = state { since + TouchRecognizer.longPress } else { nil }
  }

  /// Whether a finger that was heard of last at an instant is there no more when another one comes.
  static func isLost(_ heard: FrameInstant, at instant: FrameInstant) -> Bool { instant - heard >= lostTouchTimeout }

  /// Takes a touch.
  mutating func handle(_ touch: TouchInput, at instant: FrameInstant) -> [TouchGesture] {
    let place = fingers.firstIndex { $0.identifier == touch.finger }
    guard let touch = touch.clamped(orLast: place.map { fingers[$0].location }) else { return [] }
    switch touch.phase {
    case .began:
      // Its end was lost.
      let gestures = place == nil ? cancelLostTouches(at: instant) : cancelGestures()
      return gestures + beginTouch(touch, at: instant)
    case .moved:
      guard let place else { return [] }
      fingers[place].location = touch.location
      fingers[place].lastEventInstant = max(fingers[place].lastEventInstant, instant)
      return moveTouch(touch.location, from: fingers[place].start)
    case .ended:
      guard let place else { return [] }
      fingers[place].location = touch.location
      let moved = moveTouch(touch.location, from: fingers[place].start)
      return moved + endTouch(fingers.remove(at: place), wasAmongFirst: place < 2, at: instant)
    case .cancelled: return place == nil ? [] : cancelGestures()
    }
  }

  /// Time goes by.
  mutating func advance(to instant: FrameInstant) -> [TouchGesture] {
    guard case .possible(let since) = state, instant - since >= TouchRecognizer.longPress, let finger = fingers.first
    else { return [] }
    state = .recognized
    lastTap = nil
    return [.longPress(finger.location)]
  }

  /// Another finger comes: those whose end was lost are there no more, and what they meant is over.
  mutating func cancelLostTouches(at instant: FrameInstant) -> [TouchGesture] {
    fingers.contains { TouchRecognizer.isLost($0.lastEventInstant, at: instant) } ? cancelGestures() : []
  }

  /// The fingers that are there mean nothing any more.
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
    return beginPan(toward: .zero)
  }

  private mutating func beginPan(toward way: Point) -> [TouchGesture] {
    state = .pan
    middle = center
    panStart = fingers.count > 1 ? middle : (fingers.first?.start ?? middle)
    lastTap = nil
    return [panGesture(.began, by: way)]
  }

  private mutating func moveTouch(_ location: Point, from start: Point) -> [TouchGesture] {
    switch state {
    case .idle, .recognized: return []
    case .possible:
      let way = location - start
      guard way.x * way.x + way.y * way.y > TouchRecognizer.slop * TouchRecognizer.slop else { return [] }
      return beginPan(toward: way)
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
    // From here on, so that nothing leaps.
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

  private mutating func tapGesture(at place: Point, instant: FrameInstant) -> TouchGesture {
    if let last = lastTap, instant - last.instant <= TouchRecognizer.doubleTap.pause {
      let way = place - last.place
      let reach = TouchRecognizer.doubleTap.distance
      if way.x * way.x + way.y * way.y <= reach * reach {
        lastTap = nil
        return .tap(place, count: 2)
      }
    }
    lastTap = (place, instant)
    return .tap(place, count: 1)
  }

  private func panGesture(_ phase: TouchInput.Phase, by way: Point) -> TouchGesture {
    .pan(PanInput(phase: phase, start: panStart, location: middle, translation: way))
  }

  /// Where the finger is, or the middle of the first two.
  private var center: Point {
    guard let first = fingers.first?.location else { return middle }
    guard fingers.count > 1 else { return first }
    let second = fingers[1].location
    return Point(x: (first.x + second.x) / 2, y: (first.y + second.y) / 2)
  }

  /// How far the first two fingers are apart.
  private var distance: Double {
    guard fingers.count > 1 else { return 1 }
    let way = fingers[0].location - fingers[1].location
    return max(1, (way.x * way.x + way.y * way.y).squareRoot())
  }
}

extension TouchInput {
  /// The touch at a place that can be reckoned with, near the window as any screen; nothing where its place is no number.
  ///
  /// - Parameter last: where the finger was, which is where it leaves the screen if that is no number.
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
