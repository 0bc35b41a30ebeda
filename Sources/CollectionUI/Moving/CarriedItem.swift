import DiffableData

/// An item that a hand carries over the others of its data source, and where it would be put.
struct CarriedItem<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let item: ItemID
  /// Nothing until it was over another place.
  var destination: ReorderDestination<SectionID, ItemID>?
}
