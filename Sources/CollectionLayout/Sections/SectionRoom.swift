internal import Geometry

/// What a section's items are placed in.
struct SectionRoom: Hashable, Sendable {
  /// The room within the section's insets, in points; along the flow it is what is seen of it at once.
  var size: Size
  /// The axis along which groups follow each other: that of scrolling, or the other one in an orthogonal section.
  var flow: Axis
  /// Pixels a point.
  var scale: DisplayScale
  /// Between groups, in points.
  var interGroupSpacing: Double
  /// Whether groups may be broader across the flow than the room: in sections that scroll across their layout, whose
  /// breadth is the layout's to scroll.
  var isOpenAcross = false

  /// The longest side of an item and the largest gap, in pixels: what comes as data beyond it is cut.
  static let longest = 1_000_000

  /// Whole pixels for a length in points: the nearest, never negative, never beyond ``longest``; 0 for what is no number.
  func pixels(_ points: Double) -> Int {
    let pixels = (points * scale.pixelsPerPoint).rounded(.toNearestOrAwayFromZero)
    return pixels > 0 ? Int(min(pixels, Double(SectionRoom.longest))) : 0
  }

  /// The whole pixels that a side of the room has; one that is shown only in part is no room.
  func pixelLength(_ axis: Axis) -> Int {
    let pixels = (size[axis] * scale.pixelsPerPoint).rounded(.down)
    return pixels > 0 ? Int(min(pixels, Double(SectionRoom.longest))) : 0
  }
}
