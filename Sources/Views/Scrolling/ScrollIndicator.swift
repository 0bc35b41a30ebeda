package import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering
package import VitrineScrollPhysics

/// A scroll bar at the right or bottom edge with a draggable thumb.
///
/// It is narrow and fades while the pointer is away, and is wider under the pointer. Fading ends, so that it never
/// keeps a loop awake.
///
/// With a ``scrubberDataSource`` it is a scrubber: from when the pointer is over it until the pointer moves away, and
/// while the thumb is dragged, a timeline next to it shows what begins where. Otherwise nothing covers the content. A
/// press on the timeline scrolls there, a bubble next to the dragged thumb shows the current position, and the thumb
/// moves in finer steps the farther the pointer is from the edge.
@MainActor
public final class ScrollIndicator: View {
  /// The width of the area that responds to the pointer, in points.
  package nonisolated static let hitWidth = 18.0
  /// The distance from the edge at which the pointer counts as near, in points.
  static let proximityWidth = 56.0
  private static let narrowThumbWidth = 5.0
  private static let wideThumbWidth = 9.0
  private static let minimumThumbLength = 36.0
  private static let edgeGap = 4.0
  private static let visibleTime = FrameDuration.seconds(1)
  private static let fadeTime = FrameDuration.milliseconds(250)

  /// The color of the opaque thumb.
  public var color = Color(hex: 0xFFFFFF, alpha: 96)

  /// The data source that makes the indicator a scrubber; only for content that scrolls vertically.
  public weak var scrubberDataSource: (any ScrubberDataSource)? {
    didSet { updateScrubber() }
  }
  /// The colors of the scrubber.
  public var scrubberStyle = ScrubberStyle.dark {
    didSet { scrubber?.style = scrubberStyle }
  }
  /// The space at the beginning that the scrubber's labels leave free, such as for a pinned header, in points; 0 by
  /// default.
  public var scrubberLabelInset = 0.0 {
    didSet { scrubber?.labelInset = scrubberLabelInset }
  }
  /// The maximum width of the text of a label of the scrubber, in points; by default unlimited.
  ///
  /// Wider labels are not shown. Labels lie before the indicator, so content with an inset of ``inset(forLabelWidth:)``
  /// is not covered by them. With 0 there are no labels.
  public var scrubberLabelWidth = Double.infinity {
    didSet { scrubber?.labelWidth = scrubberLabelWidth }
  }
  /// Returns the space at the edge that labels of a width need, in points.
  public nonisolated static func inset(forLabelWidth width: Double) -> Double {
    hitWidth + ScrubberTimeline.width(ofLabel: width)
  }
  /// Whether the scrubber and the thumb appear and disappear without animation.
  public var reducesMotion = false {
    didSet { scrubber?.reducesMotion = reducesMotion }
  }

  /// Called with an offset when the thumb is dragged there.
  package var onDrag: ((Double) -> Void)?
  /// Called when the thumb is released.
  package var onRelease: (() -> Void)?
  /// Called with a number of pages after a press next to the thumb.
  package var onPage: ((Double) -> Void)?

  /// The axis along which the content moves.
  package var axis: Axis {
    didSet { if axis != oldValue { setNeedsDisplay() } }
  }
  private var offset = 0.0
  private var range = ScrollRange.zero
  private var contentLength = 0.0
  /// Whether the user or a script drags the thumb.
  private var isThumbHeld = false
  /// The location of the pointer that drags the thumb, in points from the thumb's start.
  private var grabOffset: Double?
  private var drag = ScrubberDrag(share: 0, pointer: 0)
  private var isHovered = false
  private var isPointerNear = false
  /// Whether the timeline is shown.
  private var showsTimeline = false
  private var flashInstant = FrameInstant.distantPast
  private var now = FrameInstant.zero
  private var thumbOpacity = 1.0
  private var scrubber: ScrubberView?

  private let idleOpacity: Double
  private let hidesAtRest: Bool

  /// Creates a scroll bar.
  ///
  /// - Parameters:
  ///   - axis: The axis along which the content moves.
  ///   - hidesAtRest: Whether the thumb fades until it is invisible, rather than transparent. Such a scroll bar lies over
  ///     content, which receives the pointer beside the thumb and all touches.
  package init(axis: Axis = .vertical, hidesAtRest: Bool = false) {
    idleOpacity = hidesAtRest ? 0 : ScrollIndicator.idleOpacity
    self.hidesAtRest = hidesAtRest
    self.axis = axis
    super.init(frame: .zero)
  }

  /// Whether the indicator is fading.
  package var needsFrames: Bool {
    fadeStart.map { $0 <= now && isOpaqueEnoughToFade } ?? false || scrubber?.needsFrames == true
  }

