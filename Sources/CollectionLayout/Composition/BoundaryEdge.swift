internal import Geometry

/// At which edge of its host a boundary view stands, for a scroll axis.
enum BoundaryEdge: Hashable, Sendable {
  /// Before the items along the scroll axis.
  case start
  /// Behind the items along the scroll axis.
  case end
  /// Beside the items, on the side where the axis across begins.
  case nearSide
  /// Beside the items, on the other side.
  case farSide

  /// The edge for an alignment; a corner stands at the edge along the axis.
  init(_ alignment: RectAlignment, axis: Axis) {
    let (vertical, horizontal) = BoundaryEdge.components(alignment)
    let along = axis == .vertical ? vertical : horizontal
    let across = axis == .vertical ? horizontal : vertical
    if along != 0 {
      self = along < 0 ? .start : .end
    } else {
      self = across < 0 ? .nearSide : .farSide
    }
  }

  /// Where a view stands across the axis: before the middle, in it or behind it.
  static func across(_ alignment: RectAlignment, axis: Axis) -> Int {
    let (vertical, horizontal) = components(alignment)
    return axis == .vertical ? horizontal : vertical
  }

  private static func components(_ alignment: RectAlignment) -> (vertical: Int, horizontal: Int) {
    switch alignment {
    case .top: (-1, 0)
    case .topLeading: (-1, -1)
    case .leading: (0, -1)
    case .bottomLeading: (1, -1)
    case .bottom: (1, 0)
    case .bottomTrailing: (1, 1)
    case .trailing: (0, 1)
    case .topTrailing: (-1, 1)
    }
  }
}
