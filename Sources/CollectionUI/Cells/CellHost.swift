package import struct FoundationEssentials.IndexPath
import VitrineCollectionLayout
package import VitrineFramePacing
import VitrineGeometry
import VitrineViews

/// A data source that provides cells, by flat index.
package protocol CellSource: AnyObject {
  /// Returns the cell that the provider returns for an item.
  func cell(at index: Int, in view: CollectionView) -> CollectionViewCell
}

/// What ``CellController`` needs from the collection view.
package protocol CellHost: PreparationHost {
  /// Whether frames are produced.
  var runsFrames: Bool { get }
  /// Returns the configuration state of an item's cell.
  func configurationState(of index: Int) -> CellConfigurationState

  /// The data source of the displayed items, or nil while the items of a replaced data source are displayed.
  var cellSource: (any CellSource)? { get }
  /// Calls the provider for an item's cell.
  ///
  /// The provider dequeues the cell from the controller.
  func provideCell(at index: Int, from source: any CellSource) -> CollectionViewCell

  /// Returns whether an item's cell may wait at the item's current position.
  func canWait(_ index: Int) -> Bool
  /// How far items are from where they are needed, as of now.
  var remoteness: Remoteness { get }
  /// Records that the commit had to prepare a cell.
  func recordForced(_ type: CollectionViewCell.Type, took duration: FrameDuration)

  /// Requests the preferred size of a cell that was configured.
  func requestPreferredSize(_ cell: CollectionViewCell, at index: Int)
  /// Permits the size of an item whose cell alternated between sizes to change again.
  func unfreezeSize(ofItem index: Int)
  /// Keeps drawing a cell that leaves in an animated update, and returns whether it does.
  func retainLeavingCell(_ cell: CollectionViewCell, at index: Int) -> Bool
  /// Fades out a cell whose item received another one in an animated update, and returns whether it does.
  func retainReplacedCell(_ cell: CollectionViewCell, at index: Int) -> Bool
  /// Returns the cell that is leaving for an item in an animated update, or nil.
  func leavingCell(at index: Int) -> CollectionViewCell?
  /// Returns the cell that is leaving for an item in an animated update, to be displayed again, or nil.
  func reclaimLeavingCell(at index: Int) -> CollectionViewCell?
  /// Unbinds the cell that is leaving for an item, because the item was reloaded.
  func detachLeavingCell(at index: Int)
  /// Notifies the delegate that a cell is about to be displayed.
  func willDisplay(_ cell: CollectionViewCell, at path: IndexPath)
  /// Notifies the delegate that a cell was removed from the screen.
  func didEndDisplaying(_ cell: CollectionViewCell, at path: IndexPath)
}
