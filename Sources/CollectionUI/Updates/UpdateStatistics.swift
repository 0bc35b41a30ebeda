/// Counts of what a collection view's data source was given, over the view's life.
public struct UpdateStatistics: Hashable, Sendable {
  /// Snapshots that were applied.
  public var applied = 0
  /// Of those, snapshots that were never shown, as a later one took their place while they waited.
  public var replaced = 0
  /// Snapshots whose difference was large and found in the slack of frames.
  public var comparedInSlack = 0
  /// Selected items that were followed before a large update, a portion at a time; one that began anew counts them again.
  public var remappedAhead = 0
  /// Updates that changed which items there are, or their order; also those by which others make way for an item that is
  /// carried, which are no applies.
  public var structural = 0
  /// Of those, updates that only put items behind all others, so that no item has another number.
  public var appendOnly = 0
  /// Updates that did nothing but configure cells again.
  public var reconfigureOnly = 0
  /// Updates that asked for every cell anew.
  public var reloadedAll = 0
  /// Identifiers that were added to a snapshot though they were in it, and so were moved.
  public var relocatedItems = 0

  /// Nothing yet.
  public init() {}
}
