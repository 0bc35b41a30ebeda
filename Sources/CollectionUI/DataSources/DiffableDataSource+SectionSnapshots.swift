public import VitrineDiffableData

extension DiffableDataSource {
  /// The type of a snapshot of the tree of a section's items.
  public typealias SectionSnapshot = DiffableDataSourceSectionSnapshot<ItemID>

  /// Applies a section snapshot, displaying the visible items of its tree.
  ///
  /// A section that does not exist is appended.
  ///
  /// An item of another section is moved. The tree is valid as long as the section contains its visible items in the
  /// same order. A section that receives other items by `apply(_:animatingDifferences:completion:)` becomes a list.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot of the section.
  ///   - section: The identifier of the section.
  ///   - isAnimated: Whether the change is animated. Default: true.
  ///   - completion: A closure that is called as that of `apply(_:animatingDifferences:completion:)`. Default: nil.
  /// - Complexity: That of `showVisibleItems(of:inSection:)` and of `apply(_:animatingDifferences:completion:)`.
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

  /// Applies a section snapshot, and returns when `apply(_:animatingDifferences:)` of the data source's snapshot would.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot of the section.
  ///   - section: The identifier of the section.
  ///   - isAnimated: Whether the change is animated. Default: true.
  public func apply(
    _ snapshot: SectionSnapshot, to section: SectionID, animatingDifferences isAnimated: Bool = true
  ) async {
    await withCheckedContinuation { continuation in
      apply(snapshot, to: section, animatingDifferences: isAnimated, completion: { continuation.resume() })
    }
  }

  /// Returns a snapshot of the section's tree, which you can change and apply.
  ///
  /// A section without an applied tree is a list. The snapshot of a section that does not exist is empty.
  ///
  /// - Complexity: O(v) for the v items that the section displays.
  public func snapshot(for section: SectionID) -> SectionSnapshot {
    outline(of: section) ?? snapshot().outline(ofSection: section)
  }

  /// Expands an item of a section's tree, if the handlers allow it.
  ///
  /// The method calls `shouldExpandItem`, `willExpandItem` and `snapshotForExpandingParent`, in this order. Each may
  /// apply other snapshots. An item that the section does not contain, or that is expanded, is not changed.
  ///
  /// - Returns: Whether the item was expanded.
  /// - Complexity: O(v) for the v items that the section displays, and that of
  ///   `apply(_:animatingDifferences:completion:)`.
  @discardableResult
  public func expand(
    _ item: ItemID, in section: SectionID, animatingDifferences isAnimated: Bool = true
  ) -> Bool {
    performExpansion(ExpansionDecider(item, expands: true), in: section, isAnimated)
  }

  /// Collapses an item of a section's tree, if the handlers allow it.
  ///
  /// The method calls `shouldCollapseItem` and `willCollapseItem`, in this order. Each may apply other snapshots. An
  /// item that the section does not contain, or that is collapsed, is not changed.
  ///
  /// - Returns: Whether the item was collapsed.
  /// - Complexity: O(v) for the v items that the section displays, and that of
  ///   `apply(_:animatingDifferences:completion:)`.
  @discardableResult
  public func collapse(
    _ item: ItemID, in section: SectionID, animatingDifferences isAnimated: Bool = true
  ) -> Bool {
    performExpansion(ExpansionDecider(item, expands: false), in: section, isAnimated)
  }

  /// Returns the tree that was applied to a section, or nil if the section contains other items.
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
      case .requestPermission:
        let handler = decider.expands ? handlers.shouldExpandItem : handlers.shouldCollapseItem
        event = .permissionReceived(handler?(item) ?? true)
      case .notifyClient:
        (decider.expands ? handlers.willExpandItem : handlers.willCollapseItem)?(item)
        event = .clientNotified
      case .requestChildren:
        event = .childrenReceived(handlers.snapshotForExpandingParent.map { $0(item, tree.snapshot(of: item)) })
      case .insertItems(let outcome):
        applyExpansion(outcome, in: section, isAnimated) { if !$1.isEmpty { $0.insertItems($1, afterItem: item) } }
        return true
      case .deleteItems(let outcome):
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

/// The handlers that a data source calls when items are expanded and collapsed.
public struct SectionSnapshotHandlers<ItemID: Hashable & Sendable> {
  /// Returns whether an item may be expanded.
  ///
  /// If nil, every item may be expanded.
  public var shouldExpandItem: ((ItemID) -> Bool)?
  /// Called before an item is expanded.
  public var willExpandItem: ((ItemID) -> Void)?
  /// Returns whether an item may be collapsed.
  ///
  /// If nil, every item may be collapsed.
  public var shouldCollapseItem: ((ItemID) -> Bool)?
  /// Called before an item is collapsed.
  public var willCollapseItem: ((ItemID) -> Void)?
  /// Returns the children of an item that is being expanded, replacing its current children.
  ///
  /// Use it to load children on demand.
  public var snapshotForExpandingParent:
    (
      (_ parent: ItemID, _ current: DiffableDataSourceSectionSnapshot<ItemID>)
        -> DiffableDataSourceSectionSnapshot<ItemID>
    )?

  /// Creates handlers that allow all changes.
  public init() {}
}
