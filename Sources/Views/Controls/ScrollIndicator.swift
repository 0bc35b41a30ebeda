import FramePacing
public import Geometry
public import Rendering
import ScrollPhysics

/// Shows at the right edge, or at the bottom, which part of the content is seen; its thumb can be dragged.
///
/// Narrow and fading while nobody is near, wider under the pointer. Fading ends, so that it never keeps a loop awake.
public final class ScrollIndicator: View {
  /// How far from the edge the pointer counts as near, in points.
  static let hitWidth = 18.0
  private static let narrow = 5.0
  private static let wide = 9.0
  private static let shortestThumb = 36.0
  private static let edgeGap = 4.0
  private static let visibleTime = FrameDuration.seconds(1)
  private static let fadeTime = FrameDuration.milliseconds(250)

  /// The thumb's colour at full strength.
  public var color = Color(hex: 0xFFFFFF, alpha: 96)

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
  private var grab: Double?
  private var isHovered = false
  private var flashInstant = FrameInstant.distantPast
  private var now = FrameInstant.zero
  private var strength = 1.0

  init() { super.init(frame: .zero) }

  /// Whether it is still fading.
  var needsFrames: Bool { fadesFrom != nil && strength > ScrollIndicator.restingStrength }

  /// How strong the thumb stays while nothing moves: there to be found, not to be looked at.
  private static let restingStrength = 0.45

  private var fadesFrom: FrameInstant? {
    isHovered || grab != nil || flashInstant == .distantPast ? nil : flashInstant + ScrollIndicator.visibleTime
  }

  /// Shows another part of the content, in the frame in which the content is drawn there.
  func show(offset: Double, of range: ScrollRange, contentLength: Double) {
    self.offset = offset
    self.range = range
    self.contentLength = contentLength
  }

  func flash(at instant: FrameInstant) {
    flashInstant = instant
    strength = 1
  }

  func update(at target: FrameInstant) {
    now = target
    let next: Double
    if let start = fadesFrom {
      let share = max(0, min(1, (target - start).seconds / ScrollIndicator.fadeTime.seconds))
      next = 1 - share * (1 - ScrollIndicator.restingStrength)
    } else {
      next = flashInstant == .distantPast && !isHovered && grab == nil ? ScrollIndicator.restingStrength : 1
    }
    if next != strength {
      strength = next
      setNeedsDisplay()
    }
  }

  /// The thumb's rectangle; nothing where all content is seen.
  ///
  /// Beyond an end it is shorter by as much as the content is beyond it.
  private var thumb: Rect? {
    let room = bounds.size[axis]
    guard range.length > 0, contentLength > 0, room > ScrollIndicator.shortestThumb else { return nil }
    let track = room - 2 * ScrollIndicator.edgeGap
    let place = range.clamp(offset)
    let whole = max(ScrollIndicator.shortestThumb, track * min(1, room / contentLength))
    let length = max(ScrollIndicator.wide, whole - (offset - place).magnitude)
    let share = (place - range.minimum) / range.length
    let breadth = isHovered || grab != nil ? ScrollIndicator.wide : ScrollIndicator.narrow
    var thumb = Rect.zero
    thumb.origin[axis] = ScrollIndicator.edgeGap + (track - length) * share
    thumb.origin[axis.cross] = bounds.size[axis.cross] - breadth - ScrollIndicator.edgeGap
    thumb.size[axis] = length
    thumb.size[axis.cross] = breadth
    return thumb
  }

  /// Draws the thumb, which is all there is.
  public override func render(in context: DrawContext) { draw(in: context) }

  public override func draw(in context: DrawContext) {
    guard let thumb else { return }
    context.fillRounded(thumb, radius: thumb.size[axis.cross] / 2, color.opacity(strength))
  }

  public override func hitTest(_ point: Point) -> View? { thumb == nil ? nil : super.hitTest(point) }

  /// A finger drags the thumb.
  public override var followsTouches: Bool { true }

  public override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point):
      setHovered(true)
      guard let grab, let thumb else { return true }
      let place = convertFromWindow(point)[axis]
      let track = bounds.size[axis] - 2 * ScrollIndicator.edgeGap - thumb.size[axis]
      guard track > 0 else { return true }
      let share = (place - grab - ScrollIndicator.edgeGap) / track
      onDrag?(range.minimum + max(0, min(1, share)) * range.length)
      return true
    case .pointerDown(let point, .primary, _, _):
      guard let thumb else { return false }
      let place = convertFromWindow(point)[axis] - thumb.origin[axis]
      if place >= 0, place < thumb.size[axis] {
        grab = place
        onDrag?(offset)
      } else {
        onPage?(place < 0 ? -1 : 1)
      }
      setNeedsDisplay()
      return true
    case .pointerUp(_, .primary, _):
      if grab != nil { onRelease?() }
      grab = nil
      flash(at: now)
      setNeedsDisplay()
      return true
    case .pointerLeft:
      setHovered(false)
      return true
    default:
      return false
    }
  }

  private func setHovered(_ isHovered: Bool) {
    guard isHovered != self.isHovered else { return }
    self.isHovered = isHovered
    flash(at: now)
    setNeedsDisplay()
  }
}
