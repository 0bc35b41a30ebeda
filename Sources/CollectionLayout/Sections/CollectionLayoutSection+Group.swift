extension CollectionLayoutSection {
  /// Makes a section that repeats a group until each of its items has a place.
  ///
  /// Item i has place i mod k of repetition i / k for a group of k places. A last group that is not whole keeps the
  /// places of the items that it has.
  public init(group: CollectionLayoutGroup) { self.init(content: GroupContent(group: group)) }
}
