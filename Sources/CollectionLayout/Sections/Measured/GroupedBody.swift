internal import DataStructures
internal import Geometry

/// Items in groups that follow each other without overlapping along the flow, each of the same number of items.
protocol GroupedBody: SectionBody {
  /// How many items a group has.
  var slotCount: Int { get }
  /// The axis along which groups follow each other.
  var flow: Axis { get }
  /// How many groups there are.
  var groupCount: Int { get }

  /// The last group that begins at or before a line within the section.
  func group(atOffset line: Int) -> Int

  /// Where a group begins along the flow.
  func start(ofGroup group: Int) -> Int

  /// Groups next to one, with itself, that have their items at the same places.
  func alike(_ group: Int) -> Range<Int>
}

extension GroupedBody {
  /// - Complexity: that of finding a group, where the first few in the rectangle have an item there; otherwise also
  ///   O(g) for g groups in it that are not alike.
  func firstItem(in rect: PixelFrame) -> Int? {
    guard let range = groups(in: rect) else { return nil }
    let last = range.upperBound - 1
    var group = range.lowerBound
    while group <= last {
      if let item = items(ofGroup: group).first(where: { frame(ofItem: $0).intersects(rect) }) { return item }
      // The first group may be cut by the rectangle. Where another has nothing in it, those that are alike have
      // neither; but for the last.
      let alike = alike(group)
      let skips = group > max(range.lowerBound, alike.lowerBound)
      group = max(group + 1, skips ? min(last, alike.upperBound - 1) : 0)
    }
    return nil
  }

  /// - Complexity: that of ``firstItem(in:)``.
  func lastItem(in rect: PixelFrame) -> Int? {
    guard let range = groups(in: rect) else { return nil }
    let last = range.upperBound - 1
    var group = last
    while group >= range.lowerBound {
      if let item = items(ofGroup: group).last(where: { frame(ofItem: $0).intersects(rect) }) { return item }
      let alike = alike(group)
      let skips = group < min(last, alike.upperBound - 1)
      group = min(group - 1, skips ? max(range.lowerBound, alike.lowerBound) : group - 1)
    }
    return nil
  }

  /// The groups that share a line along the flow with a rectangle, or nothing.
  private func groups(in rect: PixelFrame) -> Range<Int>? {
    let start = max(0, rect.start(flow))
    let end = min(length, rect.end(flow))
    guard start < end, !rect.isEmpty else { return nil }
    return group(atOffset: start)..<(group(atOffset: end - 1) + 1)
  }

  /// The items of a group that are there.
  func items(ofGroup group: Int) -> Range<Int> {
    (group * slotCount)..<min(itemCount, (group + 1) * slotCount)
  }

  func groupStarts(around line: Int) -> (atOrBefore: Int, behind: Int?)? {
    guard itemCount > 0 else { return nil }
    guard line >= 0 else { return (0, 0) }
    let group = group(atOffset: line)
    return (start(ofGroup: group), group + 1 < groupCount ? start(ofGroup: group + 1) : nil)
  }
}
