public import DiffableData

extension DiffableDataSource {
  /// The tree of one section's items.
  public typealias SectionSnapshot = DiffableDataSourceSectionSnapshot<ItemID>

  /// Shows the visible items of a tree in a section, which is appended when it is not there.
  ///
  /// An item that another section holds is moved. The tree counts as long as the section holds its visible items in their
  /// order; a section that was given others by `apply(_:animatingDifferences:completion:)` is a list.
  /// - Parameters:
  ///   - snapshot: the tree.
  ///   - section: the section.
  ///   - isAnimated: whether the way to what is new is shown.
  ///   - completion: called when the update was shown, as that of `apply(_:animatingDifferences:completion:)`.
  /// - Complexity: that of `showVisibleItems(of:inSection:)` and of `apply(_:animatingDifferences:completion:)`.
  public func apply(
    _ snapshot: SectionSnapshot, to section: SectionID, animatingDifferences isAnimated: Bool = true,
    completion: (() -> Void)? = nil
  ) {
    var next = self.snapshot()
    next.showVisibleItems(of: snapshot, inSection: section)
    outlines = outlines.filter { next.indexOfSection($0.key) != nil }
    outlines[section] = snapshot
    apply(next, animatingDifferences: isAnimated, completion: completion)
  }

  /// A copy of the tree of a section's items, to be changed and applied.
  ///
  /// A section that no tree was applied to is a list; one that is not there is empty.
  /// - Complexity: O(v) for the v items that the section shows.
  public func snapshot(for section: SectionID) -> SectionSnapshot {
    outline(of: section) ?? snapshot().outline(ofSection: section)
  }

  /// Expands an item of a section's tree, if the handlers allow it.
  ///
  /// They are asked, told, and asked for children, in this order; any of them may apply other snapshots. Nothing happens
  /// to an item that the section does not hold, or that is expanded.
  /// - Returns: Whether the item was expanded.
  /// - Complexity: O(v) for the v items that the section shows, and that of `apply(_:animatingDifferences:completion:)`.
  @discardableResult
  public func expand(
    _ item: ItemID, in section: SectionID, animatingDifferences isAnimated: Bool = true
  ) -> Bool {
    performExpansion(ExpansionDecider(item, expands: true), in: section, isAnimated)
  }

  /// Collapses an item of a section's tree, if the handlers allow it.
  ///
  /// They are asked and told, in this order; either may apply other snapshots. Nothing happens to an item that the section
  /// does not hold, or that is collapsed.
  /// - Returns: Whether the item was collapsed.
  /// - Complexity: O(v) for the v items that the section shows, and that of `apply(_:animatingDifferences:completion:)`.
  @discardableResult
  public func collapse(
    _ item: ItemID, in section: SectionID, animatingDifferences isAnimated: Bool = true
  ) -> Bool {
    performExpansion(ExpansionDecider(item, expands: false), in: section, isAnimated)
  }

  /// The tree that was applied to a section, if the section still holds its visible items.
  func outline(of section: SectionID) -> SectionSnapshot? {
    let shown = snapshot()
    guard let outline = outlines[section], shown.indexOfSection(section) != nil,
      shown.itemIdentifiers(inSection: section) == outline.visibleItems
    else { return nil }
    return outline
  }

  private func performExpansion(
    _ decider: ExpansionDecider<ItemID>, in section: SectionID, _ isAnimated: Bool
  ) -> Bool {
    let (handlers, item) = (sectionSnapshotHandlers, decider.item)
    var event = ExpansionDecider<ItemID>.Event.requested
    while true {
      let tree = snapshot(for: section)
      switch decider.handle(event, in: tree) {
      case .ask:
        let handler = decider.expands ? handlers.shouldExpandItem : handlers.shouldCollapseItem
        event = .answered(handler?(item) ?? true)
      case .tell:
        (decider.expands ? handlers.willExpandItem : handlers.willCollapseItem)?(item)
        event = .told
      case .askForChildren:
        event = .provided(handlers.snapshotForExpandingParent.map { $0(item, tree.snapshot(of: item)) })
      case .show(let outcome):
        applyExpansion(outcome, in: section, isAnimated) { if !$1.isEmpty { $0.insertItems($1, afterItem: item) } }
        return true
      case .hide(let outcome):
        applyExpansion(outcome, in: section, isAnimated) { $0.deleteItems($1) }
        return true
      case .end:
        return false
      }
    }
  }

  private func applyExpansion(
    _ outcome: ExpansionDecider<ItemID>.Outcome, in section: SectionID, _ isAnimated: Bool,
    _ edit: (inout Snapshot, [ItemID]) -> Void
  ) {
    var next = snapshot()
    edit(&next, outcome.items)
    outlines[section] = outcome.snapshot
    apply(next, animatingDifferences: isAnimated)
  }
}