  /// The instant at which the indicator begins to fade, or nil.
  package var nextFrame: FrameInstant? { fadeStart.flatMap { $0 > now && isOpaqueEnoughToFade ? $0 : nil } }

  private var isOpaqueEnoughToFade: Bool { thumbOpacity > idleOpacity }

  /// Whether nothing moves and the thumb is invisible.
  package var hasFaded: Bool { thumbOpacity == 0 && !isInUse }

  /// Returns whether the content moved, or the pointer came or left, within a duration before the last frame.
  func hasFlashed(within time: FrameDuration) -> Bool { flashInstant != .distantPast && now - flashInstant < time }

  /// The opacity of a thumb at rest that does not hide.
  private static let idleOpacity = 0.45
  private var isInUse: Bool { isHovered || isPointerNear || grabOffset != nil || isThumbHeld }

  private var fadeStart: FrameInstant? {
    isInUse || flashInstant == .distantPast ? nil : flashInstant + ScrollIndicator.visibleTime
  }

  /// Shows another scroll position, in the frame in which the content is drawn there.
  ///
  /// - Parameters:
  ///   - offset: The offset of the content in points.
  ///   - range: The allowed offsets.
  ///   - contentLength: The length of the content in points.
  ///   - isThumbHeld: Whether the thumb is being dragged.
  package func show(offset: Double, of range: ScrollRange, contentLength: Double, isThumbHeld: Bool = false) {
    self.offset = offset
    self.range = range
    self.contentLength = contentLength
    self.isThumbHeld = isThumbHeld
    // Content that grew, or was scrolled by other means than the thumb, moves the thumb.
    if grabOffset != nil, (draggedOffset - offset).magnitude > 1 { drag.setShare(scrollFraction) }
  }

  /// Shows the thumb, because the content moved.
  package func flash(at instant: FrameInstant) {
    flashInstant = instant
    thumbOpacity = 1
  }

  /// Updates the opacity for a frame's target time.
  package func update(at target: FrameInstant) {
    now = max(now, target)
    let next: Double
    if let start = fadeStart {
      let time = reducesMotion ? FrameDuration.zero : ScrollIndicator.fadeTime
      let share = time > .zero ? max(0, min(1, (target - start).seconds / time.seconds)) : target < start ? 0 : 1
      next = 1 - share * (1 - idleOpacity)
    } else {
      next = flashInstant == .distantPast && !isInUse ? idleOpacity : 1
    }
    if next != thumbOpacity {
      thumbOpacity = next
      setNeedsDisplay()
    }
    // The pointer may move from the track to a label, but it does not show labels by passing near them.
    showsTimeline = isHovered || grabOffset != nil || isThumbHeld || showsTimeline && isPointerNear
    scrubber?.update(scrubberState, at: target)
  }

  // MARK: - Geometry

  /// The scroll position as a fraction of the range, 0 to 1.
  private var scrollFraction: Double { range.length > 0 ? (range.clamp(offset) - range.minimum) / range.length : 0 }

  private var draggedOffset: Double { range.minimum + drag.share * range.length }

  /// The length of the thumb, or nil if all content is visible.
  private var thumbLength: Double? {
    let length = bounds.size[axis]
    guard range.length > 0, contentLength > 0, length > ScrollIndicator.minimumThumbLength else { return nil }
    return max(ScrollIndicator.minimumThumbLength, track * min(1, length / contentLength))
  }

  private var track: Double { bounds.size[axis] - 2 * ScrollIndicator.edgeGap }

  /// The frame of the thumb, or nil if all content is visible.
  ///
  /// Its length is reduced by the distance of the content beyond an edge.
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

  /// Draws the scrubber and the thumb.
  public override func render(in context: DrawContext) {
    guard let scrubber else { return draw(in: context) }
    // The bubble covers the surroundings of the thumb, the thumb covers the marks.
    render(scrubber, in: context)
    draw(in: context)
  }

  public override func draw(in context: DrawContext) {
    guard let thumb else { return }
    context.fillRounded(thumb, radius: thumb.size[axis.cross] / 2, color.opacity(thumbOpacity))
  }

  public override func layoutSubviews() { scrubber?.frame = bounds }

  // MARK: - Scrubbing

  /// Rebuilds the timeline in the slack of frames, after the segments of the content changed.
  public func reloadScrubber() { scrubber?.contentDidChange() }

  /// Visits some more segments for the timeline if the budget allows it.
  ///
  /// - Returns: Whether a step was performed.
  func performSlackStep(_ budget: FrameBudget) -> Bool {
    guard let scrubber, let scrubberState else { return false }
    return scrubber.performSlackStep(budget, scrubberState)
  }

