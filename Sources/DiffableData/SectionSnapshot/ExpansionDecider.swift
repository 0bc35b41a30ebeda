/// Decides what is asked and told while an item is expanded or collapsed, and what becomes of the section then.
///
/// The one that carries the effects out hands back each answer as an event, with the section as it is by then: client
/// code may have changed it. Where the item is gone meanwhile, or is already as wished, it ends.
public struct ExpansionDecider<ItemID: Hashable & Sendable>: Sendable {
  /// The tree of a section.
  public typealias Snapshot = DiffableDataSourceSectionSnapshot<ItemID>

  /// What happened.
  public enum Event: Sendable {
    /// The item is to be expanded or collapsed.
    case requested
    /// The client was asked, and allows it or not.
    case answered(Bool)
    /// The client was told.
    case told
    /// The client was asked for children; nothing stands for those that are there.
    case provided(Snapshot?)
  }

  /// What to do next.
  public enum Effect: Equatable, Sendable {
    /// To ask whether the item may be expanded or collapsed.
    case ask
    /// To tell that it will be.
    case tell
    /// To ask for the item's children.
    case askForChildren
    /// To keep the section's new tree, and to show these items after the item.
    case show(Outcome)
    /// To keep the section's new tree, and to show these items no more.
    case hide(Outcome)
    /// Nothing: it is over.
    case end
  }

  /// What an expansion leads to.
  public struct Outcome: Equatable, Sendable {
    /// The section's tree afterwards.
    public var snapshot: Snapshot
    /// The items that come into sight or go out of it, in order.
    public var items: [ItemID]

    /// Makes an outcome from a tree and the items that its change shows or hides.
    ///
    /// - Complexity: O(1).
    public init(snapshot: Snapshot, items: [ItemID]) {
      self.snapshot = snapshot
      self.items = items
    }
  }

  /// The item.
  public let item: ItemID
  /// Whether it is to be expanded, else collapsed.
  public let expands: Bool

  /// Makes a decider for one change of one item.
  ///
  /// - Complexity: O(1).
  public init(_ item: ItemID, expands: Bool) {
    self.item = item
    self.expands = expands
  }

  /// What follows from an event, with the section's tree as it is now.
  ///
  /// - Complexity: O(1); O(k) where items change, for the k below the item.
  public func handle(_ event: Event, in snapshot: Snapshot) -> Effect {
    guard snapshot.contains(item), snapshot.isExpanded(item) != expands else { return .end }
    switch event {
    case .requested: return .ask
    case .answered(let isAllowed): return isAllowed ? .tell : .end
    case .told where expands: return .askForChildren
    case .told: return collapsed(snapshot)
    case .provided(let children): return expands ? expanded(snapshot, with: children) : .end
    }
  }

  private func expanded(_ snapshot: Snapshot, with children: Snapshot?) -> Effect {
    var next = snapshot
    if let children { next.replace(childrenOf: item, using: children) }
    next.expand([item])
    return .show(Outcome(snapshot: next, items: next.visibleItems(below: item)))
  }

  private func collapsed(_ snapshot: Snapshot) -> Effect {
    var next = snapshot
    next.collapse([item])
    return .hide(Outcome(snapshot: next, items: snapshot.visibleItems(below: item)))
  }
}
