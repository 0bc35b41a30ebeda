/// Decides what becomes of the items when one of them is put elsewhere, with everything below it.
public struct ItemReorder<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
  /// The items after a reordering.
  public struct Outcome: Sendable {
    /// The visible items.
    public let snapshot: Transaction.Snapshot
    /// The trees before of the two sections, where one of them is more than a list.
    public fileprivate(set) var initialOutlines: [SectionID: Transaction.SectionSnapshot] = [:]
    /// Their trees afterwards.
    public fileprivate(set) var finalOutlines: [SectionID: Transaction.SectionSnapshot] = [:]
  }

  /// What it leads to.
  public typealias Transaction = DiffableDataSourceTransaction<SectionID, ItemID>

  /// The item.
  public let item: ItemID
  /// Where it is put.
  public let destination: ReorderDestination<SectionID, ItemID>

  /// Makes a decision for an item and its destination.
  ///
  /// - Complexity: O(1).
  public init(_ item: ItemID, to destination: ReorderDestination<SectionID, ItemID>) {
    self.item = item
    self.destination = destination
  }

  /// The sections that the item is taken from and put into.
  ///
  /// Nothing when the item or its destination is not there. An item that is in a tree but hidden is in none.
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

  /// What the reordering does to the visible items and to the trees of those sections that are more than a list.
  ///
  /// Nothing when the item or its destination is not there, when that is the item itself or below it, or when the item
  /// stands there already.
  /// - Parameters:
  ///   - snapshot: the visible items.
  ///   - outlines: the trees of the two ``sections(in:)``, as far as they are more than a list.
  /// - Complexity: that of moving an item and of the transaction; with trees, O(t) for their t items too.
  public func transaction(
    in snapshot: Transaction.Snapshot, outlines: [SectionID: Transaction.SectionSnapshot]
  ) -> Transaction? {
    outcome(in: snapshot, outlines: outlines).map {
      Transaction(
        from: snapshot, to: $0.snapshot, initialOutlines: $0.initialOutlines, finalOutlines: $0.finalOutlines)
    }
  }

  /// The visible items and the trees after the reordering, as ``transaction(in:outlines:)`` has them, without what differs.
  ///
  /// - Complexity: that of moving an item; with trees, O(t) for their t items too.
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
    guard let trees = moved(from: source, to: target, in: initial), trees != initial else { return nil }
    // The one that takes it first, so that the item is moved and not deleted and made anew.
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

  /// The trees with the item and what is below it in its new place, or nothing when that is below the item itself.
  private func moved(
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
