import Geometry

@testable import CollectionLayout

/// Columns beside each other, the longest of which is the group's length, or a stack one behind the other.
struct SlottedGroup: MeasurableGroup, Hashable {
  let flow: Axis
  let breadth: Int
  let estimate: Int
  let slotCount: Int
  let isStack: Bool

  var isRow: Bool { false }

  func asks(ofSlot slot: Int) -> MeasuredSides { flow == .vertical ? .height : .width }

  func solved(measured: (Int) -> MeasuredSize?) -> MeasuredSlots {
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
    return MeasuredSlots(length: isStack ? start : lengths.max() ?? 1, frames: frames)
  }

  func appendSupplementaries(
    measured: (Int) -> MeasuredSize?, firstItem: Int, start: Int, to list: inout [BodySupplementary]
  ) {
    for slot in 0..<slotCount {
      let frame = solved(measured: measured).frames[slot].offset(start, along: flow)
      list.append(BodySupplementary(kind: "badge", item: firstItem + slot, frame: frame, zIndex: 1))
    }
  }

  func hasSameRules(as other: any MeasurableGroup) -> Bool { other as? SlottedGroup == self }
}
