/// The reordering of an item, with everything below it in its tree.
public struct ItemReorder<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
  /// The items after a reordering.
  public struct Outcome: Sendable {
    /// The visible items.
    public let snapshot: Transaction.Snapshot
    /// The trees of both sections before the reordering, if one of them has more than a flat list.
    public fileprivate(set) var initialOutlines: [SectionID: Transaction.SectionSnapshot] = [:]
    /// The trees of both sections after the reordering.
    public fileprivate(set) var finalOutlines: [SectionID: Transaction.SectionSnapshot] = [:]
  }

  /// The resulting transaction.
  public typealias Transaction = DiffableDataSourceTransaction<SectionID, ItemID>

  /// The item.
  public let item: ItemID
  /// The destination of the item.
  public let destination: ReorderDestination<SectionID, ItemID>

  /// Creates a reordering.
  ///
  /// - Complexity: O(1).
  public init(_ item: ItemID, to destination: ReorderDestination<SectionID, ItemID>) {
    self.item = item
    self.destination = destination
  }

  /// Returns the source and target sections, or nil if the item or its destination does not exist.
  ///
  /// An item that is hidden in a tree is in no section.
  ///
  /// - Complexity: O(log n).
  public func sections(in snapshot: Transaction.Snapshot) -> (source: SectionID, target: SectionID)? {
    guard let source = snapshot.sectionIdentifier(containingItem: item) else { return nil }
    switch destination {
    case .before(let anchor), .after(let anchor), .lastChild(let anchor):
      return snapshot.sectionIdentifier(containingItem: anchor).map { (source, $0) }
    case .endOfSection(let section):
      return snapshot.indexOfSection(section) == nil ? nil : (source, section)
    }
  }

  /// Returns the changes of the visible items and of the trees of sections that have more than a flat list.
  ///
  /// - Parameters:
  ///   - snapshot: The visible items.
  ///   - outlines: The trees of the two ``sections(in:)``, if they have more than a flat list.
  /// - Returns: The transaction, or nil if the item or its destination does not exist, if the destination is the item
  ///   itself or below it, or if the item is already there.
  /// - Complexity: That of moving an item and of the transaction; with trees, also O(t) for their t items.
  public func transaction(
    in snapshot: Transaction.Snapshot, outlines: [SectionID: Transaction.SectionSnapshot]
  ) -> Transaction? {
    outcome(in: snapshot, outlines: outlines).map {
      Transaction(
        from: snapshot, to: $0.snapshot, initialOutlines: $0.initialOutlines, finalOutlines: $0.finalOutlines)
    }
  }

  /// Returns the visible items and the trees after the reordering, like ``transaction(in:outlines:)`` without the
  /// differences.
  ///
  /// - Complexity: That of moving an item; with trees, also O(t) for their t items.
  public func outcome(
    in snapshot: Transaction.Snapshot, outlines: [SectionID: Transaction.SectionSnapshot]
  ) -> Outcome? {
    guard let (source, target) = sections(in: snapshot) else { return nil }
    switch destination {
    case .before(item), .after(item), .lastChild(of: item): return nil
    default: break
    }
    var final = snapshot
    guard outlines[source] != nil || outlines[target] != nil else {
      move(in: &final)
      return final == snapshot ? nil : Outcome(snapshot: final)
    }

    var initial: [SectionID: Transaction.SectionSnapshot] = [:]
    for section in [source, target] { initial[section] = outlines[section] ?? snapshot.outline(ofSection: section) }
    guard let trees = movedOutlines(from: source, to: target, in: initial), trees != initial else { return nil }
    // The target section first, so that the item is moved instead of deleted and inserted.
    for section in [target, source] {
      if let tree = trees[section] { final.showVisibleItems(of: tree, inSection: section) }
    }
    return Outcome(snapshot: final, initialOutlines: initial, finalOutlines: trees)
  }

  private func move(in snapshot: inout Transaction.Snapshot) {
    switch destination {
    case .before(let anchor): snapshot.moveItem(item, beforeItem: anchor)
    case .after(let anchor): snapshot.moveItem(item, afterItem: anchor)
    case .endOfSection(let section): snapshot.appendItems([item], toSection: section)
    case .lastChild: break
    }
  }

  /// Returns the trees after the item and its subtree were moved, or nil if the destination is below the item itself.
  private func movedOutlines(
    from source: SectionID, to target: SectionID, in initial: [SectionID: Transaction.SectionSnapshot]
  ) -> [SectionID: Transaction.SectionSnapshot]? {
    var trees = initial
    guard var from = trees[source], from.contains(item) else { return nil }
    let part = from.snapshot(of: item, includingParent: true)
    from.delete([item])
    trees[source] = from
    guard var into = trees[target] else { return nil }
    switch destination {
    case .before(let anchor):
      guard into.contains(anchor) else { return nil }
      into.insert(part, before: anchor)
    case .after(let anchor):
      guard into.contains(anchor) else { return nil }
      into.insert(part, after: anchor)
    case .lastChild(let anchor):
      guard into.contains(anchor) else { return nil }
      into.append(part, to: anchor)
    case .endOfSection:
      into.append(part)
    }
    trees[target] = into
    return trees
  }
}

