internal import Geometry

/// The items of a section whose groups are all alike: group g is the first one moved by g times its pitch.
///
/// Nothing is stored for an item: every answer is one division and a look at the places of a group or two.
struct TemplateBody: SectionBody {
  private(set) var itemCount: Int
  private let content: any TemplateContent
  private let room: SectionRoom
  private let template: GroupTemplate
  private let tail: TemplateTail?
  /// From the beginning of a group to that of the next, in pixels.
  private let pitch: Int
  let supplementaryReach: Int
  private var groupCount = 0
  /// The last group where it is not whole and looks otherwise.
  private var last: GroupTemplate?

  /// - Parameters:
  ///   - content: the rules that it was made by.
  ///   - template: the group, solved in the room.
  ///   - tail: how a last group looks that is not whole; without one it is the same with places missing.
  /// - Complexity: O(1), or O(k) for k places where there is a tail.
  init(
    _ content: any TemplateContent, _ template: GroupTemplate, tail: TemplateTail? = nil, itemCount: Int,
    in room: SectionRoom
  ) {
    self.content = content
    self.room = room
    self.template = template
    self.tail = tail
    self.itemCount = max(0, itemCount)
    supplementaryReach = template.supplementaryReach
    pitch = max(1, template.length(room.flow) + room.pixels(room.interGroupSpacing))
    findLast()
  }

  private mutating func findLast() {
    let (groups, rest) = itemCount.quotientAndRemainder(dividingBy: template.slots.count)
    groupCount = rest == 0 ? groups : groups + 1
    last = rest == 0 ? nil : tail?.template(template, cutTo: rest, flow: room.flow)
  }

  /// The places of a group's items.
  private func slots(ofGroup group: Int) -> ArraySlice<GroupSlot> {
    guard group == groupCount - 1 else { return template.slots[...] }
    return (last ?? template).slots.prefix(itemCount - group * template.slots.count)
  }

  var length: Int {
    guard itemCount > 0 else { return 0 }
    return (groupCount - 1) * pitch + (last ?? template).length(room.flow)
  }

  var breadth: Int { template.length(room.flow.cross) }

  func frame(ofItem item: Int) -> PixelFrame {
    let (slot, start) = slot(ofItem: item)
    return slot.frame.offset(start, along: room.flow)
  }

  func zIndex(ofItem item: Int) -> Int { slot(ofItem: item).slot.zIndex }

  private func this(_ group: Int) -> GroupTemplate {
    if let last, group == groupCount - 1 { last } else { template }
  }

  private func slot(ofItem item: Int) -> (slot: GroupSlot, start: Int) {
    let (group, slot) = item.quotientAndRemainder(dividingBy: template.slots.count)
    if let last, group == groupCount - 1 { return (last.slots[slot], group * pitch) }
    return (template.slots[slot], group * pitch)
  }

  /// - Complexity: O(k) for k places of a group.
  func firstItem(in rect: PixelFrame) -> Int? {
    guard itemCount > 0, !rect.isEmpty, rect.end(room.flow) > 0, rect.start(room.flow) < length else { return nil }
    // A place that the rectangle misses in the group that it begins in, and in the next, it misses everywhere: what
    // comes later begins later and is as far across. A last group of another look has nothing where no whole one has.
    let first = min(max(0, rect.start(room.flow)) / pitch, groupCount - 1)
    for group in [first, min(first + 1, groupCount - 1)] {
      let local = rect.offset(-group * pitch, along: room.flow)
      if let slot = slots(ofGroup: group).firstIndex(where: { $0.frame.intersects(local) }) {
        return group * template.slots.count + slot
      }
    }
    return nil
  }

  /// - Complexity: O(k) for k places of a group.
  func lastItem(in rect: PixelFrame) -> Int? {
    guard itemCount > 0, !rect.isEmpty, rect.end(room.flow) > 0, rect.start(room.flow) < length else { return nil }
    let last = min((rect.end(room.flow) - 1) / pitch, groupCount - 1)
    for group in [last, max(0, last - 1)] {
      let local = rect.offset(-group * pitch, along: room.flow)
      if let slot = slots(ofGroup: group).lastIndex(where: { $0.frame.intersects(local) }) {
        return group * template.slots.count + slot
      }
    }
    return nil
  }

  func groupStarts(around line: Int) -> (atOrBefore: Int, behind: Int?)? {
    guard itemCount > 0 else { return nil }
    guard line >= 0 else { return (0, 0) }
    let group = min(line / pitch, groupCount - 1)
    return (group * pitch, group + 1 < groupCount ? (group + 1) * pitch : nil)
  }

  var hasSupplementaries: Bool { !template.supplementaries.isEmpty }

  /// - Complexity: O(g b) for b views of each of g groups.
  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary]) {
    let items = items.clamped(to: 0..<itemCount)
    guard !items.isEmpty, !template.supplementaries.isEmpty else { return }
    let count = template.slots.count
    for group in items.lowerBound / count...(items.upperBound - 1) / count {
      for view in this(group).supplementaries {
        let first = group * count + view.slots.lowerBound
        let end = group * count + view.slots.upperBound
        guard first < items.upperBound, items.lowerBound < end else { continue }
        list.append(
          BodySupplementary(
            kind: view.kind, item: first, ordinal: view.ordinal,
            frame: view.frame.offset(group * pitch, along: room.flow),
            zIndex: view.zIndex))
      }
    }
  }

  /// - Complexity: O(1), or O(k) for k places where a last group looks otherwise; and O(r) for r rules.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool {
    guard room == self.room, self.content.hasSameRules(as: content) else { return false }
    itemCount = max(0, itemCount + edits.growth)
    findLast()
    return true
  }

  func cost(of edits: SectionEdits) -> Int { tail == nil ? 0 : template.slots.count }
}
