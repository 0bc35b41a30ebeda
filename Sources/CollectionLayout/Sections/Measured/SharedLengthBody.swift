internal import DataStructures
internal import Geometry

/// The items of a section all of whose groups are as long as the longest of them asks for.
///
/// That is the rules' estimate until a cell was asked, and from then on the largest length of a measured group. It only
/// grows until rules or room change: a cell that takes turns, or a long one that is removed, moves nothing twice. Where a
/// group is follows from its number alone; what was measured is kept by item as in other measured sections.
struct SharedLengthBody: GroupedBody {
  /// What was measured; where it has groups is of no interest.
  private(set) var records: MeasuredBody
  /// A group of which nothing was measured.
  private var template: MeasuredTemplate
  /// How far a view reached out of its item in a group that was measured and is as long as all are.
  private var farthest = 0

  init(_ records: MeasuredBody) {
    self.records = records
    template = records.initial
  }

  var itemCount: Int { records.itemCount }
  var slotCount: Int { records.slotCount }
  var flow: Axis { records.flow }
  var groupCount: Int { records.groupCount }
  var length: Int { itemCount > 0 ? groupCount * template.pitch - template.spacing : 0 }
  var breadth: Int { records.breadth }

  func group(atOffset line: Int) -> Int { min(line / template.pitch, groupCount - 1) }
  func start(ofGroup group: Int) -> Int { group * template.pitch }
  func alike(_ group: Int) -> Range<Int> { records.alike(group) }
  func zIndex(ofItem item: Int) -> Int { records.zIndex(ofItem: item) }

  /// - Complexity: O(log n), and in a group of which an item was measured O(k) for its k items.
  func frame(ofItem item: Int) -> PixelFrame {
    let (group, slot) = item.quotientAndRemainder(dividingBy: slotCount)
    return frames(ofGroup: group)[slot].offset(start(ofGroup: group), along: flow)
  }

  private func frames(ofGroup group: Int) -> [PixelFrame] {
    guard records.isMeasured(group: group) else { return template.slots.frames }
    // By the items that a group holds now it may be longer than all are.
    return records.stale.contains(group) ? records.frames(ofGroup: group) : solved(group).frames
  }

  private func solved(_ group: Int) -> MeasuredSlots {
    records.group.solved(measured: measured(group), atLeast: template.slots.length)
  }

  /// By what a group is placed: what its cells said and, for those that said nothing yet, what its length was found by.
  private func measured(_ group: Int) -> MeasurableGroup.Measured {
    records.isMeasured(group: group) ? records.measured(ofGroup: group) : template.size(ofSlot:)
  }

  var supplementaryReach: Int { max(records.supplementaryReach, template.slots.reach, farthest) }

  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary]) {
    let items = items.clamped(to: 0..<itemCount)
    guard !items.isEmpty else { return }
    for group in (items.lowerBound / slotCount)...((items.upperBound - 1) / slotCount) {
      let first = group * slotCount
      let wanted = items.clamped(to: first..<(first + slotCount))
      let views = records.group.supplementaries(
        of: (wanted.lowerBound - first)..<(wanted.upperBound - first), measured: measured(group),
        atLeast: template.slots.length)
      for view in views where first + view.item < itemCount {
        list.append(view.moved(to: first, start(ofGroup: group), flow))
      }
    }
  }

  // MARK: Sizes

  func asksForSize(ofItem item: Int) -> Bool { records.asksForSize(ofItem: item) }

  /// - Complexity: that of ``MeasuredBody/setPreferredSize(width:height:ofItem:)``.
  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int) -> SizeVerdict {
    let group = item / slotCount
    let before = (frames(ofGroup: group), template.slots.length, breadth)
    let verdict = records.setPreferredSize(width: width, height: height, ofItem: item)
    grow()
    if records.isMeasured(group: group) { farthest = max(farthest, solved(group).reach) }
    let after = (frames(ofGroup: group), template.slots.length, breadth)
    if case .frozen = verdict { return verdict }
    return before == after ? .unchanged : .changed
  }

  /// Makes all groups as long as the longest that was measured.
  private mutating func grow() {
    guard let longest = records.longest, longest != template.slots.length else { return }
    template = records.template(level: longest)
  }

  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool {
    guard records.update(edits, content: content, room: room) else { return false }
    grow()
    return true
  }

  // MARK: Items that moved between groups

  var isSettled: Bool { records.isSettled }

  mutating func settle(_ stretch: Range<Int>) -> Bool {
    let seen = stretch.clamped(to: 0..<max(1, length))
    guard !isSettled, itemCount > 0, !seen.isEmpty else { return false }
    let first = group(atOffset: max(0, seen.lowerBound - supplementaryReach))
    let last = group(atOffset: min(length, seen.upperBound + supplementaryReach) - 1)
    guard records.settle(groups: first..<(last + 1)) else { return false }
    grow()
    return true
  }

  mutating func refine(atMost items: Int) -> Bool {
    guard records.refine(atMost: items) else { return false }
    grow()
    return true
  }

  func cost(of edits: SectionEdits) -> Int { records.cost(of: edits) }
}
