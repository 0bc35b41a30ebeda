internal import Geometry

/// A subitem of a group as it is solved; its lengths are in pixels, and not yet whole ones.
struct GroupBox: Sendable {
  /// What is within.
  enum Content: Sendable {
    /// A cell.
    case item
    /// Boxes one behind the other.
    case line(GroupLine)
    /// Cells where a client wants them, from the corner within the insets.
    case placed([CollectionLayoutGroupCustomItem])
  }

  /// By which dimensions it finds its size.
  var dimensions: CollectionLayoutSize
  /// The axis along which it is as long as its siblings, whatever its dimension says.
  var equalAxis: Axis?
  /// How long it is while nothing but estimates is known.
  var estimate: Size
  /// Along axes where cells are asked, how long it has to be; along others ``estimate``.
  var need: Size
  /// Outside its edges.
  var margins: BoxMargins
  /// Inside its edges.
  var insets: BoxMargins
  var supplementaryItems: [CollectionLayoutSupplementaryItem]
  /// The places of its cells.
  var slots: Range<Int>
  var content: Content

  /// Whether its size, or that of anything within, depends on what cells say.
  var dependsOnCells: Bool {
    if isAsked(.horizontal) || isAsked(.vertical) { return true }
    if case .line(let line) = content { return line.boxes.contains { $0.dependsOnCells } }
    return false
  }

  /// Whether its length along an axis is found by asking cells.
  func isAsked(_ axis: Axis) -> Bool { equalAxis != axis && dimensions[axis].isEstimated }

  /// Whether its length along an axis is that of the largest among siblings of the same kind.
  func isUniform(_ axis: Axis) -> Bool {
    equalAxis != axis && dimensions[axis].rule == .uniformAcrossSiblings
  }

  /// The share of its container's length along an axis that it takes, or nothing where that is not its rule.
  func share(_ axis: Axis) -> Double? {
    let own: CollectionLayoutDimension.Rule = axis == .horizontal ? .fractionalWidth : .fractionalHeight
    guard equalAxis != axis, dimensions[axis].rule == own else { return nil }
    return min(dimensions[axis].value, 1)
  }

  /// How long it wants to be along an axis in a container, before anything is cut.
  func wanted(_ axis: Axis, in container: Size, scale: Double) -> Double {
    isAsked(axis) ? need[axis] : GroupBox.pixels(dimensions[axis], in: container, scale: scale)
  }

  /// The length that a dimension says in pixels; at least one.
  static func pixels(_ dimension: CollectionLayoutDimension, in container: Size, scale: Double) -> Double {
    let length =
      switch dimension.rule {
      case .fractionalWidth, .fractionalHeight: dimension.length(in: container)
      case .absolute, .estimated, .uniformAcrossSiblings: dimension.value * scale
      }
    return min(max(1, length), Double(SectionRoom.longest))
  }
}
