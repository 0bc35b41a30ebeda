public import struct FoundationEssentials.IndexPath

/// The same as ``DataPrefetching`` by index path, as UIKit has it, for data sources without identifiers.
///
/// A path means another item once items before it came or went. Who keeps requests by path is therefore told, before the
/// items change, that those whose path changes are cancelled, and afterwards that they are prefetched at the new one.
public protocol CollectionViewDataSourcePrefetching: AnyObject {
  /// Items will be seen soon, the nearest first.
  func collectionView(_ view: CollectionView, prefetchItemsAt indexPaths: [IndexPath])
  /// Items that were announced are no longer expected at these paths, and were not on screen since.
  func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension CollectionViewDataSourcePrefetching {
  /// Not interested.
  public func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]) {}
}
