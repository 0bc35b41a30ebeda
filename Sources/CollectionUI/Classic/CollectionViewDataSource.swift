public import struct FoundationEssentials.IndexPath

/// Gives a collection view its items by index path, as UIKit's does: for data that has no identifiers.
///
/// The view asks for counts when it is given the data source, in ``CollectionView/reloadData()`` and at the end of each
/// batch of updates, and at no other time: whoever changes the data says so by one of the latter two, at once.
/// ``DiffableDataSource`` finds out by itself what changed.
public protocol CollectionViewDataSource: AnyObject {
  /// How many sections there are; one unless told.
  func numberOfSections(in view: CollectionView) -> Int
  /// How many items a section has.
  func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int
  /// Gives the cell of an item: dequeues one with a registration made before.
  func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell
  /// Gives a supplementary view that the layout places: dequeues one with a registration made before.
  ///
  /// Needed where the layout places any.
  func collectionView(
    _ view: CollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> CollectionReusableView
}

extension CollectionViewDataSource {
  /// One.
  public func numberOfSections(in view: CollectionView) -> Int { 1 }

  /// Stops the program.
  public func collectionView(
    _ view: CollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> CollectionReusableView {
    failMissingSupplementaryMethod(kind)
  }
}
