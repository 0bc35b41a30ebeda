/// A state machine that expands or collapses an item: it determines the calls of the client and the resulting tree.
///
/// The caller performs each effect and passes the result to the next call of ``handle(_:in:)``, with the current tree
/// of the section, because client code may have changed it. If the item has been deleted or already has the requested
/// state, the process ends.
public struct ExpansionDecider<ItemID: Hashable & Sendable>: Sendable {
  /// The tree of a section.
  public typealias Snapshot = DiffableDataSourceSectionSnapshot<ItemID>

  /// An event of the process.
  public enum Event: Sendable {
    /// An expansion or a collapse was requested.
    case requested
    /// The client allowed or refused the change.
    case permissionReceived(Bool)
    /// The client was notified.
    case clientNotified
    /// The client supplied the children, or nil to keep the existing ones.
    case childrenReceived(Snapshot?)
  }

  /// The next action of the caller.
  public enum Effect: Equatable, Sendable {
    /// Ask the client whether the item may be expanded or collapsed.
    case requestPermission
    /// Notify the client that the item will be expanded or collapsed.
    case notifyClient
    /// Ask the client for the item's children.
    case requestChildren
    /// Store the section's new tree and insert the items after the expanded item.
    case insertItems(Outcome)
    /// Store the section's new tree and remove the items.
    case deleteItems(Outcome)
    /// No action: the process has ended.
    case end
  }

  /// The result of an expansion or a collapse.
  public struct Outcome: Equatable, Sendable {
    /// The section's new tree.
    public var snapshot: Snapshot
    /// The items that appear or disappear, in order.
    public var items: [ItemID]

    /// Creates an outcome.
    ///
    /// - Complexity: O(1).
    public init(snapshot: Snapshot, items: [ItemID]) {
      self.snapshot = snapshot
      self.items = items
    }
  }

  /// The item.
  public let item: ItemID
  /// Whether the item is expanded.
  ///
  /// Otherwise it is collapsed.
  public let expands: Bool

  /// Creates the process for one item.
  ///
  /// - Complexity: O(1).
  public init(_ item: ItemID, expands: Bool) {
    self.item = item
    self.expands = expands
  }

  /// Returns the effect of an event, for the current tree of the section.
  ///
  /// - Complexity: O(1), or O(k) if items appear or disappear, for k descendants of the item.
  public func handle(_ event: Event, in snapshot: Snapshot) -> Effect {
    guard snapshot.contains(item), snapshot.isExpanded(item) != expands else { return .end }
    switch event {
    case .requested: return .requestPermission
    case .permissionReceived(let isAllowed): return isAllowed ? .notifyClient : .end
    case .clientNotified where expands: return .requestChildren
    case .clientNotified: return collapsed(snapshot)
    case .childrenReceived(let children): return expands ? expanded(snapshot, with: children) : .end
    }
  }

  private func expanded(_ snapshot: Snapshot, with children: Snapshot?) -> Effect {
    var next = snapshot
    if let children { next.replace(childrenOf: item, using: children) }
    next.expand([item])
    return .insertItems(Outcome(snapshot: next, items: next.visibleItems(below: item)))
  }

  private func collapsed(_ snapshot: Snapshot) -> Effect {
    var next = snapshot
    next.collapse([item])
    return .deleteItems(Outcome(snapshot: next, items: snapshot.visibleItems(below: item)))
  }
}
