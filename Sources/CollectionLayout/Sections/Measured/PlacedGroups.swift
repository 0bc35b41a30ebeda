/// Some groups of a chunk that were placed by what is known of their items.
struct PlacedGroups {
  /// A group of which an item was measured.
  struct Group: Hashable {
    /// Counted from the first of the chunk.
    var place: Int
    /// Pixels along the flow.
    var length: Int
  }

  /// Ascending by place.
  private(set) var groups: [Group] = []
  /// The items of those groups, as many for each as a group has slots; none where a group is its one item.
  private(set) var frames: [PixelFrame] = []

  /// Takes a group in behind the last.
  mutating func append(_ place: Int, _ slots: MeasuredSlots, isRow: Bool) {
    groups.append(Group(place: place, length: slots.length))
    if !isRow { frames += slots.frames }
  }
}
