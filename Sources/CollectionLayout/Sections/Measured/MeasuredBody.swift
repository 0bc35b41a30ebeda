internal import DataStructures
internal import Geometry

/// The items of a section whose cells are asked how large they are along the flow.
///
/// Groups are summed in chunks; only what was measured is stored. What was not has the length that is expected of it: the
/// mean of what was measured (``RunningEstimate``). That mean moves with each measure, so places would drift; therefore
/// the groups up to the last one that was ever settled or measured, which all lie at or above what was seen, keep
/// the mean of the day when they were, and only those behind follow it (``floating``). Measures change a place above the
/// viewport only by the very groups that were measured, and who holds an anchor makes up for that exactly.
///
/// In a section of rows (one item a group) inserting and removing splices chunks. With more items a group, items shift
/// between groups: sizes stay with their items, and the groups behind are placed anew.
struct MeasuredBody: SectionBody {
  /// The rules of one group.
  let group: any MeasurableGroup
  /// The axis along which groups follow each other.
  let flow: Axis
  /// What the section is placed in.
  let room: SectionRoom
  /// How many items a group has.
  let slotCount: Int
  /// A group as the rules' estimates have it.
  let initial: MeasuredTemplate

  var itemCount: Int
  /// The groups, those that float in a chunk of their own at the end.
  var chunks: SummedList<MeasuredChunk>
  /// How many groups at the end follow the mean.
  var floating: Int
  /// What is expected of a group that was not measured.
  var estimate: RunningEstimate
  /// Counts updates; changes of mind are counted within each.
  var epoch: UInt32 = 0

  /// Places items of which nothing is known.
  ///
  /// - Complexity: O(k) for k items a group.
  init(of itemCount: Int, group: any MeasurableGroup, in room: SectionRoom) {
    self.group = group
    self.room = room
    self.itemCount = itemCount
    flow = room.flow
    slotCount = group.slotCount
    let slots = group.solved { _ in nil }
    initial = MeasuredTemplate(level: slots.length, slots: slots, spacing: room.pixels(room.interGroupSpacing))
    estimate = RunningEstimate(initial: slots.length)
    floating = (itemCount + slotCount - 1) / slotCount
    chunks = SummedList(floating > 0 ? [MeasuredChunk(count: floating, template: initial)] : [])
  }

  /// How many groups there are.
  var groupCount: Int { chunks.count }

  var length: Int { itemCount > 0 ? chunks.length - initial.spacing : 0 }

  var breadth: Int { room.pixelLength(flow.cross) }

  // MARK: Where items are

  func frame(ofItem item: Int) -> PixelFrame {
    let (group, slot) = item.quotientAndRemainder(dividingBy: slotCount)
    let position = chunks.position(ofElement: group)
    let chunk = chunks[position]
    let place = chunk.group(group - position.firstElement)
    return chunk.frame(ofSlot: slot, slotCount: slotCount, length: place.length, rank: place.rank, flow: flow)
      .offset(position.start + place.start, along: flow)
  }

  func firstItem(in rect: PixelFrame) -> Int? {
    guard let range = groups(in: rect) else { return nil }
    var group = range.lowerBound
    while group < range.upperBound {
      let items = items(ofGroup: group)
      if let item = items.first(where: { frame(ofItem: $0).intersects(rect) }) { return item }
      group = next(after: group, to: range.upperBound - 1, from: range.lowerBound)
    }
    return nil
  }

  func lastItem(in rect: PixelFrame) -> Int? {
    guard let range = groups(in: rect) else { return nil }
    var group = range.upperBound - 1
    while group >= range.lowerBound {
      let items = items(ofGroup: group)
      if let item = items.last(where: { frame(ofItem: $0).intersects(rect) }) { return item }
      group = previous(before: group, to: range.lowerBound, from: range.upperBound - 1)
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

  /// The last group that begins at or before a line.
  func group(atOffset line: Int) -> Int {
    let position = chunks.position(atOffset: line)
    return position.firstElement + chunks[position].group(atOffset: line - position.start)
  }

  private func items(ofGroup group: Int) -> Range<Int> {
    (group * slotCount)..<min(itemCount, (group + 1) * slotCount)
  }

  /// The next group worth asking for an item in a rectangle when one has none.
  ///
  /// Groups of a blank chunk have the same items: if neither the first, which the rectangle may cut, nor the one behind
  /// it has one, only the last, which it may cut too, can.
  private func next(after group: Int, to last: Int, from first: Int) -> Int {
    let position = chunks.position(ofElement: group)
    let chunk = chunks[position]
    guard chunk.isBlank, group > max(first, position.firstElement) else { return group + 1 }
    return max(group + 1, min(last, position.firstElement + chunk.count - 1))
  }

  private func previous(before group: Int, to first: Int, from last: Int) -> Int {
    let position = chunks.position(ofElement: group)
    let chunk = chunks[position]
    guard chunk.isBlank, group < min(last, position.firstElement + chunk.count - 1) else { return group - 1 }
    return min(group - 1, max(first, position.firstElement))
  }

  func groupStarts(around line: Int) -> (atOrBefore: Int, behind: Int?)? {
    guard itemCount > 0 else { return nil }
    let group = group(atOffset: max(0, line))
    let start = start(ofGroup: group)
    guard line >= 0 else { return (start, start) }
    return (start, group + 1 < groupCount ? self.start(ofGroup: group + 1) : nil)
  }

  /// Where a group begins along the flow.
  func start(ofGroup group: Int) -> Int {
    let position = chunks.position(ofElement: group)
    return position.start + chunks[position].group(group - position.firstElement).start
  }

  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary]) {
    guard !items.isEmpty else { return }
    for group in (items.lowerBound / slotCount)...((items.upperBound - 1) / slotCount) {
      let position = chunks.position(ofElement: group)
      let chunk = chunks[position]
      let place = group - position.firstElement
      var views: [BodySupplementary] = []
      self.group.appendSupplementaries(
        measured: { chunk.measured(slot: $0, of: place) }, firstItem: group * slotCount,
        start: position.start + chunk.group(place).start, to: &views)
      // A group at the edge of the range, or the last one, has views of items that were not asked for or are not there.
      list += views.filter { items.contains($0.item) }
    }
  }
}
