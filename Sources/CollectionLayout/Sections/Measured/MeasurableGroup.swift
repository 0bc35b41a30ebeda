internal import Geometry

/// The rules of one group whose length depends on what its cells ask for.
///
/// All groups of a section have the same rules and the same number of items.
protocol MeasurableGroup: Sendable {
  /// How many items a group has, at least 1.
  var slotCount: Int { get }

  /// Whether the group is its one item: as long as it, and across what ``solved(measured:)`` says without a measure.
  var isRow: Bool { get }

  /// Which sides of an item the cell is asked for.
  func asks(ofSlot slot: Int) -> MeasuredSides

  /// Places the items of one group.
  ///
  /// - Parameter measured: the size of a slot's item in pixels; nothing where the rules' estimate holds. Sides that are
  ///   not asked for are ignored.
  func solved(measured: (Int) -> MeasuredSize?) -> MeasuredSlots

  /// The views that belong to items and to the group, in a group that was placed.
  ///
  /// - Parameters:
  ///   - measured: as it was placed.
  ///   - firstItem: the item in its first slot.
  ///   - start: where the group begins along the flow.
  func appendSupplementaries(
    measured: (Int) -> MeasuredSize?, firstItem: Int, start: Int, to list: inout [BodySupplementary])

  /// Whether another group's rules are the same, so that what was measured by the one holds for the other.
  func hasSameRules(as other: any MeasurableGroup) -> Bool
}
