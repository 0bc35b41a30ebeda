/// What changed about the items that a layout was solved for.
public struct LayoutUpdate: Hashable, Sendable {
  /// How many items each section has now.
  public var counts: ItemCounts
  /// For each section now, which one it was before, or nothing for a new one; nothing at all where sections are the same.
  public var formerSections: [Int?]?
  /// What happened within sections that stayed, ascending by section; those that are not named kept their items.
  public var edits: [SectionEdits]

  /// Makes an update.
  public init(counts: ItemCounts, formerSections: [Int?]? = nil, edits: [SectionEdits] = []) {
    self.counts = counts
    self.formerSections = formerSections
    self.edits = edits
  }

  /// Makes the update that puts one item elsewhere; nothing where there is no such place, and where it stands.
  ///
  /// - Parameters:
  ///   - origin: the item's section and its place there.
  ///   - target: the section that it goes to, and how many items of that stand before it afterwards.
  ///   - counts: how many items each section has.
  /// - Precondition: There is such an item.
  /// - Complexity: O(s) for s sections.
  public init?(
    moving origin: (section: Int, item: Int), to target: (section: Int, item: Int), in counts: ItemCounts
  ) {
    guard origin != target, (0..<counts.numberOfSections).contains(target.section), target.item >= 0 else { return nil }
    var sizes = (0..<counts.numberOfSections).map { counts.items(inSection: $0).count }
    sizes[origin.section] -= 1
    guard target.item <= sizes[target.section] else { return nil }
    sizes[target.section] += 1
    let (removal, insertion) = (origin.item..<(origin.item + 1), target.item..<(target.item + 1))
    var edits = [SectionEdits(section: origin.section, removals: [removal])]
    if target.section == origin.section {
      edits[0].insertions = [insertion]
    } else {
      let other = SectionEdits(section: target.section, insertions: [insertion])
      edits.insert(other, at: target.section < origin.section ? 0 : 1)
    }
    self.init(counts: ItemCounts(sizes), edits: edits)
  }
}
