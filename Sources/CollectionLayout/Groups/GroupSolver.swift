internal import VitrineGeometry

/// A solver for one group, which is solved once for all of its repetitions in a section.
///
/// The slots of the group are determined when the solver is created. Their frames depend on the measured sizes of cells
/// and are computed each time these change.
struct GroupSolver: Sendable {
  private let container: SectionContainer
  private let root: GroupBox
  private let dependsOnCells: Bool

  /// The number of slots of the group, at least 1, independent of the sizes of cells.
  var slotCount: Int { root.slots.count }

  /// Creates a solver and determines the boxes of the group.
  ///
  /// - Complexity: O(b) for b boxes.
  init(_ group: CollectionLayoutGroup, in container: SectionContainer) {
    self.container = container
    root = GroupBuilder.rootBox(of: group, in: container)
    dependsOnCells = root.dependsOnCells
  }

  /// Returns the solved group with the measured sizes of its cells.
  static func solve(
    _ group: CollectionLayoutGroup, in container: SectionContainer,
    measured: GroupBox.Measured = { _ in (nil, nil) }
  ) -> GroupTemplate {
    GroupSolver(group, in: container).template(measured: measured)
  }

  /// Returns the solved group.
  ///
  /// - Parameters:
  ///   - measured: Returns the measured size of the cell in a slot, in pixels. It is called for all slots and used
  ///     along self-sizing axes.
  ///   - extent: The minimum size of the group including its edge spacing, along axes whose dimension is estimated. It
  ///     is used for groups that are uniform across a section.
  /// - Complexity: O(b) for b boxes.
  func template(
    measured: GroupBox.Measured = { _ in (nil, nil) }, extent: (width: Int?, height: Int?) = (nil, nil)
  ) -> GroupTemplate {
    guard dependsOnCells else { return GroupPlacer.template(of: root, in: container) }
    var root = root
    root.findNeeds(measured)
    if let width = extent.width { root.growOutermost(to: width, along: .horizontal) }
    if let height = extent.height { root.growOutermost(to: height, along: .vertical) }
    return GroupPlacer.template(of: root, in: container)
  }
}

extension GroupBox {
  /// Grows the outermost box to a length including its margins, along a self-sizing axis.
  fileprivate mutating func growOutermost(to length: Int, along axis: Axis) {
    if isSelfSizing(axis) { need[axis] = max(need[axis], Double(length) - margins[axis].sum) }
  }
}

/// A solved group: the slots of each repetition, in whole pixels relative to its corner.
///
/// All slots lie within the bounds of the group, so that a query for a range of groups covers their cells.
struct GroupTemplate: Hashable, Sendable {
  /// The slots in the order of items, at least one.
  var slots: [GroupSlot]
  /// The supplementary views in the order of their owners; those of a group precede those of its items.
  var supplementaries: [GroupSupplementary]
  /// The width including edge spacing.
  var width: Int
  /// The height including edge spacing.
  var height: Int

  /// Returns the length along an axis.
  func length(_ axis: Axis) -> Int { axis == .horizontal ? width : height }

  /// Whether frames depend on the preferred sizes of cells.
  var hasEstimatedItems: Bool { slots.contains { $0.hasEstimatedWidth || $0.hasEstimatedHeight } }

  /// The largest distance by which a view extends beyond its first item, in pixels.
  var supplementaryReach: Int {
    supplementaries.reduce(0) { reach, view in
      let item = slots[view.slots.lowerBound].frame
      let (across, along) = (
        max(item.minX - view.frame.minX, view.frame.maxX - item.maxX),
        max(item.minY - view.frame.minY, view.frame.maxY - item.maxY)
      )
      return max(reach, across, along)
    }
  }
}

/// The frame of one cell in a group.
struct GroupSlot: Hashable, Sendable {
  /// The frame relative to the group's corner.
  var frame: PixelFrame
  var zIndex: Int
  /// Whether the preferred size of the cell determines its width.
  var hasEstimatedWidth: Bool
  /// Whether the preferred size of the cell determines its height.
  var hasEstimatedHeight: Bool
}

/// A supplementary view that belongs to an item, a nested group or the whole group.
struct GroupSupplementary: Hashable, Sendable {
  /// The name of the element kind.
  var kind: String
  /// The slots of the owner: one for an item, several for a group.
  var slots: Range<Int>
  /// The number of the view among those of its kind whose first slot is the same.
  var ordinal: Int
  /// The frame relative to the group's corner, which may extend beyond the group.
  var frame: PixelFrame
  var zIndex: Int
}
