extension ItemReorder {
  /// Decides for the place that an item has afterwards among the items that a section shows.
  ///
  /// In a tree a place between two items may be on several levels: behind the last one below an item, or behind that item.
  /// The item keeps its level as far as the place has it. Below an expanded item without children there is room, too.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - section: where it is put.
  ///   - place: how many items of that section stand before it afterwards, those below the item not counted; as many as
  ///     there are where it is more.
  ///   - snapshot: the items as they are shown.
  ///   - shownPart: how many items are shown from the item on that go along: itself, and those shown below it.
  ///   - outlines: the trees of the item's section and of the other one, as far as they are more than a list.
  /// - Precondition: The place is not negative, and the part is 1 or more.
  /// - Complexity: O(log n), and O(d) for a depth d of a tree.
  public init?(
    _ item: ItemID, toSection section: SectionID, at place: Int, in snapshot: Transaction.Snapshot, shownPart: Int = 1,
    outlines: [SectionID: Transaction.SectionSnapshot]
  ) {
    guard let source = snapshot.position(ofItem: item), let target = snapshot.indexOfSection(section) else {
      return nil
    }
    let count = snapshot.numberOfItems(inSectionAt: target) - (source.section == target ? shownPart : 0)
    let place = min(place, count)
    func other(_ number: Int) -> ItemID? {
      guard number >= 0, number < count else { return nil }
      let isBehind = source.section == target && number >= source.item
      return snapshot.itemIdentifier(section: target, item: isBehind ? number + shownPart : number)
    }
    let neighbours = (above: other(place - 1), below: other(place))
    // In its tree, wherever it is shown: at most one holds it.
    let level = outlines.values.first { $0.contains(item) }?.level(of: item)
    self.init(item, to: Self.destination(between: neighbours, in: section, outlines[section], level: level ?? 0))
  }

  private static func destination(
    between neighbours: (above: ItemID?, below: ItemID?), in section: SectionID, _ tree: Transaction.SectionSnapshot?,
    level: Int
  ) -> ReorderDestination<SectionID, ItemID> {
    guard let above = neighbours.above else { return neighbours.below.map { .before($0) } ?? .endOfSection(section) }
    guard let tree, tree.contains(above) else { return neighbours.below.map { .before($0) } ?? .after(above) }
    let levelAbove = tree.level(of: above)
    let least = neighbours.below.flatMap { tree.contains($0) ? tree.level(of: $0) : nil } ?? 0
    let most = tree.isExpanded(above) ? levelAbove + 1 : levelAbove
    let level = max(least, min(most, level))
    if let below = neighbours.below, level == least { return .before(below) }
    if level > levelAbove { return .lastChild(of: above) }
    var anchor = above
    while tree.level(of: anchor) > level, let parent = tree.parent(of: anchor) { anchor = parent }
    return .after(anchor)
  }
}
