internal import Geometry

/// How the last group of a section looks where there are not items enough to fill it.
///
/// A group consists of bands one behind the other along the flow. Those that have all their items stay as they are; the
/// items of the first that has not stand in plain rows instead, so that there are no holes.
struct TemplateTail: Hashable, Sendable {
  /// A band of the group.
  struct Band: Hashable, Sendable {
    /// The place of its first item, and the one behind its last.
    var slots: Range<Int>
    /// Where it begins along the flow, in pixels.
    var start: Int
    /// How long it is along the flow.
    var length: Int
  }

  /// All places of the group belong to one of them.
  var bands: [Band]
  /// The places of a plain row, moved to the group's beginning; one of the bands is such a row.
  var row: [GroupSlot]
  /// How long a row is along the flow.
  var rowLength: Int
  /// Between rows.
  var rowSpacing: Int

  /// The last group.
  ///
  /// - Parameters:
  ///   - template: the whole group.
  ///   - count: how many items it has, at least 1.
  /// - Complexity: O(k) for k places.
  func template(_ template: GroupTemplate, cutTo count: Int, flow: Axis) -> GroupTemplate {
    let whole = bands.prefix { $0.slots.upperBound <= count }
    let first = whole.last?.slots.upperBound ?? 0
    var cut = template
    cut.slots.removeSubrange(first...)
    cut.supplementaries.removeAll { $0.slots.upperBound > first }
    var length = whole.last.map { $0.start + $0.length } ?? 0
    if first < count, bands.indices.contains(whole.count) {
      let start = bands[whole.count].start
      for item in 0..<(count - first) {
        var slot = row[item % row.count]
        slot.frame = slot.frame.offset(start + item / row.count * (rowLength + rowSpacing), along: flow)
        cut.slots.append(slot)
      }
      let rows = (count - first + row.count - 1) / row.count
      length = start + rows * rowLength + (rows - 1) * rowSpacing
    }
    if flow == .horizontal { cut.width = length } else { cut.height = length }
    return cut
  }
}
