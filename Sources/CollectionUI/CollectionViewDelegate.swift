public import struct FoundationEssentials.IndexPath

/// Is told when cells come and go.
///
/// Heavy work belongs in preparation, none here.
public protocol CollectionViewDelegate: AnyObject {
  /// A cell is about to come on screen. Strictly paired with the end of displaying.
  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath)
  /// A cell left the screen.
  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath)
  /// The content moved or the range of items on screen changed.
  func collectionViewDidScroll(_ view: CollectionView)
}

extension CollectionViewDelegate {
  /// Not interested.
  public func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {}
  /// Not interested.
  public func collectionView(
    _ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath
  ) {}
  /// Not interested.
  public func collectionViewDidScroll(_ view: CollectionView) {}
}