extension ItemReorder {
  /// Creates a reordering that leads to a position among the visible items of a section.
  ///
  /// Fails if the item or the section does not exist.
  ///
  /// In a tree, a position between two items may belong to several levels: the item may become a sibling of the item
  /// above or of any of its ancestors. The item keeps its level as far as the position allows. Below an expanded item
  /// without children it may become a child.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - section: The target section.
  ///   - position: The number of visible items of the section before the item afterwards, without the items below it.
  ///     Larger values count as the number of all items.
  ///   - snapshot: The visible items.
  ///   - visibleCount: The number of visible items that move: the item and those below it. Default: 1.
  ///   - outlines: The trees of both sections, if they have more than a flat list.
  /// - Precondition: The position is not negative, and `visibleCount` is at least 1.
  /// - Complexity: O(log n), and O(d) for a tree of depth d.
  public init?(
    _ item: ItemID, toSection section: SectionID, at position: Int, in snapshot: Transaction.Snapshot,
    visibleCount: Int = 1,
    outlines: [SectionID: Transaction.SectionSnapshot]
  ) {
    guard let source = snapshot.position(ofItem: item), let target = snapshot.indexOfSection(section) else {
      return nil
    }
    let count = snapshot.numberOfItems(inSectionAt: target) - (source.section == target ? visibleCount : 0)
    let position = min(position, count)
    func neighbour(_ index: Int) -> ItemID? {
      guard index >= 0, index < count else { return nil }
      let isBehind = source.section == target && index >= source.item
      return snapshot.itemIdentifier(section: target, item: isBehind ? index + visibleCount : index)
    }
    let neighbours = (above: neighbour(position - 1), below: neighbour(position))
    // The item's level in the tree that contains it. At most one does.
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
    let minimum = neighbours.below.flatMap { tree.contains($0) ? tree.level(of: $0) : nil } ?? 0
    let maximum = tree.isExpanded(above) ? levelAbove + 1 : levelAbove
    let level = max(minimum, min(maximum, level))
    if let below = neighbours.below, level == minimum { return .before(below) }
    if level > levelAbove { return .lastChild(of: above) }
    var anchor = above
    while tree.level(of: anchor) > level, let parent = tree.parent(of: anchor) { anchor = parent }
    return .after(anchor)
  }
}

/// The destination of a reordered item.
public enum ReorderDestination<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
  /// Immediately before an item, with the same parent.
  case before(ItemID)
  /// Immediately after an item and everything below it, with the same parent.
  case after(ItemID)
  /// The last child of an item, which may have no children yet.
  ///
  /// Valid only in a tree, because a flat list has no levels.
  case lastChild(of: ItemID)
  /// At the end of a section, without a parent.
  case endOfSection(SectionID)
}
