/// Starts loading what items need before they are seen, and stops where they are not going to be.
///
/// By identifier, so that an apply in between cannot make a request stale. Called as the content scrolls, and once before
/// any scrolling; never for items that are needed at once, nor for each that will be: who provides a cell finds its data
/// loaded, on its way, or never asked for.
public protocol DataPrefetching<ItemID>: AnyObject {
  /// Identifies an item.
  associatedtype ItemID: Hashable & Sendable

  /// Items will be seen soon: the first of them first, where a flick will land before what it passes on its way.
  func prefetchItems(_ items: [ItemID])
  /// Items that were announced are no longer expected, and were not on screen since; a subset of those announced.
  func cancelPrefetchingItems(_ items: [ItemID])
  /// Items that were on screen are far from it now: what is still being loaded for them may be given up.
  func releaseItems(_ items: [ItemID])
}

extension DataPrefetching {
  /// Not interested.
  public func releaseItems(_ items: [ItemID]) {}
}
