package import VitrineFramePacing
package import VitrineGeometry
package import VitrineRendering
package import VitrineScrollPhysics

/// What ``AutoscrollController`` needs from the scroll view.
package protocol AutoscrollHost: AnyObject {
  /// The scroll state of the content.
  var scroll: ScrollState { get }
  /// The axis along which the content scrolls.
  var scrollAxis: Axis { get }
  /// The bounds of the view.
  var bounds: Rect { get }

  /// Converts a point from the window's coordinates to the view's.
  func convertFromWindow(_ point: Point) -> Point
  /// Applies an event to the scroll state, at the time of the last frame if the instant is nil.
  func applyScrollEvent(_ event: ScrollEvent, at instant: FrameInstant?)
  /// Adds a view in front of the content.
  func addSubview(_ view: View)
  /// Requests all input of the window, and returns whether the view is in one.
  func grabInput() -> Bool
  /// Receives only its own input again, if it received all input of the window.
  func releaseInput()
}

/// The owner of a scroll view's autoscroll: while the wheel is pressed, or after a click with it, the pointer's distance
/// from that point controls the speed of the content.
///
/// Invariants:
/// - While an autoscroll is in progress, its indicator is a subview of the scroll view, and the window sends all input
///   to the scroll view.
/// - The velocity depends on the last location of the pointer alone, and the content stops when the autoscroll ends.
/// - A press or the Escape key that ends an autoscroll has no other effect.
package final class AutoscrollController {
  /// The scroll view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any AutoscrollHost)!
  private var session: Session?

  private struct Session {
    /// The location at which the wheel was pressed, in the view's coordinates.
    let origin: Point
    /// The indicator at the origin.
    let indicator: AutoscrollIndicator
    /// Whether the button may have been clicked, so that the autoscroll continues until the next press.
    var isClick = true
  }

  /// Creates a controller without an autoscroll in progress.
  package init() {}

  /// Begins an autoscroll, and returns whether the content can scroll.
  ///
  /// - Parameter location: The location of the press, in the view's coordinates.
  package func begin(at location: Point) -> Bool {
    guard host.scroll.range.length > 0, host.bounds.contains(location), host.grabInput() else { return false }
    let indicator = AutoscrollIndicator(at: location, axis: host.scrollAxis)
    session = Session(origin: location, indicator: indicator)
    host.addSubview(indicator)
    host.applyScrollEvent(.stop, at: nil)
    return true
  }

  /// Handles an event during an autoscroll.
  ///
  /// - Returns: Whether the event was handled, or nil if it has its usual meaning because no autoscroll is in progress
  ///   or it ends one.
  package func handle(_ event: InputEvent) -> Bool? {
    guard let session else { return nil }
    switch event.kind {
    case .pointerMoved(let point):
      let axis = host.scrollAxis
      let velocity = Autoscroll.velocity(at: host.convertFromWindow(point)[axis] - session.origin[axis])
      if velocity != 0 { self.session?.isClick = false }
      if velocity != 0 || host.scroll.phase(at: event.time) == .animating {
        host.applyScrollEvent(.glide(velocity: velocity), at: event.time)
      }
      return true
    case .pointerUp(_, .middle, _):
      // Released where it was pressed, the autoscroll continues until the next press.
      if !session.isClick { end(at: event.time) }
      return true
    case .pointerUp, .pointerLeft: return true
    case .pointerDown:
      end(at: event.time)
      return true
    case .keyDown(let key, _, _):
      end(at: event.time)
      return key == .escape ? true : nil
    case .wheel, .touch, .pan, .pinch, .cancelled:
      end(at: event.time)
      return event.kind == .cancelled ? nil : false
    default: return false
    }
  }

  private func end(at time: FrameInstant) {
    guard let session else { return }
    self.session = nil
    session.indicator.removeFromSuperview()
    host.releaseInput()
    if host.scroll.phase(at: time) == .animating { host.applyScrollEvent(.stop, at: time) }
  }
}

/// A disc with a dot and two arrows, displayed where the pointer pressed the wheel.
private final class AutoscrollIndicator: View {
  /// The diameter of the disc in points.
  static let diameter = 30.0
  private static let arrowRows = 5

  private let axis: Axis

  /// Creates an indicator centered on a point.
  init(at center: Point, axis: Axis) {
    self.axis = axis
    let radius = AutoscrollIndicator.diameter / 2
    super.init(
      frame: Rect(
        x: (center.x - radius).rounded(), y: (center.y - radius).rounded(), width: AutoscrollIndicator.diameter,
        height: AutoscrollIndicator.diameter))
    isUserInteractionEnabled = false
  }

  override func draw(in context: DrawContext) {
    let ink = Color(hex: 0xFFFFFF, alpha: 220)
    context.fillRounded(bounds, radius: bounds.width / 2, Color(hex: 0xFFFFFF, alpha: 90))
    let inner = Rect(x: 1, y: 1, width: bounds.width - 2, height: bounds.height - 2)
    context.fillRounded(inner, radius: inner.width / 2, Color(hex: 0x202226, alpha: 230))
    let middle = bounds.width / 2
    context.fillRounded(Rect(x: middle - 2, y: middle - 2, width: 4, height: 4), radius: 2, ink)
    for row in 0..<AutoscrollIndicator.arrowRows {
      let (near, half) = (Double(row) + 5, Double(row) + 0.5)
      // From the tip inward each row is two points wider.
      fillArrowRow(along: near, half, context, ink)
      fillArrowRow(along: bounds.width - near - 1, half, context, ink)
    }
  }

  private func fillArrowRow(along position: Double, _ half: Double, _ context: DrawContext, _ color: Color) {
    var row = Rect.zero
    row.origin[axis] = position
    row.origin[axis.cross] = bounds.width / 2 - half
    row.size[axis] = 1
    row.size[axis.cross] = 2 * half
    context.fill(row, color)
  }
}
