internal import Geometry

/// A group that was solved: the places that each repetition of it has, in whole pixels from its corner.
///
/// All frames of slots lie within the group, so that what is said of a stretch of groups holds for their cells.
struct GroupTemplate: Hashable, Sendable {
  /// In the order of items, at least one.
  var slots: [GroupSlot]
  /// In the order of what they belong to; those of a group stand before those of its items.
  var supplementaries: [GroupSupplementary]
  /// How wide it is, with the room outside its edges.
  var width: Int
  /// How high it is, with the room outside its edges.
  var height: Int

  /// How long it is along an axis.
  func length(_ axis: Axis) -> Int { axis == .horizontal ? width : height }

  /// Whether places depend on what cells say.
  var asksCells: Bool { slots.contains { $0.asksForWidth || $0.asksForHeight } }

  /// How far a view may reach out of the first of the items that it belongs to, in pixels.
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