  /// Updates the labels for another display scale.
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
    view.labelWidth = scrubberLabelWidth
    view.reducesMotion = reducesMotion
    guard scrubber == nil else { return }
    scrubber = view
    addSubview(view)
    setNeedsLayout()
  }

  private var scrubberState: ScrubberView.State? {
    guard axis == .vertical, let thumb, let length = thumbLength else { return nil }
    let first = ScrollIndicator.edgeGap + length / 2
    return ScrubberView.State(
      thumb: thumb, ends: first..<max(first, first + track - length), offset: offset, range: range,
      availableWidth: frame.minX, isTimelineVisible: showsTimeline, isThumbHeld: isThumbHeld || grabOffset != nil,
      gain: grabOffset == nil ? .whole : drag.gain)
  }

  // MARK: - Input

  public override func hitTest(_ point: Point) -> View? {
    guard !isHidden, isUserInteractionEnabled, let thumb else { return nil }
    if hidesAtRest {
      let position = point[axis] - thumb.origin[axis]
      return bounds.contains(point) && position >= 0 && position < thumb.size[axis] ? self : nil
    }
    if bounds.contains(point) { return self }
    // Labels respond only to a pointer for which they are shown.
    return (isHovered || isPointerNear) && scrubber?.mark(at: point) != nil ? self : nil
  }

  /// Updates the state for a pointer in the scroll view or its subviews.
  ///
  /// - Parameters:
  ///   - point: The location in the window's coordinates, or nil if the pointer has left.
  ///   - time: The time of the event.
  func updatePointer(at point: Point?, time: FrameInstant) {
    let isNear =
      scrubber != nil
      && point.map { point in
        let distance = -convertFromWindow(point)[axis.cross]
        return distance < ScrollIndicator.proximityWidth - ScrollIndicator.hitWidth
      } ?? false
    guard isNear != isPointerNear else { return }
    isPointerNear = isNear
    flash(at: max(now, time))
    setNeedsDisplay()
  }

  /// Whether a finger drags the thumb.
  public override var treatsTouchAsPointer: Bool { !hidesAtRest }

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

  /// Handles a press: on the thumb it begins a drag, on a timeline it moves the thumb to the pointer, elsewhere it
  /// scrolls a page.
  private func beginDrag(at point: Point) -> Bool {
    guard let thumb else { return false }
    let position = point[axis] - thumb.origin[axis]
    let isOnThumb = position >= 0 && position < thumb.size[axis] && bounds.contains(point)
    defer { setNeedsDisplay() }
    if isOnThumb {
      grabOffset = position
      drag = ScrubberDrag(share: scrollFraction, pointer: pointerFraction(point, grabOffset: position, thumb))
      onDrag?(offset)
    } else if let scrubber {
      let middle = thumb.size[axis] / 2
      let pointerShare = pointerFraction(point, grabOffset: middle, thumb)
      let target = scrubber.mark(at: point)?.position ?? pointerShare
      // The thumb is dragged at the location at which the pointer meets it on arrival.
      let travel = track - thumb.size[axis]
      grabOffset = middle + (pointerShare - target) * travel
      drag = ScrubberDrag(share: target, pointer: target)
      onDrag?(draggedOffset)
    } else {
      onPage?(position < 0 ? -1 : 1)
    }
    return true
  }

  /// Ends the drag of the thumb.
  private func endDrag(at time: FrameInstant) {
    if grabOffset != nil { onRelease?() }
    grabOffset = nil
    flash(at: max(now, time))
    setNeedsDisplay()
  }

  private func dragThumb(to point: Point) {
    guard let grabOffset, let thumb, track > thumb.size[axis] else { return }
    let distance = -point[axis.cross]
    let gain = scrubber == nil ? .whole : ScrubberGain(distance: distance, maximumDistance: frame.origin[axis.cross])
    drag.move(to: pointerFraction(point, grabOffset: grabOffset, thumb), gain: gain)
    onDrag?(draggedOffset)
  }

  /// Returns the fraction at which the thumb would be if it followed a pointer that drags it at an offset within it.
  private func pointerFraction(_ point: Point, grabOffset: Double, _ thumb: Rect) -> Double {
    let travel = track - thumb.size[axis]
    return travel > 0 ? max(0, min(1, (point[axis] - grabOffset - ScrollIndicator.edgeGap) / travel)) : 0
  }

  private func setHovered(_ isHovered: Bool, at time: FrameInstant) {
    guard isHovered != self.isHovered else { return }
    self.isHovered = isHovered
    flash(at: max(now, time))
    setNeedsDisplay()
  }
}
