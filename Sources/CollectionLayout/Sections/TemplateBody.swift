internal import VitrineGeometry

/// The items of a section with identical groups: group g is the first group moved by g times the pitch.
///
/// No item is stored: each query takes a division and a search of the slots of one or two groups.
struct TemplateBody: SectionBody {
  private(set) var itemCount: Int
  private let content: any TemplateContent
  private let container: SectionContainer
  private let template: GroupTemplate
  private let tail: TemplateTail?
  /// The distance between the starts of two groups, in pixels.
  private let pitch: Int
  let supplementaryReach: Int
  private var groupCount = 0
  /// The last group if it is incomplete and has its own layout.
  private var last: GroupTemplate?

  /// Creates a body.
  ///
  /// - Parameters:
  ///   - content: The rules of the section.
  ///   - template: The solved group.
  ///   - tail: The layout of an incomplete last group, or nil if it is laid out like a complete one.
  ///   - itemCount: The number of items.
  ///   - container: The container.
  /// - Complexity: O(1), or O(k) for k slots with a tail.
  init(
    _ content: any TemplateContent, _ template: GroupTemplate, tail: TemplateTail? = nil, itemCount: Int,
    in container: SectionContainer
  ) {
    self.content = content
    self.container = container
    self.template = template
    self.tail = tail
    self.itemCount = max(0, itemCount)
    supplementaryReach = template.supplementaryReach
    pitch = max(1, template.length(container.flow) + container.pixels(container.interGroupSpacing))
    updateLastGroup()
  }

  private mutating func updateLastGroup() {
    let (groups, remainder) = itemCount.quotientAndRemainder(dividingBy: template.slots.count)
    groupCount = remainder == 0 ? groups : groups + 1
    last = remainder == 0 ? nil : tail?.template(template, cutTo: remainder, flow: container.flow)
  }

  /// Returns the slots of a group's items.
  private func slots(ofGroup group: Int) -> ArraySlice<GroupSlot> {
    guard group == groupCount - 1 else { return template.slots[...] }
    return (last ?? template).slots.prefix(itemCount - group * template.slots.count)
  }

  var length: Int {
    guard itemCount > 0 else { return 0 }
    return (groupCount - 1) * pitch + (last ?? template).length(container.flow)
  }

  var breadth: Int { template.length(container.flow.cross) }

  func frame(ofItem item: Int) -> PixelFrame {
    let (slot, start) = slot(ofItem: item)
    return slot.frame.offset(start, along: container.flow)
  }

  func zIndex(ofItem item: Int) -> Int { slot(ofItem: item).slot.zIndex }

  private func template(ofGroup group: Int) -> GroupTemplate {
    if let last, group == groupCount - 1 { last } else { template }
  }

  private func slot(ofItem item: Int) -> (slot: GroupSlot, start: Int) {
    let (group, slot) = item.quotientAndRemainder(dividingBy: template.slots.count)
    if let last, group == groupCount - 1 { return (last.slots[slot], group * pitch) }
    return (template.slots[slot], group * pitch)
  }

  /// - Complexity: O(k) for k slots of a group.
  func firstItem(in rect: PixelFrame) -> Int? {
    guard itemCount > 0, !rect.isEmpty, rect.end(container.flow) > 0, rect.start(container.flow) < length else {
      return nil
    }
    // A slot that the rectangle misses in its first group and in the next one, it misses in all groups: later groups
    // start later and have the same cross positions. A last group with its own layout has no items where complete
    // groups have none.
    let first = min(max(0, rect.start(container.flow)) / pitch, groupCount - 1)
    for group in [first, min(first + 1, groupCount - 1)] {
      let local = rect.offset(-group * pitch, along: container.flow)
      if let slot = slots(ofGroup: group).firstIndex(where: { $0.frame.intersects(local) }) {
        return group * template.slots.count + slot
      }
    }
    return nil
  }

  /// - Complexity: O(k) for k slots of a group.
  func lastItem(in rect: PixelFrame) -> Int? {
    guard itemCount > 0, !rect.isEmpty, rect.end(container.flow) > 0, rect.start(container.flow) < length else {
      return nil
    }
    let last = min((rect.end(container.flow) - 1) / pitch, groupCount - 1)
    for group in [last, max(0, last - 1)] {
      let local = rect.offset(-group * pitch, along: container.flow)
      if let slot = slots(ofGroup: group).lastIndex(where: { $0.frame.intersects(local) }) {
        return group * template.slots.count + slot
      }
    }
    return nil
  }

  func groupStarts(around line: Int) -> (atOrBefore: Int, after: Int?)? {
    guard itemCount > 0 else { return nil }
    guard line >= 0 else { return (0, 0) }
    let group = min(line / pitch, groupCount - 1)
    return (group * pitch, group + 1 < groupCount ? (group + 1) * pitch : nil)
  }

  var hasSupplementaries: Bool { !template.supplementaries.isEmpty }

  /// - Complexity: O(g b) for b views in each of g groups.
  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary]) {
    let items = items.clamped(to: 0..<itemCount)
    guard !items.isEmpty, !template.supplementaries.isEmpty else { return }
    let count = template.slots.count
    for group in items.lowerBound / count...(items.upperBound - 1) / count {
      for view in template(ofGroup: group).supplementaries {
        let first = group * count + view.slots.lowerBound
        let end = group * count + view.slots.upperBound
        guard first < items.upperBound, items.lowerBound < end else { continue }
        list.append(
          BodySupplementary(
            kind: view.kind, item: first, ordinal: view.ordinal,
            frame: view.frame.offset(group * pitch, along: container.flow),
            zIndex: view.zIndex))
      }
    }
  }

  /// - Complexity: O(1), or O(k) for k slots with a tail, plus O(r) for r rules.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool {
    guard container == self.container, self.content.hasSameRules(as: content) else { return false }
    itemCount = max(0, itemCount + edits.countDelta)
    updateLastGroup()
    return true
  }

  func cost(of edits: SectionEdits) -> Int { tail == nil ? 0 : template.slots.count }
}

/// The layout of an incomplete last group.
///
/// A group consists of bands along the flow axis. Complete bands keep their layout. The items of the first incomplete
/// band are laid out in plain rows instead, so that there are no holes.
struct TemplateTail: Hashable, Sendable {
  /// A band of the group.
  struct Band: Hashable, Sendable {
    /// The slots of the band.
    var slots: Range<Int>
    /// The start along the flow axis, in pixels.
    var start: Int
    /// The length along the flow axis, in pixels.
    var length: Int
  }

  /// The bands, which contain all slots of the group.
  var bands: [Band]
  /// The slots of a plain row, moved to the start of the group.
  ///
  /// One of the bands is such a row.
  var row: [GroupSlot]
  /// The length of a row along the flow axis.
  var rowLength: Int
  /// The space between rows.
  var rowSpacing: Int

  /// Returns the last group.
  ///
  /// - Parameters:
  ///   - template: The complete group.
  ///   - count: The number of items of the last group, at least 1.
  ///   - flow: The flow axis.
  /// - Complexity: O(k) for k slots.
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
