/// Where an item is put by a reordering.
public enum ReorderDestination<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
  /// Just before an item, with the same parent.
  case before(ItemID)
  /// Just after an item and everything below it, with the same parent.
  case after(ItemID)
  /// Below an item, behind what is there: also where nothing is yet.
  ///
  /// Only in a section's tree; in a list nothing is below anything.
  case lastChild(of: ItemID)
  /// At the end of a section, without a parent.
  case endOfSection(SectionID)
}
