import FramePacing
public import Geometry
public import Rendering
import ScrollPhysics

/// Shows at the right edge, or at the bottom, which part of the content is seen; its thumb can be dragged.
///
/// Narrow and fading while nobody is near, wider under the pointer. Fading ends, so that it never keeps a loop awake.
///
/// With a ``scrubberDataSource`` it is a scrubber: while content moves or the pointer is near, a time line beside it says
/// what begins where; a press on the line goes there; a bubble beside the thumb that is held says where one is; and the
/// farther the pointer is taken from the edge, the finer the thumb goes.
public final class ScrollIndicator: View {
  /// How far from the edge the pointer can take hold of it, in points.
  static let hitWidth = 18.0
  /// How far from the edge the pointer counts as near, in points.
  static let proximityWidth = 56.0
  private static let narrowThumbWidth = 5.0
  private static let wideThumbWidth = 9.0
  private static let minimumThumbLength = 36.0
  private static let edgeGap = 4.0
  private static let visibleTime = FrameDuration.seconds(1)
  private static let fadeTime = FrameDuration.milliseconds(250)

  /// The thumb's colour at full strength.
  public var color = Color(hex: 0xFFFFFF, alpha: 96)

  /// Who names the content, so that this is a scrubber; nobody unless told.
  ///
  /// For content that moves up and down.
  public weak var scrubberDataSource: (any ScrubberDataSource)? {
    didSet { updateScrubber() }
  }
  /// The colours of the scrubber.
  public var scrubberStyle = ScrubberStyle.dark {
    didSet { scrubber?.style = scrubberStyle }
  }
  /// How many points at its beginning the scrubber's texts leave free, such as for a header that stays; none unless told.
  public var scrubberLabelInset = 0.0 {
    didSet { scrubber?.labelInset = scrubberLabelInset }
  }
  /// Whether the scrubber comes and goes at once, and the thumb with it, for those whom motion disturbs.
  public var reducesMotion = false {
    didSet { scrubber?.reducesMotion = reducesMotion }
  }

  var onDrag: ((Double) -> Void)?
  var onRelease: (() -> Void)?
  var onPage: ((Double) -> Void)?

  /// The axis along which the content moves.
  var axis = Axis.vertical {
    didSet { if axis != oldValue { setNeedsDisplay() } }
  }
  private var offset = 0.0
  private var range = ScrollRange.zero
  private var contentLength = 0.0
  /// Whether a hand, or a script in its place, holds the thumb.
  private var isThumbHeld = false
  /// Where the pointer holds the thumb, in points from the thumb's beginning.
  private var grabOffset: Double?
  private var drag = ScrubberDrag(share: 0, pointer: 0)
  private var isHovered = false
  private var isPointerNear = false
  private var flashInstant = FrameInstant.distantPast
  private var now = FrameInstant.zero
  private var thumbOpacity = 1.0
  private var scrubber: ScrubberView?

  init() { super.init(frame: .zero) }

  /// Whether it is fading.
  var needsFrames: Bool {
    fadeStart.map { $0 <= now && isOpaqueEnoughToFade } ?? false || scrubber?.needsFrames == true
  }

  /// When it begins to fade: until then it looks as it does.
  var nextFrame: FrameInstant? { fadeStart.flatMap { $0 > now && isOpaqueEnoughToFade ? $0 : nil } }

  private var isOpaqueEnoughToFade: Bool { thumbOpacity > ScrollIndicator.idleOpacity }

  /// Whether the content moved, or the pointer came or went, as short a time before the last frame.
  func hasFlashed(within time: FrameDuration) -> Bool { flashInstant != .distantPast && now - flashInstant < time }

  /// How strong the thumb stays while nothing moves: there to be found, not to be looked at.
  private static let idleOpacity = 0.45
  private var isInUse: Bool { isHovered || isPointerNear || grabOffset != nil || isThumbHeld }

  private var fadeStart: FrameInstant? {
    isInUse || flashInstant == .distantPast ? nil : flashInstant + ScrollIndicator.visibleTime
  }

  /// Shows another part of the content, in the frame in which the content is drawn there.
  ///
  /// - Parameter isHeld: whether the thumb is held.
  func show(offset: Double, of range: ScrollRange, contentLength: Double, isThumbHeld: Bool = false) {
    self.offset = offset
    self.range = range
    self.contentLength = contentLength
    self.isThumbHeld = isThumbHeld
    // Content that grew, or was moved by something else than the thumb, takes the thumb along.
    if grabOffset != nil, (draggedOffset - offset).magnitude > 1 { drag.takeShare(scrollFraction) }
  }

