import Glibc
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics

/// The magnification and the place of a picture in a viewer, as functions of time.
///
/// A value that events mutate. A magnification of 1 shows a pixel of the picture in a pixel of the display. Points are
/// those of the viewer.
///
/// Invariants:
/// - At rest, the magnification is at least that of the whole picture, and the viewer shows nothing beside a picture that
///   is larger than it along an axis. A smaller picture is centered.
/// - A change of the magnification keeps a point of the picture in place, as far as the picture's edges allow, and begins
///   from what the last frame showed.
nonisolated struct PictureZoom: Sendable {
  /// A magnification that depends on the size of the viewer.
  enum Fitting: Hashable, Sendable {
    /// The whole picture is visible, and never enlarged beyond its pixels.
    case whole
    /// The picture covers the viewer.
    case covering
  }

  /// The magnification and the place of a picture, independent of its size, so that another picture can follow.
  struct Place: Hashable, Sendable {
    /// The magnification, as a multiple of that of the whole picture.
    var factor = 1.0
    /// The point of the picture in the center of the viewer, of its width and its height.
    var center = Point(x: 0.5, y: 0.5)
    /// How far the picture is dragged beyond its edges, in points.
    var excess = Point.zero
  }

  /// A change of the magnification around a point.
  private struct Motion: Hashable, Sendable {
    /// The magnifications.
    let start: Double
    let end: Double
    /// The time of the first frame, or nil until there is one.
    var instant: FrameInstant?
    /// The point in the viewer that stays in place, and that of the picture below it, in points at magnification 1.
    let anchor: Point
    let picturePoint: Point
    /// How far the picture was dragged beyond its edges; the distance vanishes.
    let excess: Point

    /// Returns the completed part of the motion, 0 to 1.
    func share(at instant: FrameInstant) -> Double {
      guard let start = self.instant else { return 0 }
      let share = min(1, max(0, (instant - start).seconds / PictureZoom.duration.seconds))
      return 1 - (1 - share) * (1 - share) * (1 - share)
    }

    /// Returns the magnification, which grows by equal factors.
    func magnification(at share: Double) -> Double {
      share >= 1 ? end : start * pow(end / start, share)
    }
  }

  /// The fingers of a pinch.
  private struct Pinch: Hashable, Sendable {
    let magnification: Double
    let picturePoint: Point
  }

  /// The duration of a change of the magnification.
  static let duration = FrameDuration.milliseconds(200)
  /// The factor of a step, by a key or a notch of a wheel.
  static let stepFactor = 1.25
  /// The largest magnification, unless a small picture needs more to cover the viewer.
  static let maximum = 16.0
  /// The distance by which a key moves the picture, in points.
  static let keyDistance = 100.0

  /// The size of the viewer.
  private(set) var viewport = Size.zero
  /// The size of the picture at magnification 1.
  private(set) var pictureSize = Size.zero
  /// The magnification that is kept when a size changes, or nil if the user chose another one.
  private(set) var fitting: Fitting? = .whole
  /// Whether magnifications change without animation.
  var reducesMotion = false

  // At the end of a motion, and without one.
  private var magnification = 1.0
  private var horizontal = ScrollState()
  private var vertical = ScrollState()
  private var motion: Motion?
  private var pinch: Pinch?
  /// How far a picture that follows another one is beyond its edges.
  private var followedExcess = Point.zero

  // MARK: Values

  /// The magnification that shows the whole picture, at most 1.
  var wholeMagnification: Double { min(1, ratio(min)) }

  /// The magnification at which the picture covers the viewer.
  var coveringMagnification: Double { ratio(max) }

  /// The largest magnification.
  var maximumMagnification: Double { max(PictureZoom.maximum, coveringMagnification) }

  /// The magnification at the end of the current motion.
  var targetMagnification: Double { motion?.end ?? magnification }

  /// Whether the picture is, or becomes, larger than when it is whole.
  var isZoomed: Bool { targetMagnification > wholeMagnification * 1.000_001 }

  /// Returns the magnification at an instant.
  func magnification(at instant: FrameInstant) -> Double {
    guard let motion else { return magnification }
    return motion.magnification(at: motion.share(at: instant))
  }

  /// Returns the frame of the picture in the viewer's coordinates at an instant.
  func frame(at instant: FrameInstant) -> Rect {
    let magnification = magnification(at: instant)
    let offset = offset(at: instant)
    // A picture of a few pixels in one direction stays visible.
    let width = max(1, pictureSize.width * magnification)
    let height = max(1, pictureSize.height * magnification)
    return Rect(x: -offset.x, y: -offset.y, width: width, height: height)
  }

  /// Returns whether the frame changes after an instant without another event.
  func isMoving(at instant: FrameInstant) -> Bool {
    if let motion { return motion.share(at: instant) < 1 }
    return horizontal.isMoving(at: instant) || vertical.isMoving(at: instant)
  }

  private func ratio(_ choose: (Double, Double) -> Double) -> Double {
    guard pictureSize.width > 0, pictureSize.height > 0, viewport.width > 0, viewport.height > 0 else { return 1 }
    return choose(viewport.width / pictureSize.width, viewport.height / pictureSize.height)
  }

  private func magnification(of fitting: Fitting) -> Double {
    switch fitting {
    case .whole: wholeMagnification
    case .covering: max(wholeMagnification, coveringMagnification)
    }
  }

  /// Returns the offsets at which the picture can rest along an axis.
  private func range(_ picture: Double, _ viewport: Double, _ magnification: Double) -> ScrollRange {
    let spare = picture * magnification - viewport
    return ScrollRange(minimum: min(0, spare / 2), maximum: max(spare, spare / 2), viewportLength: viewport)
  }

  private func ranges(at magnification: Double) -> (horizontal: ScrollRange, vertical: ScrollRange) {
    (
      range(pictureSize.width, viewport.width, magnification),
      range(pictureSize.height, viewport.height, magnification)
    )
  }

  private func clamped(_ offset: Point, at magnification: Double) -> Point {
    let ranges = ranges(at: magnification)
    return Point(x: ranges.horizontal.clamp(offset.x), y: ranges.vertical.clamp(offset.y))
  }

  /// Returns the distance from the picture's corner to the viewer's.
  private func offset(at instant: FrameInstant) -> Point {
    guard let motion else {
      return Point(x: horizontal.offset(at: instant), y: vertical.offset(at: instant)) + followedExcess
    }
    let share = motion.share(at: instant)
    let magnification = motion.magnification(at: share)
    let (point, anchor) = (motion.picturePoint, motion.anchor)
    let kept = clamped(
      Point(x: point.x * magnification - anchor.x, y: point.y * magnification - anchor.y), at: magnification)
    return Point(x: kept.x + motion.excess.x * (1 - share), y: kept.y + motion.excess.y * (1 - share))
  }

  private var center: Point { Point(x: viewport.width / 2, y: viewport.height / 2) }

  private func picturePoint(below point: Point, at instant: FrameInstant) -> Point {
    let (offset, magnification) = (offset(at: instant), magnification(at: instant))
    return Point(x: (offset.x + point.x) / magnification, y: (offset.y + point.y) / magnification)
  }

  // MARK: Sizes

  /// Sets the sizes.
  ///
  /// A fitting magnification is kept, or else the magnification and what is in the center of the viewer, as a part of the
  /// picture.
  mutating func setSizes(viewport: Size, picture: Size, at instant: FrameInstant) {
    guard viewport != self.viewport || picture != pictureSize else { return }
    let old = pictureSize
    let point = picturePoint(below: center, at: instant)
    (self.viewport, pictureSize) = (viewport, picture)
    motion = nil
    pinch = nil
    magnification =
      fitting.map(magnification(of:)) ?? min(maximumMagnification, max(wholeMagnification, magnification))
    let share = Point(
      x: old.width > 0 ? point.x / old.width : 0.5, y: old.height > 0 ? point.y / old.height : 0.5)
    place(
      Point(x: share.x * picture.width, y: share.y * picture.height), below: center, at: magnification)
  }

  /// Shows the whole picture, without animation, for another picture.
  mutating func reset() {
    fitting = .whole
    motion = nil
    pinch = nil
    magnification = wholeMagnification
    place(.zero, below: .zero, at: magnification)
  }

  /// Places the picture at rest.
  private mutating func place(_ picturePoint: Point, below point: Point, at magnification: Double) {
    self.magnification = magnification
    followedExcess = .zero
    let ranges = ranges(at: magnification)
    horizontal = ScrollState(
      range: ranges.horizontal, offset: ranges.horizontal.clamp(picturePoint.x * magnification - point.x))
    vertical = ScrollState(
      range: ranges.vertical, offset: ranges.vertical.clamp(picturePoint.y * magnification - point.y))
    (horizontal.tuning.reducesMotion, vertical.tuning.reducesMotion) = (reducesMotion, reducesMotion)
  }

  // MARK: Magnification

  /// Changes the magnification by steps, and stops at the whole picture and at its own pixels.
  ///
  /// - Parameters:
  ///   - steps: The number of steps, fractions for trackpads. Positive numbers enlarge.
  ///   - anchor: The point that stays in place, or nil for the center.
  ///   - instant: The time of the event.
  mutating func zoom(bySteps steps: Double, around anchor: Point?, at instant: FrameInstant) {
    guard steps.isFinite, steps != 0 else { return }
    let current = targetMagnification
    var next = current * pow(PictureZoom.stepFactor, min(20, max(-20, steps)))
    if (current < 1) != (next < 1), (current - 1).magnitude > 0.001 { next = 1 }
    zoom(to: next, around: anchor, at: instant)
  }

  /// Changes the magnification.
  mutating func zoom(to magnification: Double, around anchor: Point?, at instant: FrameInstant) {
    guard magnification.isFinite else { return }
    let target = min(maximumMagnification, max(wholeMagnification, magnification))
    beginMotion(to: target, around: anchor, at: instant)
    fitting = target <= wholeMagnification ? .whole : nil
  }

  /// Shows the whole picture, or covers the viewer with it.
  mutating func zoom(to fitting: Fitting, around anchor: Point?, at instant: FrameInstant) {
    beginMotion(to: magnification(of: fitting), around: anchor, at: instant)
    self.fitting = fitting
  }

  /// Shows the picture's own pixels, or the whole picture if it is enlarged already.
  ///
  /// A picture whose own pixels are not larger than the whole picture covers the viewer.
  mutating func toggle(around anchor: Point?, at instant: FrameInstant) {
    if isZoomed { return zoom(to: .whole, around: anchor, at: instant) }
    if wholeMagnification < 1 { return zoom(to: 1, around: anchor, at: instant) }
    zoom(to: .covering, around: anchor, at: instant)
  }

  private mutating func beginMotion(to end: Double, around anchor: Point?, at instant: FrameInstant) {
    let anchor = anchor ?? center
    let start = magnification(at: instant)
    let offset = offset(at: instant)
    let point = picturePoint(below: anchor, at: instant)
    let kept = clamped(offset, at: start)
    pinch = nil
    guard !reducesMotion, end != start || kept != offset else { return finish(at: end, point, anchor) }
    motion = Motion(
      start: start, end: end, instant: nil, anchor: anchor, picturePoint: point,
      excess: Point(x: offset.x - kept.x, y: offset.y - kept.y))
  }

  private mutating func finish(at magnification: Double, _ picturePoint: Point, _ anchor: Point) {
    motion = nil
    place(picturePoint, below: anchor, at: magnification)
  }

  /// Starts a new motion in the first frame that shows it, and ends a finished one.
  mutating func prepareFrame(at instant: FrameInstant) {
    guard motion != nil else { return }
    if motion?.instant == nil { motion?.instant = instant }
    if let motion, motion.share(at: instant) >= 1 { finish(at: motion.end, motion.picturePoint, motion.anchor) }
  }

  /// Follows a pinch of two fingers.
  mutating func handle(_ pinch: PinchInput, at instant: FrameInstant) {
    switch pinch.phase {
    case .began:
      self.pinch = Pinch(
        magnification: magnification(at: instant), picturePoint: picturePoint(below: pinch.location, at: instant))
    case .moved:
      guard let start = self.pinch, pinch.scale.isFinite, pinch.scale > 0 else { return }
      motion = nil
      fitting = nil
      let wanted = start.magnification * pinch.scale
      place(start.picturePoint, below: pinch.location, at: resisted(wanted))
    case .ended, .cancelled:
      guard self.pinch != nil else { return }
      self.pinch = nil
      let rest = min(maximumMagnification, max(wholeMagnification, magnification))
      if rest != magnification { zoom(to: rest, around: pinch.location, at: instant) }
      if rest <= wholeMagnification { fitting = .whole }
    }
  }

  /// Returns a magnification that follows the fingers less beyond the limits.
  private func resisted(_ magnification: Double) -> Double {
    let (lowest, highest) = (wholeMagnification, maximumMagnification)
    if magnification < lowest { return lowest * pow(magnification / lowest, 0.3) }
    if magnification > highest { return highest * pow(magnification / highest, 0.3) }
    return magnification
  }

  // MARK: Place

  /// Applies an event to the place of the picture: one for each axis.
  ///
  /// It stops a change of the magnification.
  mutating func move(_ across: ScrollEvent?, _ down: ScrollEvent?, at instant: FrameInstant) {
    if let motion {
      let reached = motion.magnification(at: motion.share(at: instant))
      let point = picturePoint(below: center, at: instant)
      if reached != motion.end, reached > wholeMagnification { fitting = nil }
      finish(at: reached, point, center)
    }
    followedExcess = .zero
    if let across { horizontal.handle(across, at: instant) }
    if let down { vertical.handle(down, at: instant) }
  }

  /// Moves a point of the picture to the center of the viewer, as far as its edges allow.
  ///
  /// - Parameters:
  ///   - part: The point, of the width and the height of the picture.
  ///   - instant: The time of the event.
  mutating func center(on part: Point, at instant: FrameInstant) {
    guard part.x.isFinite, part.y.isFinite else { return }
    finish(
      at: targetMagnification, Point(x: part.x * pictureSize.width, y: part.y * pictureSize.height), center)
  }

  /// Returns the point of the picture in the center of the viewer, of its width and its height.
  func center(at instant: FrameInstant) -> Point {
    let frame = frame(at: instant)
    return Point(x: (center.x - frame.minX) / frame.width, y: (center.y - frame.minY) / frame.height)
  }

  /// Returns the magnification and the place at an instant, for a picture that follows this one.
  func place(at instant: FrameInstant) -> Place {
    let (offset, magnification) = (offset(at: instant), magnification(at: instant))
    let kept = clamped(offset, at: magnification)
    let (width, height) = (pictureSize.width * magnification, pictureSize.height * magnification)
    guard width > 0, height > 0 else { return Place() }
    return Place(
      factor: magnification / wholeMagnification,
      center: Point(x: (kept.x + center.x) / width, y: (kept.y + center.y) / height),
      excess: Point(x: offset.x - kept.x, y: offset.y - kept.y))
  }

  /// Shows the part of the picture that another one shows, as far as the picture's edges allow.
  mutating func follow(_ place: Place) {
    guard place.factor.isFinite, place.factor > 0, place.center.x.isFinite, place.center.y.isFinite else { return }
    motion = nil
    pinch = nil
    fitting = place.factor > 1.000_001 ? nil : .whole
    let magnification = wholeMagnification * place.factor
    self.place(
      Point(x: place.center.x * pictureSize.width, y: place.center.y * pictureSize.height), below: center,
      // A picture's own pixels stay exactly that when the factor was rounded.
      at: (magnification - 1).magnitude < 0.000_001 ? 1 : magnification)
    followedExcess = place.excess
  }

  /// The part of the picture that the viewer shows, of its width and height, or nil if it shows the whole picture.
  func visiblePart(at instant: FrameInstant) -> Rect? {
    let frame = frame(at: instant)
    guard frame.width > viewport.width + 0.5 || frame.height > viewport.height + 0.5 else { return nil }
    let left = min(1, max(0, -frame.minX / frame.width))
    let top = min(1, max(0, -frame.minY / frame.height))
    return Rect(
      x: left, y: top, width: min(1 - left, viewport.width / frame.width),
      height: min(1 - top, viewport.height / frame.height))
  }
}
