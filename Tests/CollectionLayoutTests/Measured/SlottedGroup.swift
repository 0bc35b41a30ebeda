import Geometry

@testable import CollectionLayout

/// Columns beside each other, the longest of which is the group's length, or a stack one behind the other.
struct SlottedGroup: MeasurableGroup, Hashable {
  let flow: Axis
  let breadth: Int
  let estimate: Int
  let slotCount: Int
  let isStack: Bool

  func asks(ofSlot slot: Int) -> MeasuredSides { flow == .vertical ? .height : .width }

  func solved(measured: Measured, atLeast minimum: Int) -> MeasuredSlots {
    let lengths = (0..<slotCount).map { measured($0)?.side(flow) ?? estimate + $0 }
    var frames: [PixelFrame] = []
    var start = 0
    for (slot, length) in lengths.enumerated() {
      let column = isStack ? 0..<breadth : (breadth * slot / slotCount)..<(breadth * (slot + 1) / slotCount)
      frames.append(
        flow == .vertical
          ? PixelFrame(minX: column.lowerBound, minY: start, maxX: column.upperBound, maxY: start + length)
          : PixelFrame(minX: start, minY: column.lowerBound, maxX: start + length, maxY: column.upperBound))
      if isStack { start += length }
    }
    return MeasuredSlots(
      length: max(minimum, isStack ? start : lengths.max() ?? 1), breadth: breadth, frames: frames, reach: 3)
  }

  func supplementaries(of items: Range<Int>, measured: Measured, atLeast minimum: Int) -> [BodySupplementary] {
    let frames = solved(measured: measured, atLeast: minimum).frames
    return items.map { BodySupplementary(kind: "badge", item: $0, frame: frames[$0].offset(x: 3, y: 3), zIndex: 1) }
  }

  func hasSameRules(as other: any MeasurableGroup) -> Bool { other as? SlottedGroup == self }
}
