import Glibc
package import VitrineFramePacing
package import VitrineGeometry
package import VitrineScrollPhysics

/// The zoom scale and the content offset of content that scrolls in two dimensions, as functions of time.
///
/// A value that events mutate. Between two events both follow from the time alone, whatever the frame rate. Points are
/// those of the view, the offset is that of the scaled content, and the content's size is that at a scale of 1.
///
/// Invariants:
/// - At rest the scale is within its limits, and the offset within the range of the scaled content. Content that is
///   smaller than the view along an axis is centered along it.
/// - A change of the scale keeps a point of the content in its place, as far as the content's edges allow.
/// - A motion starts at the position that another one has at that time.
package nonisolated struct ZoomState: Sendable {
  /// What the position depends on.
  package struct Geometry: Hashable, Sendable {
    /// The size of the view.
    package var viewport = Size.zero
    /// The size of the content at a scale of 1.
    package var contentSize = Size.zero
    /// The insets of the content from the view's edges.
    package var inset = Insets.zero
    /// The smallest and the largest scale.
    package var limits = 1.0...1.0

    package init() {}
  }

  /// The start of a motion.
  package enum Start: Hashable, Sendable {
    /// At the time of the event.
    case now
    /// When the next frame is shown, for motion that the program starts: the last frame may be long ago.
    case nextFrame
  }

  /// A motion of the scale, the offset or both to a target.
  private struct Transition: Sendable {
    let (startScale, endScale): (Double, Double)
    /// The offset at the start within the range, and what it was beyond it; the excess vanishes.
    var (startOffset, excess): (Point, Point)
    /// The offset at the end, possibly beyond the range.
    var endOffset: Point
    /// The completed part, times ``length``.
    let spring: SpringSimulation
    let length: Double
    /// The time of the start, or nil until a frame shows it.
    var instant: FrameInstant?

    func progress(at time: FrameInstant) -> Double {
      guard let instant else { return 0 }
      return min(1, max(0, spring.position(at: (time - instant).seconds) / length))
    }
    func hasEnded(by time: FrameInstant) -> Bool {
      instant.map { (time - $0).seconds >= spring.duration } ?? false
    }
    func scale(at progress: Double) -> Double {
      progress >= 1 ? endScale : startScale * pow(endScale / startScale, progress)
    }
    /// Returns the offset without regard to the content's edges: linear in the scale, which keeps a point in its place.
    func offset(at progress: Double) -> Point {
      guard progress < 1 else { return endOffset }
      let part = endScale == startScale ? progress : (scale(at: progress) - startScale) / (endScale - startScale)
      return Point(
        x: startOffset.x + (endOffset.x - startOffset.x) * part,
        y: startOffset.y + (endOffset.y - startOffset.y) * part)
    }
    /// Returns the growth of the completed part in 1/s.
    func speed(at time: FrameInstant) -> Double {
      instant.map { spring.velocity(at: (time - $0).seconds) / length } ?? 0
    }
  }

  /// The fingers of a pinch, and the position that they cause.
  private struct Pinch: Sendable {
    /// The scale at the start, before the resistance beyond the limits.
    let pulledScale: Double
    /// The point of the content between the fingers, at a scale of 1.
    let contentPoint: Point
    var scale: Double
    var offset: Point
  }

  /// The factor of a step, by a key or a notch of a wheel.
  package static let stepFactor = 1.25
  /// The distance in points that is not visible as a jump.
  private static let largestJump = 0.1
  /// The exponent by which the scale follows a pinch beyond its limits.
  private static let resistance = 0.3

  /// What the position depends on.
  package private(set) var geometry = Geometry()
  /// The parameters of the motion; a change applies to later events.
  package var tuning = ScrollTuning.standard {
    didSet { (horizontal.tuning, vertical.tuning) = (tuning, tuning) }
  }

  /// The scale without a transition and a pinch.
  private var restingScale = 1.0
  /// Whether the content has been placed in a view with a size.
  private var isPlaced = false
  /// What the program asked for before.
  private var (requestedOffset, requestedRect): (Point?, Rect?) = (nil, nil)
  private var horizontal = ScrollState()
  private var vertical = ScrollState()
  private var transition: Transition?
  private var pinch: Pinch?
  private var lastEvent = FrameInstant.distantPast

  package init() {}

  // MARK: - Position

  /// Returns the scale at an instant.
  package func scale(at instant: FrameInstant) -> Double {
    if let pinch { return pinch.scale }
    guard let transition else { return restingScale }
    return transition.scale(at: transition.progress(at: instant))
  }

  /// Returns the offset of the scaled content at an instant: the distance from its corner to the view's, in points.
  package func offset(at instant: FrameInstant) -> Point {
    if let pinch { return pinch.offset }
    guard let transition else { return Point(x: horizontal.offset(at: instant), y: vertical.offset(at: instant)) }
    let progress = transition.progress(at: instant)
    let inside = clamped(transition.offset(at: progress), at: transition.scale(at: progress))
    return Point(x: inside.x + transition.excess.x * (1 - progress), y: inside.y + transition.excess.y * (1 - progress))
  }

  /// The scale at which the content comes to rest without further events; during a pinch the current one.
  package var targetScale: Double { pinch?.scale ?? transition?.endScale ?? restingScale }

  /// The offset at which the content comes to rest without further events; during a pinch the current one.
  package var targetOffset: Point {
    if let pinch { return pinch.offset }
    if let transition { return clamped(transition.endOffset, at: transition.endScale) }
    return Point(x: horizontal.projectedOffset, y: vertical.projectedOffset)
  }

  /// Returns whether the position will change after an instant without another event, so that frames are needed.
  package func isMoving(at instant: FrameInstant) -> Bool {
    if pinch != nil { return false }
    if let transition { return !transition.hasEnded(by: instant) }
    return horizontal.isMoving(at: instant) || vertical.isMoving(at: instant)
  }

  /// Returns whether a motion or a pinch is in progress, so that late frames count as hitches.
  package func isTracked(at instant: FrameInstant) -> Bool {
    if pinch != nil { return true }
    if let transition { return !transition.hasEnded(by: instant) }
    return horizontal.isTracked(at: instant) || vertical.isTracked(at: instant)
  }

  /// Returns whether the scale is being changed at an instant.
  package func isZooming(at instant: FrameInstant) -> Bool {
    if pinch != nil { return true }
    guard let transition, transition.startScale != transition.endScale else { return false }
    return !transition.hasEnded(by: instant)
  }

  /// Whether two fingers hold the content.
  package var isPinching: Bool { pinch != nil }

  /// Whether there is more than one scale.
  package var canZoom: Bool { geometry.limits.upperBound > geometry.limits.lowerBound }

  /// Returns whether the content can be scrolled along an axis at the scale at which it comes to rest.
  package func canScroll(_ axis: Axis) -> Bool {
    let ranges = ranges(at: targetScale)
    return (axis == .horizontal ? ranges.horizontal : ranges.vertical).length > 0 || tuning.alwaysBounces
  }

  /// Returns the offsets at which the content can rest at a scale.
  package func ranges(at scale: Double) -> (horizontal: ScrollRange, vertical: ScrollRange) {
    let (viewport, content, inset) = (geometry.viewport, geometry.contentSize, geometry.inset)
    return (
      ZoomState.range(content.width * scale, viewport.width, inset.left, inset.right),
      ZoomState.range(content.height * scale, viewport.height, inset.top, inset.bottom)
    )
  }

  private static func range(_ content: Double, _ viewport: Double, _ start: Double, _ end: Double) -> ScrollRange {
    let exact = content + start + end - viewport
    // Content that a rounding error makes larger than the view fits.
    let spare = exact.magnitude < 0.01 ? 0 : exact
    // Smaller content is centered between the insets.
    let minimum = spare < 0 ? spare / 2 - start : 0 - start
    return ScrollRange(minimum: minimum, maximum: spare < 0 ? minimum : spare - start, viewportLength: viewport)
  }

  private func clamped(_ offset: Point, at scale: Double) -> Point {
    let ranges = ranges(at: scale)
    return Point(x: ranges.horizontal.clamp(offset.x), y: ranges.vertical.clamp(offset.y))
  }

  private func clampedScale(_ scale: Double) -> Double {
    min(geometry.limits.upperBound, max(geometry.limits.lowerBound, scale))
  }

  /// The center of the view between the insets.
  package var center: Point {
    let (viewport, inset) = (geometry.viewport, geometry.inset)
    return Point(
      x: (viewport.width + inset.left - inset.right) / 2, y: (viewport.height + inset.top - inset.bottom) / 2)
  }

  /// Returns the point of the content, at a scale of 1, that is displayed at a point of the view.
  package func contentPoint(at point: Point, at instant: FrameInstant) -> Point {
    let (offset, scale) = (offset(at: instant), scale(at: instant))
    return Point(x: (offset.x + point.x) / scale, y: (offset.y + point.y) / scale)
  }

  // MARK: - Frames

  /// Starts a motion of the program in the first frame that shows it, and ends a finished one.
  package mutating func prepareFrame(at instant: FrameInstant) {
    if transition != nil, transition?.instant == nil { transition?.instant = max(instant, lastEvent) }
    endTransition(by: instant)
  }

  /// Delays the motion after an instant by a duration in which the content was not visible.
  package mutating func delay(by duration: FrameDuration, after instant: FrameInstant) {
    if let start = transition?.instant {
      transition?.instant = start + duration
      lastEvent = max(lastEvent, instant + duration)
    }
    horizontal.delay(by: duration, after: instant)
    vertical.delay(by: duration, after: instant)
  }

  private mutating func endTransition(by instant: FrameInstant) {
    guard let transition, transition.hasEnded(by: instant) else { return }
    place(transition.endOffset, at: transition.endScale)
  }

  /// Places the content at rest, within its edges.
  private mutating func place(_ offset: Point, at scale: Double) {
    (transition, pinch, restingScale) = (nil, nil, scale)
    let ranges = ranges(at: scale)
    horizontal = ScrollState(range: ranges.horizontal, offset: ranges.horizontal.clamp(offset.x), tuning: tuning)
    vertical = ScrollState(range: ranges.vertical, offset: ranges.vertical.clamp(offset.y), tuning: tuning)
  }

  /// Returns the time of an event, after ending a motion that is over by then.
  private mutating func begin(_ time: FrameInstant) -> FrameInstant {
    let instant = max(time, lastEvent)
    lastEvent = instant
    endTransition(by: instant)
    return instant
  }

  // MARK: - Geometry

  /// Changes what the position depends on.
  ///
  /// The content keeps its point in the center if the view's size or the scale changes, and its offset otherwise. Content
  /// at its start stays there.
  package mutating func setGeometry(_ next: Geometry, at time: FrameInstant) {
    guard next != geometry else { return }
    let instant = begin(time)
    let (last, scale) = (geometry, targetScale)
    let before = ranges(at: scale)
    let target = targetOffset
    geometry = next
    // A view without a size shows nothing, and keeps its place for when it has one.
    if isPlaced, next.viewport.width <= 0 || next.viewport.height <= 0 {
      geometry.viewport = last.viewport
      if geometry == last { return }
    }
    let nextScale = clampedScale(scale)
    let ranges = ranges(at: scale)
    func adjustment(_ old: ScrollRange, _ new: ScrollRange, _ offset: Double, _ growth: Double) -> Double {
      offset == old.minimum ? new.minimum - old.minimum : -growth / 2
    }
    let viewport = geometry.viewport
    let hasSize = viewport.width > 0 && viewport.height > 0 && geometry.contentSize != .zero
    let isFirst = !isPlaced
    if hasSize { isPlaced = true }
    let move = Point(
      x: adjustment(before.horizontal, ranges.horizontal, target.x, viewport.width - last.viewport.width),
      y: adjustment(before.vertical, ranges.vertical, target.y, viewport.height - last.viewport.height))
    guard pinch == nil else { return }
    if isFirst {
      let ranges = self.ranges(at: nextScale)
      place(requestedOffset ?? Point(x: ranges.horizontal.minimum, y: ranges.vertical.minimum), at: nextScale)
      guard hasSize else { return }
      let rect = requestedRect
      (requestedOffset, requestedRect) = (nil, nil)
      if let rect { zoom(to: rect, animated: false, from: .now, at: instant) }
      return
    }
    guard transition == nil else {
      // The motion goes on, from and to where the content has moved.
      if let last = transition {
        transition?.startOffset = last.startOffset + move
        transition?.endOffset = last.endOffset + move
      }
      guard nextScale != scale else { return }
      let content = contentPoint(at: center, at: instant)
      return self.move(
        to: Point(x: content.x * nextScale - center.x, y: content.y * nextScale - center.y), nextScale, animated: true,
        .keyboard, .now, at: instant)
    }
    guard nextScale == scale else {
      let moved = target + move
      let center = center
      let factor = nextScale / scale
      return place(
        Point(x: (moved.x + center.x) * factor - center.x, y: (moved.y + center.y) * factor - center.y), at: nextScale)
    }
    horizontal.handle(.rangeChanged(ranges.horizontal, offsetAdjustment: move.x), at: instant)
    vertical.handle(.rangeChanged(ranges.vertical, offsetAdjustment: move.y), at: instant)
  }

  // MARK: - Zooming

  /// Changes the scale around a point of the view, which is the center if it is nil.
  package mutating func zoom(
    to requested: Double, around point: Point?, animated: Bool, with spring: SpringParameters = .keyboard,
    from start: Start = .now, at time: FrameInstant
  ) {
    guard requested.isFinite, pinch == nil else { return }
    let instant = begin(time)
    let point = point ?? center
    let content = contentPoint(at: point, at: instant)
    let scale = clampedScale(requested)
    move(
      to: Point(x: content.x * scale - point.x, y: content.y * scale - point.y), scale, animated: animated, spring,
      start, at: instant)
  }

  /// Changes the scale by steps of which each has the factor ``stepFactor``, continuing to the target of a change in
  /// progress.
  package mutating func zoom(bySteps steps: Double, around point: Point?, animated: Bool, at time: FrameInstant) {
    guard steps.isFinite, steps != 0 else { return }
    endTransition(by: max(time, lastEvent))
    let base = animated ? targetScale : scale(at: max(time, lastEvent))
    zoom(
      to: base * pow(ZoomState.stepFactor, min(40, max(-40, steps))), around: point, animated: animated, with: .wheel,
      at: time)
  }

  /// Enlarges content that has its smallest scale, and otherwise shows it at that scale, around a point of the view.
  package mutating func toggle(around point: Point, at time: FrameInstant) {
    let limits = geometry.limits
    endTransition(by: max(time, lastEvent))
    let isEnlarged = targetScale > limits.lowerBound * 1.000_001
    let scale = isEnlarged ? limits.lowerBound : max(1, limits.lowerBound * 2)
    zoom(to: scale, around: point, animated: true, at: time)
  }

  /// Shows a rectangle of the content, at a scale of 1, as large as the limits allow, with its center in the view's.
  package mutating func zoom(to rect: Rect, animated: Bool, from start: Start, at time: FrameInstant) {
    let (viewport, inset) = (geometry.viewport, geometry.inset)
    let (width, height) = (viewport.width - inset.left - inset.right, viewport.height - inset.top - inset.bottom)
    let isUsable = rect.width > 0 && rect.height > 0 && (rect.midX + rect.midY + rect.width + rect.height).isFinite
    guard isUsable, pinch == nil else { return }
    guard isPlaced else { return requestedRect = rect }
    guard width > 0, height > 0 else { return }
    let instant = begin(time)
    let scale = clampedScale(min(width / rect.width, height / rect.height))
    let target = Point(x: rect.midX * scale - center.x, y: rect.midY * scale - center.y)
    move(to: clamped(target, at: scale), scale, animated: animated, .keyboard, start, at: instant)
  }

  /// Scrolls to an offset of the scaled content.
  package mutating func setOffset(_ offset: Point, animated: Bool, from start: Start, at time: FrameInstant) {
    guard !offset.x.isNaN, !offset.y.isNaN, pinch == nil else { return }
    guard isPlaced else { return requestedOffset = offset }
    let instant = begin(time)
    let scale = clampedScale(animated ? targetScale : self.scale(at: instant))
    move(to: clamped(offset, at: scale), scale, animated: animated, .keyboard, start, at: instant)
  }

  /// Moves to an offset and a scale from the current position.
  private mutating func move(
    to endOffset: Point, _ endScale: Double, animated: Bool, _ parameters: SpringParameters, _ start: Start,
    at instant: FrameInstant
  ) {
    let (startScale, offset) = (scale(at: instant), offset(at: instant))
    let inside = clamped(offset, at: startScale)
    let end = clamped(endOffset, at: endScale)
    let distance = end - offset
    guard animated, !tuning.reducesMotion, startScale != endScale || distance != .zero else {
      return place(end, at: endScale)
    }
    let ratio = log(endScale / startScale)
    // The spring's rest distance must not be visible.
    let length = max(1, (distance.x * distance.x + distance.y * distance.y).squareRoot(), ratio.magnitude * 2_000)
    let speed = max(0, min(parameters.frequency, self.speed(towards: ratio, distance, at: instant)))
    transition = Transition(
      startScale: startScale, endScale: endScale, startOffset: inside, excess: offset - inside, endOffset: endOffset,
      spring: SpringSimulation(start: 0, velocity: speed * length, target: length, parameters: parameters),
      length: length, instant: start == .now ? instant : nil)
  }

  /// Returns the part of a motion that the current motion completes in a second.
  private func speed(towards ratio: Double, _ distance: Point, at instant: FrameInstant) -> Double {
    if ratio.magnitude > 1e-9 {
      guard let transition else { return 0 }
      return transition.speed(at: instant) * log(transition.endScale / transition.startScale) / ratio
    }
    var velocity = Point(x: horizontal.velocity(at: instant), y: vertical.velocity(at: instant))
    if let transition {
      let (speed, way) = (transition.speed(at: instant), transition.endOffset - transition.startOffset)
      velocity = Point(x: way.x * speed, y: way.y * speed)
    }
    let square = distance.x * distance.x + distance.y * distance.y
    return square > 0 ? (velocity.x * distance.x + velocity.y * distance.y) / square : 0
  }

  // MARK: - Pinches

  /// Starts to follow two fingers around a point of the view between them.
  package mutating func beginPinch(at point: Point, at time: FrameInstant) {
    guard canZoom else { return }
    let instant = begin(time)
    let (scale, offset) = (scale(at: instant), offset(at: instant))
    // Continues as if the fingers had pulled it there.
    let edge = clamped(offset, at: scale)
    let (across, down) = bands
    let pulled = Point(
      x: edge.x + across.pulled(shown: offset.x - edge.x), y: edge.y + down.pulled(shown: offset.y - edge.y))
    transition = nil
    pinch = Pinch(
      pulledScale: resisted(scale, 1 / ZoomState.resistance),
      contentPoint: Point(x: (pulled.x + point.x) / scale, y: (pulled.y + point.y) / scale), scale: scale,
      offset: offset)
  }

  /// Follows two fingers.
  ///
  /// - Parameters:
  ///   - factor: The distance of the fingers relative to that at the start.
  ///   - point: The point of the view between the fingers.
  ///   - time: The time of the event.
  package mutating func movePinch(by factor: Double, to point: Point, at time: FrameInstant) {
    guard var next = pinch, factor.isFinite, factor > 0, point.x.isFinite, point.y.isFinite else { return }
    _ = begin(time)
    let wanted = next.pulledScale * min(1e6, max(1e-6, factor))
    let scale = isElastic ? resisted(wanted, ZoomState.resistance) : clampedScale(wanted)
    let pulled = Point(x: next.contentPoint.x * scale - point.x, y: next.contentPoint.y * scale - point.y)
    let edge = clamped(pulled, at: scale)
    let (across, down) = bands
    next.scale = scale
    next.offset =
      isElastic
      ? Point(x: edge.x + across.shown(pulled: pulled.x - edge.x), y: edge.y + down.shown(pulled: pulled.y - edge.y))
      : edge
    pinch = next
  }

  /// Ends a pinch: the content returns from beyond its limits.
  ///
  /// - Parameters:
  ///   - point: The point of the view that keeps its place.
  ///   - time: The time of the event.
  package mutating func endPinch(at point: Point, at time: FrameInstant) {
    guard let pinch else { return }
    let instant = begin(time)
    let scale = clampedScale(pinch.scale)
    let factor = scale / pinch.scale
    let end = Point(x: (pinch.offset.x + point.x) * factor - point.x, y: (pinch.offset.y + point.y) * factor - point.y)
    let rest = clamped(end, at: scale)
    if scale == pinch.scale, max((rest.x - pinch.offset.x).magnitude, (rest.y - pinch.offset.y).magnitude) < 0.01 {
      return place(rest, at: scale)
    }
    (self.pinch, restingScale) = (nil, pinch.scale)
    let ranges = ranges(at: pinch.scale)
    // The motion starts at the fingers' position, which may be beyond the range.
    let start = Transition(
      startScale: pinch.scale, endScale: pinch.scale, startOffset: clamped(pinch.offset, at: pinch.scale),
      excess: pinch.offset - clamped(pinch.offset, at: pinch.scale), endOffset: pinch.offset,
      spring: SpringSimulation(start: 0, target: 1, parameters: .keyboard), length: 1, instant: instant)
    horizontal = ScrollState(range: ranges.horizontal, offset: ranges.horizontal.clamp(pinch.offset.x), tuning: tuning)
    vertical = ScrollState(range: ranges.vertical, offset: ranges.vertical.clamp(pinch.offset.y), tuning: tuning)
    transition = start
    move(to: end, scale, animated: true, .keyboard, .now, at: instant)
  }

  private var isElastic: Bool { tuning.bounces && !tuning.reducesMotion }

  private var bands: (across: RubberBand, down: RubberBand) {
    (
      RubberBand(viewportLength: geometry.viewport.width, coefficient: tuning.touchBand),
      RubberBand(viewportLength: geometry.viewport.height, coefficient: tuning.touchBand)
    )
  }

  /// Returns a scale whose distance beyond a limit has an exponent.
  private func resisted(_ scale: Double, _ exponent: Double) -> Double {
    let limit = clampedScale(scale)
    return scale == limit ? scale : limit * pow(scale / limit, exponent)
  }

  // MARK: - Scrolling

  /// Applies an event to the offset: one for each axis, or nil to leave it.
  ///
  /// It stops a change of the scale, unless the scale is returning to its limits, or the offset from where no drag can have
  /// moved it. During a pinch it has no effect.
  package mutating func scroll(_ across: ScrollEvent?, _ down: ScrollEvent?, at time: FrameInstant) {
    guard pinch == nil else { return }
    let instant = begin(time)
    if let transition {
      // The end of a drag that a change of the scale has taken over.
      let events = [across, down].compactMap { $0 }
      guard events.contains(where: { $0 != .release && $0 != .stop }) else { return }
      let (scale, offset) = (scale(at: instant), offset(at: instant))
      let inside = clamped(offset, at: scale)
      let isHeld = events.contains { $0.isDrag }
      guard scale == clampedScale(scale), isHeld || offset == inside else { return }
      let target = clamped(transition.endOffset, at: transition.endScale)
      let before = self
      if !isHeld, transition.startScale == transition.endScale {
        // A wheel or a key continues to the target along the other axis.
        place(offset, at: scale)
        if across == nil { horizontal.handle(.settle(at: target.x), at: instant) }
        if down == nil { vertical.handle(.settle(at: target.y), at: instant) }
      } else {
        place(offset, at: scale)
      }
      if isHeld {
        pull(by: offset - inside, at: instant)
        let jump = self.offset(at: instant) - offset
        guard max(jump.x.magnitude, jump.y.magnitude) < ZoomState.largestJump else {
          self = before
          return
        }
      }
    }
    if let across { horizontal.handle(across, at: instant) }
    if let down { vertical.handle(down, at: instant) }
  }

  /// Holds the content where it is beyond its edges.
  private mutating func pull(by excess: Point, at instant: FrameInstant) {
    guard excess != .zero else { return }
    let (across, down) = bands
    horizontal.handle(.hold, at: instant)
    horizontal.handle(.drag(by: across.pulled(shown: excess.x)), at: instant)
    vertical.handle(.hold, at: instant)
    vertical.handle(.drag(by: down.pulled(shown: excess.y)), at: instant)
  }
}

extension ScrollEvent {
  /// Whether a finger or a pressed pointer holds the content.
  fileprivate nonisolated var isDrag: Bool {
    switch self {
    case .hold, .drag: true
    default: false
    }
  }
}
