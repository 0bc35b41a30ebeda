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
/// Items that come and go splice the sizes, which are kept by item, and the chunks. With more than one item a group, items
/// shift between the groups behind an edit. Those are ``stale``: they stand as they did, and are placed by the items that
/// they hold now when they are settled or refined.
struct MeasuredBody: GroupedBody {
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
  /// What was measured.
  var sizes: MeasuredSizes
  /// Groups that are not placed by the items that they hold now; none of them floats.
  var stale = StaleGroups()
  /// How many groups at the end follow the mean.
  var floating: Int
  /// What is expected of a group that was not measured.
  var estimate: RunningEstimate
  /// How far the broadest group reaches across that was measured; it stays until rules or room change.
  var broadest: Int?
  /// The longest group that was ever measured.
  var longest: Int?
  /// How far a view ever reached out of its item; it stays until rules or room change.
  var farthest: Int
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
    let slots = group.solved(measured: { _ in nil }, atLeast: 0)
    initial = MeasuredTemplate(level: slots.length, slots: slots, spacing: room.pixels(room.interGroupSpacing))
    farthest = slots.reach
    estimate = RunningEstimate(initial: slots.length)
    floating = (itemCount + slotCount - 1) / slotCount
    sizes = MeasuredSizes(of: itemCount)
    chunks = SummedList(floating > 0 ? [MeasuredChunk(count: floating, template: initial)] : [])
  }

  /// How many groups there are.
  var groupCount: Int { chunks.count }

  var length: Int { itemCount > 0 ? chunks.length - initial.spacing : 0 }

  /// As far as the broadest group reaches that was ever measured.
  var breadth: Int { broadest ?? initial.slots.breadth }

  // MARK: Where items are

  func frame(ofItem item: Int) -> PixelFrame {
    let (group, slot) = item.quotientAndRemainder(dividingBy: slotCount)
    let position = chunks.position(ofElement: group)
    let chunk = chunks[position]
    let place = chunk.group(group - position.firstElement)
    return chunk.frame(ofSlot: slot, length: place.length, rank: place.rank, flow: flow)
      .offset(position.start + place.start, along: flow)
  }

  /// The last group that begins at or before a line.
  func group(atOffset line: Int) -> Int {
    let position = chunks.position(atOffset: line)
    return position.firstElement + chunks[position].group(atOffset: line - position.start)
  }

  /// Where a group begins along the flow.
  func start(ofGroup group: Int) -> Int {
    let position = chunks.position(ofElement: group)
    return position.start + chunks[position].group(group - position.firstElement).start
  }

  func alike(_ group: Int) -> Range<Int> {
    let position = chunks.position(ofElement: group)
    let chunk = chunks[position]
    return chunk.isBlank
      ? position.firstElement..<(position.firstElement + chunk.count) : group..<(group + 1)
  }

  func zIndex(ofItem item: Int) -> Int { group.zIndex(ofSlot: item % slotCount) }

  /// As far as a view reaches of any group as it was expected or measured to be at any time.
  var supplementaryReach: Int { farthest }

  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary]) {
    let items = items.clamped(to: 0..<itemCount)
    guard !items.isEmpty else { return }
    for group in (items.lowerBound / slotCount)...((items.upperBound - 1) / slotCount) {
      let position = chunks.position(ofElement: group)
      let start = position.start + chunks[position].group(group - position.firstElement).start
      let first = group * slotCount
      let wanted = items.clamped(to: first..<(first + slotCount))
      let views = self.group.supplementaries(
        of: (wanted.lowerBound - first)..<(wanted.upperBound - first), measured: measured(ofGroup: group), atLeast: 0)
      for view in views where first + view.item < itemCount {
        list.append(view.moved(to: first, start, flow))
      }
    }
  }

  /// Whether a group was placed by the size of an item that was measured.
  func isMeasured(group: Int) -> Bool {
    let position = chunks.position(ofElement: group)
    return chunks[position].group(group - position.firstElement).rank != nil
  }

  /// By what a group is placed: the sizes of its items, and what its chunk's template has for those without one.
  func measured(ofGroup group: Int) -> MeasurableGroup.Measured {
    let template = chunks[chunks.position(ofElement: group)].template
    guard isMeasured(group: group) else { return template.size(ofSlot:) }
    let sizes = sizes.sizes(ofItems: (group * slotCount)..<((group + 1) * slotCount))
    return { sizes[$0] ?? template.placedSize(ofSlot: $0) }
  }

  /// The items of a group from its corner.
  func frames(ofGroup group: Int) -> [PixelFrame] {
    let position = chunks.position(ofElement: group)
    return chunks[position].frames(ofGroup: group - position.firstElement, flow: flow)
  }
}
