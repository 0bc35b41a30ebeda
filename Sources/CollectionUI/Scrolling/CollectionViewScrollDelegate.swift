/// Is told in every frame that moves the content; the view tells its delegate, if that conforms to this protocol too.
///
/// Apart from ``CollectionViewDelegate``: most frames of a scroll do nothing but move what is there, and look for no one who
/// does not want to know.
public protocol CollectionViewScrollDelegate: AnyObject {
  /// The content moved or the range of items on screen changed.
  func collectionViewDidScroll(_ view: CollectionView)
}
