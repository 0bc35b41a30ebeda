internal import Geometry

/// One row of a list: as wide as the room, and as long as its cell asks for.
struct RowGroup: MeasurableGroup, Hashable {
  /// The axis along which rows follow each other.
  let flow: Axis
  /// Across it, in pixels.
  let breadth: Int
  /// Pixels until the cell was asked.
  let estimate: Int
  /// Whether all rows are as long as the longest.
  var sharesLength = false

  var slotCount: Int { 1 }
  var isRow: Bool { true }

  func asks(ofSlot slot: Int) -> MeasuredSides { flow == .vertical ? .height : .width }

  func solved(measured: Measured, atLeast minimum: Int) -> MeasuredSlots {
    let length = max(1, minimum, measured(0)?.side(flow) ?? estimate)
    let frame =
      flow == .vertical
      ? PixelFrame(minX: 0, minY: 0, maxX: breadth, maxY: length)
      : PixelFrame(minX: 0, minY: 0, maxX: length, maxY: breadth)
    return MeasuredSlots(length: length, breadth: breadth, frames: [frame])
  }

  func hasSameRules(as other: any MeasurableGroup) -> Bool { other as? RowGroup == self }
}
