/// Starts loading what items need before they are seen, and stops where they are not going to be.
///
/// By identifier, so that an apply in between cannot make a request stale. Not called for items that are needed at once.
public protocol DataPrefetching<ItemID>: AnyObject {
  /// Identifies an item.
  associatedtype ItemID: Hashable & Sendable

  /// Items will be seen soon, in this order.
  func prefetchItems(_ items: [ItemID])
  /// Items that were announced, or on screen, are no longer expected; a subset of earlier ones.
  func cancelPrefetchingItems(_ items: [ItemID])
}
