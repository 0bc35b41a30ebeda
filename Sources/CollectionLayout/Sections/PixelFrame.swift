internal import Geometry

/// A rectangle of whole pixels in the content: edges of 64 bits, exact wherever content may reach.
///
/// Layouts compute in pixels, so that neighbours share their edge as a number and nothing drifts. Points are made of it
/// once, when an answer leaves the layout.
struct PixelFrame: Hashable, Sendable {
  var minX: Int
  var minY: Int
  /// Outside of it.
  var maxX: Int
  /// Outside of it.
  var maxY: Int

  static let zero = PixelFrame(minX: 0, minY: 0, maxX: 0, maxY: 0)

  var width: Int { maxX - minX }
  var height: Int { maxY - minY }
  var isEmpty: Bool { maxX <= minX || maxY <= minY }

  /// The edge at which it begins along an axis.
  func start(_ axis: Axis) -> Int { axis == .horizontal ? minX : minY }
  /// The edge at which it ends along an axis.
  func end(_ axis: Axis) -> Int { axis == .horizontal ? maxX : maxY }
  /// How long it is along an axis.
  func length(_ axis: Axis) -> Int { axis == .horizontal ? maxX - minX : maxY - minY }

  /// Whether both share a pixel.
  func intersects(_ other: PixelFrame) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// The frame moved.
  func offset(x: Int, y: Int) -> PixelFrame {
    PixelFrame(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
  }

  /// The frame with each edge moved outwards.
  func grown(by distance: Int) -> PixelFrame {
    PixelFrame(minX: minX - distance, minY: minY - distance, maxX: maxX + distance, maxY: maxY + distance)
  }

  /// The frame with no edge farther from 0 than a distance.
  func clamped(to distance: Int) -> PixelFrame {
    PixelFrame(
      minX: max(-distance, minX), minY: max(-distance, minY), maxX: min(distance, maxX), maxY: min(distance, maxY))
  }

  /// The frame moved along an axis.
  func offset(_ distance: Int, along axis: Axis) -> PixelFrame {
    axis == .horizontal ? offset(x: distance, y: 0) : offset(x: 0, y: distance)
  }
}