  func flash(at instant: FrameInstant) {
    flashInstant = instant
    thumbOpacity = 1
  }

  func update(at target: FrameInstant) {
    now = max(now, target)
    let next: Double
    if let start = fadeStart {
      let time = reducesMotion ? FrameDuration.zero : ScrollIndicator.fadeTime
      let share = time > .zero ? max(0, min(1, (target - start).seconds / time.seconds)) : target < start ? 0 : 1
      next = 1 - share * (1 - ScrollIndicator.idleOpacity)
    } else {
      next = flashInstant == .distantPast && !isInUse ? ScrollIndicator.idleOpacity : 1
    }
    if next != thumbOpacity {
      thumbOpacity = next
      setNeedsDisplay()
    }
    scrubber?.update(scrubberState, at: target)
  }

  // MARK: Geometry

  /// Where the content stands, as a share of the way.
  private var scrollFraction: Double { range.length > 0 ? (range.clamp(offset) - range.minimum) / range.length : 0 }

  private var draggedOffset: Double { range.minimum + drag.share * range.length }

  /// The thumb's length between the ends; nothing where all content is seen.
  private var thumbLength: Double? {
    let room = bounds.size[axis]
    guard range.length > 0, contentLength > 0, room > ScrollIndicator.minimumThumbLength else { return nil }
    return max(ScrollIndicator.minimumThumbLength, track * min(1, room / contentLength))
  }

  private var track: Double { bounds.size[axis] - 2 * ScrollIndicator.edgeGap }

  /// The thumb's rectangle; nothing where all content is seen.
  ///
  /// Beyond an end it is shorter by as much as the content is beyond it.
  private var thumb: Rect? {
    guard let whole = thumbLength else { return nil }
    let length = max(ScrollIndicator.wideThumbWidth, whole - (offset - range.clamp(offset)).magnitude)
    let breadth = isHovered || grabOffset != nil ? ScrollIndicator.wideThumbWidth : ScrollIndicator.narrowThumbWidth
    var thumb = Rect.zero
    thumb.origin[axis] = ScrollIndicator.edgeGap + (track - length) * scrollFraction
    thumb.origin[axis.cross] = bounds.size[axis.cross] - breadth - ScrollIndicator.edgeGap
    thumb.size[axis] = length
    thumb.size[axis.cross] = breadth
    return thumb
  }

  /// Draws the thumb, and the scrubber beside it.
  public override func render(in context: DrawContext) {
    guard let scrubber else { return draw(in: context) }
    // The bubble lies over the thumb's neighbourhood, the thumb over the marks.
    render(scrubber, in: context)
    draw(in: context)
  }

  public override func draw(in context: DrawContext) {
    guard let thumb else { return }
    context.fillRounded(thumb, radius: thumb.size[axis.cross] / 2, color.opacity(thumbOpacity))
  }

  public override func layoutSubviews() { scrubber?.frame = bounds }

  // MARK: Scrubbing

  /// What begins where in the content is different: the time line is made anew, in the slack of frames.
  public func reloadScrubber() { scrubber?.contentDidChange() }

  /// Looks for what begins along some more of the time line, if that fits.
  ///
  /// - Returns: whether it did.
  func performSlackStep(_ budget: FrameBudget) -> Bool {
    guard let scrubber, let scrubberState else { return false }
    return scrubber.performSlackStep(budget, scrubberState)
  }

  /// The display has another scale.
  func scaleDidChange() { scrubber?.scaleDidChange() }

  private func updateScrubber() {
    guard scrubberDataSource != nil else {
      scrubber?.removeFromSuperview()
      scrubber = nil
      return
    }
    let view = scrubber ?? ScrubberView()
    view.dataSource = scrubberDataSource
    view.style = scrubberStyle
    view.labelInset = scrubberLabelInset
    view.reducesMotion = reducesMotion
    guard scrubber == nil else { return }
    scrubber = view
    addSubview(view)
    setNeedsLayout()
  }

