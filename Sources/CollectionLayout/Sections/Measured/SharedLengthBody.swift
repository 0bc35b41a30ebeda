internal import VitrineDataStructures
internal import VitrineGeometry

/// The items of a section whose groups all have the length that the longest of them requires.
///
/// The length is the estimate of the rules until a cell was measured, then the largest length of a measured group. It
/// does not decrease until the rules or the container change, so that a cell that changes its size repeatedly or the
/// removal of a long cell does not move items repeatedly. The position of a group follows from its index. Sizes are
/// stored by item, as in other measured sections.
struct SharedLengthBody: GroupedBody {
  /// The measured sizes; the positions of its groups are not used.
  private(set) var records: MeasuredBody
  /// The layout of an unmeasured group.
  private var template: MeasuredTemplate
  /// The largest distance by which a view extended beyond its item in a measured group with the shared length.
  private var maximumReach = 0

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
  func identicalGroups(around group: Int) -> Range<Int> { records.identicalGroups(around: group) }
  func zIndex(ofItem item: Int) -> Int { records.zIndex(ofItem: item) }

  /// - Complexity: O(log n), plus O(k) for the k items of a measured group.
  func frame(ofItem item: Int) -> PixelFrame {
    let (group, slot) = item.quotientAndRemainder(dividingBy: slotCount)
    return frames(ofGroup: group)[slot].offset(start(ofGroup: group), along: flow)
  }

  private func frames(ofGroup group: Int) -> [PixelFrame] {
    guard records.isMeasured(group: group) else { return template.slots.frames }
    // With the items that it contains now, a stale group may be longer than the shared length.
    return records.stale.contains(group) ? records.frames(ofGroup: group) : solved(group).frames
  }

  private func solved(_ group: Int) -> MeasuredSlots {
    records.group.solved(measured: measured(group), atLeast: template.slots.length)
  }

  /// Returns the sizes with which a group is laid out: the measured ones, and those of the shared length for other
  /// items.
  private func measured(_ group: Int) -> MeasurableGroup.Measured {
    records.isMeasured(group: group) ? records.measured(ofGroup: group) : template.size(ofSlot:)
  }

  var supplementaryReach: Int { max(records.supplementaryReach, template.slots.reach, maximumReach) }

  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary]) {
    let items = items.clamped(to: 0..<itemCount)
    guard !items.isEmpty else { return }
    for group in (items.lowerBound / slotCount)...((items.upperBound - 1) / slotCount) {
      let first = group * slotCount
      let groupItems = items.clamped(to: first..<(first + slotCount))
      let views = records.group.supplementaries(
        of: (groupItems.lowerBound - first)..<(groupItems.upperBound - first), measured: measured(group),
        atLeast: template.slots.length)
      for view in views where first + view.item < itemCount {
        list.append(view.moved(to: first, start(ofGroup: group), flow))
      }
    }
  }

  // MARK: - Preferred sizes

  func usesPreferredSize(ofItem item: Int) -> Bool { records.usesPreferredSize(ofItem: item) }

  /// - Complexity: That of ``MeasuredBody/setPreferredSize(width:height:ofItem:burst:)``.
  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int, burst: UInt32) -> PreferredSizeResult {
    let group = item / slotCount
    let before = (frames(ofGroup: group), template.slots.length, breadth)
    let verdict = records.setPreferredSize(width: width, height: height, ofItem: item, burst: burst)
    grow()
    if records.isMeasured(group: group) { maximumReach = max(maximumReach, solved(group).reach) }
    let after = (frames(ofGroup: group), template.slots.length, breadth)
    if case .frozen = verdict { return verdict }
    return before == after ? .unchanged : .changed
  }

  mutating func unfreezeSize(ofItem item: Int) { records.unfreezeSize(ofItem: item) }

  /// Sets the length of all groups to that of the longest measured group.
  private mutating func grow() {
    guard let maximumLength = records.maximumLength, maximumLength != template.slots.length else { return }
    template = records.template(expectedLength: maximumLength)
  }

  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool {
    guard records.update(edits, content: content, container: container) else { return false }
    grow()
    return true
  }

  // MARK: - Stale groups

  var areFramesFinal: Bool { records.areFramesFinal }

  mutating func finalizeFrames(in span: Range<Int>) -> Bool {
    let seen = span.clamped(to: 0..<max(1, length))
    guard !areFramesFinal, itemCount > 0, !seen.isEmpty else { return false }
    let first = group(atOffset: max(0, seen.lowerBound - supplementaryReach))
    let last = group(atOffset: min(length, seen.upperBound + supplementaryReach) - 1)
    guard records.finalizeFrames(ofGroups: first..<(last + 1)) else { return false }
    grow()
    return true
  }

  mutating func finalizeFrames(itemBudget items: Int) -> Bool {
    guard records.finalizeFrames(itemBudget: items) else { return false }
    grow()
    return true
  }

  func cost(of edits: SectionEdits) -> Int { records.cost(of: edits) }
}
