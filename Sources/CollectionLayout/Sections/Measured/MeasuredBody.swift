internal import VitrineDataStructures
internal import VitrineGeometry

/// The items of a section with self-sizing cells.
///
/// The groups are summed in chunks, which store only measured groups. The length of an unmeasured group is estimated as
/// the mean of the measured ones (``RunningEstimate``). Since this mean changes with each measurement, only the groups
/// after the last one that was ever finalized or measured follow it (``floatingCount``). All groups before that, which
/// are at or above what was visible, keep the mean of the time when they were finalized. Therefore a measurement moves
/// an item above the viewport only by the change of the measured groups, which a scroll anchor compensates exactly.
///
/// When items are inserted or removed, the chunks and the sizes, which are stored by item, are spliced. If groups have
/// several items, items move between the groups after an edit. Those groups are ``stale``: they keep their layout until
/// they are finalized, and are then placed with the items that they contain.
struct MeasuredBody: GroupedBody {
  /// The rules of one group.
  let group: any MeasurableGroup
  /// The axis along which groups follow each other.
  let flow: Axis
  /// The container.
  let container: SectionContainer
  /// The number of items of a group.
  let slotCount: Int
  /// The group laid out with its estimates.
  let initial: MeasuredTemplate

  var itemCount: Int
  /// The groups; the floating ones are in a chunk of their own at the end.
  var chunks: SummedList<MeasuredChunk>
  /// The measured sizes.
  var sizes: MeasuredSizes
  /// The groups whose layout does not match their items; none of them is floating.
  var stale = StaleGroups()
  /// The number of groups at the end that follow the estimate.
  var floatingCount: Int
  /// The estimated length of unmeasured groups.
  var estimate: RunningEstimate
  /// The largest breadth of a measured group, which does not decrease until the rules or the container change.
  var maximumBreadth: Int?
  /// The largest length of a measured group.
  var maximumLength: Int?
  /// The largest distance by which a view extended beyond its item, which does not decrease until the rules or the
  /// container change.
  var maximumReach: Int
  /// The number of updates; size changes of a cell are counted since the last update.
  var epoch: UInt32 = 0

  /// Creates a body without measured items.
  ///
  /// - Complexity: O(k) for k items per group.
  init(of itemCount: Int, group: any MeasurableGroup, in container: SectionContainer) {
    self.group = group
    self.container = container
    self.itemCount = itemCount
    flow = container.flow
    slotCount = group.slotCount
    let slots = group.solved(measured: { _ in nil }, atLeast: 0)
    initial = MeasuredTemplate(
      expectedLength: slots.length, slots: slots, spacing: container.pixels(container.interGroupSpacing))
    maximumReach = slots.reach
    estimate = RunningEstimate(initial: slots.length)
    floatingCount = (itemCount + slotCount - 1) / slotCount
    sizes = MeasuredSizes(of: itemCount)
    chunks = SummedList(floatingCount > 0 ? [MeasuredChunk(count: floatingCount, template: initial)] : [])
  }

  /// The number of groups.
  var groupCount: Int { chunks.count }

  var length: Int { itemCount > 0 ? chunks.length - initial.spacing : 0 }

  /// The extent of the broadest group that was ever measured.
  var breadth: Int { maximumBreadth ?? initial.slots.breadth }

  // MARK: - Frames

  func frame(ofItem item: Int) -> PixelFrame {
    let (group, slot) = item.quotientAndRemainder(dividingBy: slotCount)
    let position = chunks.position(ofElement: group)
    let chunk = chunks[position]
    let location = chunk.group(group - position.firstElement)
    return chunk.frame(ofSlot: slot, length: location.length, rank: location.rank, flow: flow)
      .offset(position.start + location.start, along: flow)
  }

  /// Returns the last group that starts at or before a line.
  func group(atOffset line: Int) -> Int {
    let position = chunks.position(atOffset: line)
    return position.firstElement + chunks[position].group(atOffset: line - position.start)
  }

