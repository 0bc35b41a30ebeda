/// Where an item is kept: in which chunk, and near which slot of it.
///
/// The slot is a hint. Edits in a chunk shift its items and leave their hints as they are; a search outwards from the
/// hint finds the item in as many steps as it was shifted.
struct ItemPlace: Hashable, Sendable {
  /// The chunk's key; negative for an item that was removed.
  var chunk: Int32
  var slot: Int32

  /// The place of an item that an older layer of the index knows and that is there no more.
  static let removed = ItemPlace(chunk: -1, slot: 0)

  var isRemoved: Bool { chunk < 0 }
}
