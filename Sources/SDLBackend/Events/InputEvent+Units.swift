import Geometry
import Rendering

extension InputEvent.Kind {
  /// The same with its place in points, where SDL tells it in units of which a point has several, as on X.
  nonisolated func convertedToPoints(unitsPerPoint units: Double) -> InputEvent.Kind {
    func points(_ place: Point) -> Point { Point(x: place.x / units, y: place.y / units) }
    switch self {
    case .pointerMoved(let place): return .pointerMoved(points(place))
    case .pointerDown(let place, let button, let clicks, let modifiers):
      return .pointerDown(points(place), button: button, clicks: clicks, modifiers: modifiers)
    case .pointerUp(let place, let button, let modifiers):
      return .pointerUp(points(place), button: button, modifiers: modifiers)
    case .wheel(var wheel):
      wheel.location = points(wheel.location)
      return .wheel(wheel)
    case .touch(var touch):
      touch.location = points(touch.location)
      return .touch(touch)
    default: return self
    }
  }
}