  /// Returns the start of a group along the flow axis.
  func start(ofGroup group: Int) -> Int {
    let position = chunks.position(ofElement: group)
    return position.start + chunks[position].group(group - position.firstElement).start
  }

  func identicalGroups(around group: Int) -> Range<Int> {
    let position = chunks.position(ofElement: group)
    let chunk = chunks[position]
    return chunk.isBlank
      ? position.firstElement..<(position.firstElement + chunk.count) : group..<(group + 1)
  }

  func zIndex(ofItem item: Int) -> Int { group.zIndex(ofSlot: item % slotCount) }

  /// The largest distance by which a view extended beyond its item in any group that was estimated or measured.
  var supplementaryReach: Int { maximumReach }

  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary]) {
    let items = items.clamped(to: 0..<itemCount)
    guard !items.isEmpty else { return }
    for group in (items.lowerBound / slotCount)...((items.upperBound - 1) / slotCount) {
      let position = chunks.position(ofElement: group)
      let start = position.start + chunks[position].group(group - position.firstElement).start
      let first = group * slotCount
      let groupItems = items.clamped(to: first..<(first + slotCount))
      let views = self.group.supplementaries(
        of: (groupItems.lowerBound - first)..<(groupItems.upperBound - first), measured: measured(ofGroup: group),
        atLeast: 0)
      for view in views where first + view.item < itemCount {
        list.append(view.moved(to: first, start, flow))
      }
    }
  }

  /// Returns whether a group was placed with the size of a measured item.
  func isMeasured(group: Int) -> Bool {
    let position = chunks.position(ofElement: group)
    return chunks[position].group(group - position.firstElement).rank != nil
  }

  /// Returns the sizes with which a group is placed: the measured ones, and those of its template for other items.
  func measured(ofGroup group: Int) -> MeasurableGroup.Measured {
    let template = chunks[chunks.position(ofElement: group)].template
    guard isMeasured(group: group) else { return template.size(ofSlot:) }
    let sizes = sizes.sizes(ofItems: (group * slotCount)..<((group + 1) * slotCount))
    return { sizes[$0] ?? template.placedSize(ofSlot: $0) }
  }

  /// Returns the frames of the items of a group, relative to its corner.
  func frames(ofGroup group: Int) -> [PixelFrame] {
    let position = chunks.position(ofElement: group)
    return chunks[position].frames(ofGroup: group - position.firstElement, flow: flow)
  }
}

// MARK: - Placed groups

/// Groups of a chunk that were placed with the known sizes of their items.
struct PlacedGroups {
  /// A group with a measured item.
  struct Group: Hashable {
    /// The index of the group in its chunk.
    var index: Int
    /// The length along the flow axis, in pixels.
    var length: Int
  }

  /// The groups in ascending order.
  private(set) var groups: [Group] = []
  /// The frames of the items of these groups, one for each slot; empty if a group consists of its one item.
  private(set) var frames: [PixelFrame] = []

  /// Appends a group.
  mutating func append(_ index: Int, _ slots: MeasuredSlots, isRow: Bool) {
    groups.append(Group(index: index, length: slots.length))
    if !isRow { frames += slots.frames }
  }
}

// MARK: - Estimated length

/// The estimated length of an unmeasured group: the mean of the measured groups.
///
/// The estimate of the rules counts as eight measured groups, so that the first few cells, which may be exceptions, do
/// not change the length of everything else. The sums are integers, so that they do not drift when groups are added and
/// removed.
struct RunningEstimate: Hashable, Sendable {
  /// The number of groups as which the estimate of the rules counts.
  static let weight = 8

  /// The estimate of the rules, in pixels.
  let initial: Int
  private(set) var count = 0
  private(set) var sum = 0

  init(initial: Int) { self.initial = initial }

  /// The mean in whole pixels, at least 1.
  var length: Int {
    let weight = RunningEstimate.weight + count
    return max(1, (2 * (RunningEstimate.weight * initial + sum) + weight) / (2 * weight))
  }

  /// Adds measured groups, or removes them with negative numbers.
  mutating func add(groups: Int, length: Int) {
    count += groups
    sum += length
  }
}
