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
}
