public import CollectionEngine
public import struct FoundationEssentials.IndexPath

/// Is told when cells come and go, and when they are placed.
///
/// Heavy work belongs in preparation, none here.
public protocol CollectionViewDelegate: AnyObject {
  /// A cell is about to come on screen. Strictly paired with the end of displaying.
  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath)
  /// A cell left the screen.
  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath)
  /// A supplementary view is about to come on screen. Strictly paired with the end of displaying.
  func collectionView(
    _ view: CollectionView, willDisplaySupplementaryView supplementaryView: CollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath)
  /// A supplementary view left the screen.
  func collectionView(
    _ view: CollectionView, didEndDisplayingSupplementaryView supplementaryView: CollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath)
  /// Other items are selected, by a person or the program: told before ``collectionViewDidChangeSelection(_:)``, with what
  /// differs. For who keeps something about a large selection, such as a sum, and does not want to go through all of it.
  ///
  /// Not called for updates: they number items anew, and there is no telling what differs by number.
  func collectionView(_ view: CollectionView, didChangeSelectionBy change: SelectionChange)
  /// Other items are selected: by a person, the program, or an update that deleted some. Called once for each of these.
  func collectionViewDidChangeSelection(_ view: CollectionView)
  /// The layout is about to be asked anew for all or some items, with the data source's items as they are now.
  ///
  /// The moment to hand over what a layout's closures tell of items, such as the shapes of pictures: while these run the
  /// view cannot be asked. Called out of frames too; a body is to be short, and changes neither items nor layout.
  func collectionViewWillPrepareLayout(_ view: CollectionView)
  /// Items on screen may have other places or sizes than in the last frame.
  ///
  /// Called when every cell on screen is there and placed.
  func collectionViewDidLayout(_ view: CollectionView)
}

extension CollectionViewDelegate {
  /// Not interested.
  public func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {}
  /// Not interested.
  public func collectionView(
    _ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath
  ) {}
  /// Not interested.
  public func collectionView(
    _ view: CollectionView, willDisplaySupplementaryView supplementaryView: CollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath
  ) {}
  /// Not interested.
  public func collectionView(
    _ view: CollectionView, didEndDisplayingSupplementaryView supplementaryView: CollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath
  ) {}
  /// Not interested.
  public func collectionView(_ view: CollectionView, didChangeSelectionBy change: SelectionChange) {}
  /// Not interested.
  public func collectionViewDidChangeSelection(_ view: CollectionView) {}
  /// Not interested.
  public func collectionViewWillPrepareLayout(_ view: CollectionView) {}
  /// Not interested.
  public func collectionViewDidLayout(_ view: CollectionView) {}
}
