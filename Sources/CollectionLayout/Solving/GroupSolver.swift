internal import Geometry

/// Solves one group: what a section repeats is computed once, whatever the number of its items.
///
/// Which places there are is found when the solver is made. Where they are depends on the sizes that cells said, and is
/// computed from them as often as they change.
struct GroupSolver: Sendable {
  private let room: SectionRoom
  private let root: GroupBox
  private let dependsOnCells: Bool

  /// How many places the group has, at least 1; sizes of cells do not change it.
  var slotCount: Int { root.slots.count }

  /// Finds the boxes of a group.
  ///
  /// - Complexity: O(b) for b boxes.
  init(_ group: CollectionLayoutGroup, in room: SectionRoom) {
    self.room = room
    root = GroupBuilder.boxes(of: group, in: room)
    dependsOnCells = root.dependsOnCells
  }

  /// Solves a group whose cells said some of their sizes.
  static func solve(
    _ group: CollectionLayoutGroup, in room: SectionRoom,
    measured: GroupBox.Measured = { _ in (nil, nil) }
  ) -> GroupTemplate {
    GroupSolver(group, in: room).template(measured: measured)
  }

  /// Where the places are.
  ///
  /// - Parameters:
  ///   - measured: the sizes that cells said, in pixels; asked of all places, used along axes that are estimated.
  ///   - extent: the least size of the group with the room outside its edges, along axes along which it is estimated: for
  ///     groups that are uniform across a section.
  /// - Complexity: O(b) for b boxes.
  func template(
    measured: GroupBox.Measured = { _ in (nil, nil) }, extent: (width: Int?, height: Int?) = (nil, nil)
  ) -> GroupTemplate {
    guard dependsOnCells else { return GroupPlacer.template(of: root, in: room) }
    var root = root
    root.findNeeds(measured)
    if let width = extent.width { root.growOutermost(to: width, along: .horizontal) }
    if let height = extent.height { root.growOutermost(to: height, along: .vertical) }
    return GroupPlacer.template(of: root, in: room)
  }
}

extension GroupBox {
  /// Makes the outermost box at least so long, with the room outside its edges, where its length is asked for.
  fileprivate mutating func growOutermost(to length: Int, along axis: Axis) {
    if isAsked(axis) { need[axis] = max(need[axis], Double(length) - margins[axis].sum) }
  }
}
