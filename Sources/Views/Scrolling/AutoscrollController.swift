import FramePacing
import Geometry
import Rendering
import ScrollPhysics

/// The owner of a scroll view's autoscroll: while the wheel is pressed, or after a click with it, the pointer's distance
/// from that point controls the speed of the content.
///
/// Invariant: while an autoscroll is in progress, its indicator is a subview of the scroll view, and the window sends
/// all input to the scroll view.
final class AutoscrollController {
  /// The scroll view, which owns the controller and outlives it.
  @exclusivity(unchecked) unowned(unsafe) var view: ScrollView!
  private var session: Session?

  private struct Session {
    /// The location at which the wheel was pressed, in the view's coordinates.
    let origin: Point
    /// The indicator at the origin.
    let indicator: AutoscrollIndicator
    /// The window whose grabber is the scroll view.
    weak var window: Window?
    /// Whether the button may have been clicked, so that the autoscroll continues until the next press.
    var isClick = true
  }

  /// Begins an autoscroll, and returns whether the content can scroll.
  ///
  /// - Parameter location: The location of the press, in the view's coordinates.
  func begin(at location: Point) -> Bool {
    guard view.scroll.range.length > 0, let window = view.window, view.bounds.contains(location) else { return false }
    let indicator = AutoscrollIndicator(at: location, axis: view.scrollAxis)
    session = Session(origin: location, indicator: indicator, window: window)
    view.addSubview(indicator)
    window.grabber = view
    view.applyScrollEvent(.stop)
    return true
  }

  /// Handles an event during an autoscroll.
  ///
  /// - Returns: Whether the event was handled, or nil if it has its usual meaning because no autoscroll is in progress
  ///   or it ends one.
  func handle(_ event: InputEvent) -> Bool? {
    guard let session else { return nil }
    switch event.kind {
    case .pointerMoved(let point):
      let axis = view.scrollAxis
      let velocity = Autoscroll.velocity(at: view.convertFromWindow(point)[axis] - session.origin[axis])
      if velocity != 0 { self.session?.isClick = false }
      if velocity != 0 || view.scroll.phase(at: event.time) == .animating {
        view.applyScrollEvent(.glide(velocity: velocity), at: event.time)
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
    if let window = session.window, window.grabber === view { window.grabber = nil }
    if view.scroll.phase(at: time) == .animating { view.applyScrollEvent(.stop, at: time) }
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
