import Geometry
import TestSupport

@testable import CollectionLayout

extension SectionRoom {
  /// A room at one pixel a point.
  static func plain(
    _ width: Double = 320, _ height: Double = 480, flow: Axis = .vertical, spacing: Double = 0, scale: Double = 1
  ) -> SectionRoom {
    SectionRoom(
      size: Size(width: width, height: height), flow: flow, scale: DisplayScale(pixelsPerPoint: scale),
      interGroupSpacing: spacing)
  }
}

extension RowGroup {
  /// Rows of a room.
  static func rows(_ room: SectionRoom, estimate: Int = 44) -> RowGroup {
    RowGroup(flow: room.flow, breadth: room.pixelLength(room.flow.cross), estimate: estimate)
  }
}

extension SeededGenerator {
  /// Edits of a section that keep to their rules: ranges that ascend and are apart.
  mutating func edits(of count: Int, atMost most: Int = 40) -> SectionEdits {
    var edits = SectionEdits(section: 0)
    var place = 0
    while edits.removals.count < 3, !chance(oneIn: 3) {
      place += Int.random(in: 0...max(0, count / 2), using: &self)
      let end = place + Int.random(in: 1...(chance(oneIn: 4) ? most : 3), using: &self)
      guard place < count else { break }
      edits.removals.append(place..<min(count, end))
      place = end + 1
    }
    let left = count - edits.removals.reduce(0) { $0 + $1.count }
    place = 0
    var inserted = 0
    while edits.insertions.count < 3, !chance(oneIn: 3) {
      place += Int.random(in: 0...max(0, left / 2), using: &self)
      let number = Int.random(in: 1...(chance(oneIn: 4) ? most : 3), using: &self)
      guard place <= left + inserted else { break }
      edits.insertions.append(place..<(place + number))
      inserted += number
      place += number + 1
    }
    return edits
  }
}
