internal import Geometry

/// The rules of one group whose length depends on what its cells ask for.
///
/// All groups of a section have the same rules and the same number of items.
protocol MeasurableGroup: Sendable {
  /// What is known of the items of one group, by their slots; nothing where the rules' estimate holds.
  typealias Measured = (_ slot: Int) -> MeasuredSize?

  /// How many items a group has, at least 1.
  var slotCount: Int { get }

  /// Whether the group is its one item: as long as that, and across what it is without a measure.
  var isRow: Bool { get }

  /// Whether all groups of the section are as long as the longest.
  var sharesLength: Bool { get }

  /// Which sides of an item the cell is asked for.
  func asks(ofSlot slot: Int) -> MeasuredSides

  /// What lies over what among the items of a group.
  func zIndex(ofSlot slot: Int) -> Int

  /// Places the items of one group.
  ///
  /// - Parameters:
  ///   - measured: sizes in pixels; sides that cells are not asked for are ignored.
  ///   - minimum: how long the group is at least, in pixels.
  func solved(measured: Measured, atLeast minimum: Int) -> MeasuredSlots

  /// The views that belong to items and to the group, in a group that was placed.
  ///
  /// - Parameters:
  ///   - items: whose views are asked for; counted from the first of the group.
  ///   - measured: by what it was placed.
  ///   - minimum: by what it was placed.
  /// - Returns: frames from the group's corner, and items counted from its first.
  func supplementaries(of items: Range<Int>, measured: Measured, atLeast minimum: Int) -> [BodySupplementary]

  /// Whether another group's rules are the same, so that what was measured by the one holds for the other.
  func hasSameRules(as other: any MeasurableGroup) -> Bool
}

/// Plain groups.
extension MeasurableGroup {
  var isRow: Bool { false }
  var sharesLength: Bool { false }
  func zIndex(ofSlot slot: Int) -> Int { 0 }
  func supplementaries(of items: Range<Int>, measured: Measured, atLeast minimum: Int) -> [BodySupplementary] { [] }

  /// A section of such groups.
  func body(of itemCount: Int, in room: SectionRoom) -> any SectionBody {
    let body = MeasuredBody(of: max(0, itemCount), group: self, in: room)
    return sharesLength ? SharedLengthBody(body) : body
  }
}
