/// Where an item is put by a reordering.
public enum ReorderDestination<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
  /// Just before an item, with the same parent.
  case before(ItemID)
  /// Just after an item and everything below it, with the same parent.
  case after(ItemID)
  /// At the end of a section, without a parent.
  case endOfSection(SectionID)
}