  private var scrubberState: ScrubberView.State? {
    guard axis == .vertical, let thumb, let length = thumbLength else { return nil }
    let first = ScrollIndicator.edgeGap + length / 2
    let isRecent = flashInstant != .distantPast && now < flashInstant + ScrollIndicator.visibleTime
    return ScrubberView.State(
      thumb: thumb, ends: first..<max(first, first + track - length), offset: offset, range: range,
      availableWidth: frame.minX, isTimelineVisible: isInUse || isRecent, isThumbHeld: isThumbHeld || grabOffset != nil,
      gain: grabOffset == nil ? .whole : drag.gain)
  }

  // MARK: Input

  public override func hitTest(_ point: Point) -> View? {
    guard !isHidden, isInteractive, thumb != nil else { return nil }
    if bounds.contains(point) { return self }
    // Texts answer while the pointer looks for them, not while they pass by above what it is at.
    return (isHovered || isPointerNear) && scrubber?.mark(at: point) != nil ? self : nil
  }

  /// The pointer is in the scroll view, or over what is in it.
  ///
  /// - Parameter point: where, in the window's coordinates; nothing where it has left.
  func updatePointer(at point: Point?, time: FrameInstant) {
    let isNear =
      scrubber != nil
      && point.map { point in
        let distance = -convertFromWindow(point)[axis.cross]
        return distance < ScrollIndicator.proximityWidth - ScrollIndicator.hitWidth
      } ?? false
    guard isNear != self.isPointerNear else { return }
    self.isPointerNear = isNear
    flash(at: max(now, time))
    setNeedsDisplay()
  }

  /// A finger drags the thumb.
  public override var treatsTouchAsPointer: Bool { true }

  public override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point):
      setHovered(true, at: event.time)
      if grabOffset != nil { dragThumb(to: convertFromWindow(point)) }
      return true
    case .pointerDown(let point, .primary, _, _):
      return beginDrag(at: convertFromWindow(point))
    case .pointerUp(let point, .primary, _):
      endDrag(at: event.time)
      setHovered(hitTest(convertFromWindow(point)) != nil, at: event.time)
      return true
    case .pointerLeft:
      setHovered(false, at: event.time)
      return false
    case .cancelled:
      endDrag(at: event.time)
      return false
    default:
      return false
    }
  }

  /// A press: on the thumb it is held where it is, on a time line brought to the pointer, and beside it, it turns a page.
  private func beginDrag(at point: Point) -> Bool {
    guard let thumb else { return false }
    let place = point[axis] - thumb.origin[axis]
    let isOnThumb = place >= 0 && place < thumb.size[axis] && bounds.contains(point)
    defer { setNeedsDisplay() }
    if isOnThumb {
      grabOffset = place
      drag = ScrubberDrag(share: scrollFraction, pointer: pointerFraction(point, grabOffset: place, thumb))
      onDrag?(offset)
    } else if let scrubber {
      let middle = thumb.size[axis] / 2
      let follower = pointerFraction(point, grabOffset: middle, thumb)
      let target = scrubber.mark(at: point)?.place ?? follower
      // The thumb is held where the pointer is on it once it is there.
      let way = track - thumb.size[axis]
      grabOffset = middle + (follower - target) * way
      drag = ScrubberDrag(share: target, pointer: target)
      onDrag?(draggedOffset)
    } else {
      onPage?(place < 0 ? -1 : 1)
    }
    return true
  }

  /// The thumb is held no more.
  private func endDrag(at time: FrameInstant) {
    if grabOffset != nil { onRelease?() }
    grabOffset = nil
    flash(at: max(now, time))
    setNeedsDisplay()
  }

  private func dragThumb(to point: Point) {
    guard let grabOffset, let thumb, track > thumb.size[axis] else { return }
    let distance = -point[axis.cross]
    let gain = scrubber == nil ? .whole : ScrubberGain(distance: distance, room: frame.origin[axis.cross])
    drag.move(to: pointerFraction(point, grabOffset: grabOffset, thumb), gain: gain)
    onDrag?(draggedOffset)
  }

  /// Where the thumb would be if it followed a pointer that holds it at a place of it.
  private func pointerFraction(_ point: Point, grabOffset place: Double, _ thumb: Rect) -> Double {
    let way = track - thumb.size[axis]
    return way > 0 ? max(0, min(1, (point[axis] - place - ScrollIndicator.edgeGap) / way)) : 0
  }

  private func setHovered(_ isHovered: Bool, at time: FrameInstant) {
    guard isHovered != self.isHovered else { return }
    self.isHovered = isHovered
    flash(at: max(now, time))
    setNeedsDisplay()
  }
}
