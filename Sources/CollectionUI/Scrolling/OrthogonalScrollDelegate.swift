public import ScrollPhysics

/// Is told when sections that scroll across move; the view tells its delegate, if that conforms to this protocol too.
///
/// As `ScrollViewDelegate` is told of the whole content: in the update phase of frames.
public protocol OrthogonalScrollDelegate: AnyObject {
  /// A section stands elsewhere than in the last frame, so many points across.
  func collectionView(_ view: CollectionView, didScrollSection section: Int, to offset: Double)
  /// Something begins to move a section, or does so no more.
  func collectionView(_ view: CollectionView, didNotice notice: ScrollNotice, inSection section: Int)
}

extension OrthogonalScrollDelegate {
  /// Not interested.
  public func collectionView(_ view: CollectionView, didScrollSection section: Int, to offset: Double) {}
  /// Not interested.
  public func collectionView(_ view: CollectionView, didNotice notice: ScrollNotice, inSection section: Int) {}
}
