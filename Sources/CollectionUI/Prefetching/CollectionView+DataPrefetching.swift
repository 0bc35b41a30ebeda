public import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
import VitrineCollectionLayout
package import VitrineDiffableData
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineViews

/// Data prefetching. Its owner is ``DataPrefetchController``.
extension CollectionView {
  /// The object that loads the data of items before they are visible, by index path.
  ///
  /// Data sources with identifiers have a `prefetching` property instead, whose requests stay valid over updates. The
  /// default is nil.
  public final weak var prefetchDataSource: (any CollectionViewDataSourcePrefetching)? {
    get { contentEnvironment.pathPrefetching }
    set {
      guard newValue !== contentEnvironment.pathPrefetching else { return }
      // The former data source is notified first.
      dataPrefetchController.cancelAll(of: displayedSource)
      contentEnvironment.pathPrefetching = newValue
      dataPrefetchController.setNeedsUpdate()
      setNeedsVisibleUpdate()
    }
  }

  /// The counts of items whose data was prefetched.
  public final var prefetchStatistics: PrefetchStatistics { dataPrefetchController.statistics }

  /// Cancels the announcements and announces all items again, because the prefetching data source changed.
  final func resetAnnouncements() {
    dataPrefetchController.cancelAll(of: displayedSource)
    dataPrefetchController.setNeedsUpdate()
    setNeedsVisibleUpdate()
  }

  /// Cancels announcements of items whose index paths changed, at their former paths.
  final func cancelPrefetching(_ paths: [IndexPath]) {
    if !paths.isEmpty { pathPrefetching?([], paths) }
  }
}

extension CollectionView: DataPrefetchHost {
  package final var prefetchingSource: (any PrefetchingSource)? { displayedSource }

  package final var visibleRuns: [Range<Int>] { cellController.visibleRuns }

  package final var itemsWithCells: IndexRuns { IndexRuns(cellController.displayedEntries.map(\.index)) }

  package final var scrollTrajectory: (isForward: Bool, landing: ClosedRange<Double>?) {
    prefetchController.trajectory
  }

  package final var dataForecast: VisibilityForecast {
    prefetchController.dataForecast
  }

  package final func isScrollingBackward(section: Int) -> Bool {
    orthogonalController.isScrollingBack(section)
  }

  package final var prefetchesByPath: Bool { contentEnvironment.pathPrefetching != nil }

  package final var pathPrefetching: (([IndexPath], _ cancelled: [IndexPath]) -> Void)? {
    contentEnvironment.pathPrefetching.map { client in
      { [unowned self] paths, cancelled in
        if !cancelled.isEmpty { client.collectionView(self, cancelPrefetchingForItemsAt: cancelled) }
        if !paths.isEmpty { client.collectionView(self, prefetchItemsAt: paths) }
      }
    }
  }

  package final func setNeedsVisibleUpdate() { layoutQueries.setNeedsQuery() }
}

// MARK: - Prefetching data sources

/// The methods that load the data of items before they are visible, by index path, as in UIKit.
///
/// They are equivalent to ``DataPrefetching``, for data sources without identifiers. An index path refers to another
/// item after items before it were inserted or deleted. When items change, requests for items whose path changes are
/// therefore cancelled before the change and announced at the new path after it.
@MainActor
public protocol CollectionViewDataSourcePrefetching: AnyObject {
  /// Loads the data of items that will be visible soon, the nearest first.
  func collectionView(_ view: CollectionView, prefetchItemsAt indexPaths: [IndexPath])
  /// Cancels loading the data of announced items that are no longer expected and have not been displayed since.
  func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension CollectionViewDataSourcePrefetching {
  /// Does nothing.
  public func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]) {}
}

/// The methods that load the data of items before they are visible.
///
/// Items are passed by identifier, so requests stay valid over updates. The view calls these methods while the content
/// scrolls, and once before it scrolls. They are not called for items that are needed immediately, and need not be
/// called for every item that becomes visible: a cell provider must handle data that is loaded, being loaded, or not
/// requested yet.
@MainActor
public protocol DataPrefetching<ItemID>: AnyObject {
  /// The type of the identifiers of items.
  associatedtype ItemID: Hashable & Sendable

  /// Loads the data of items that will be visible soon, the most urgent first.
  ///
  /// Items at the end of a flick precede those that it passes.
  func prefetchItems(_ items: [ItemID])
  /// Cancels loading the data of announced items that are no longer expected and have not been displayed since.
  func cancelPrefetchingItems(_ items: [ItemID])
  /// Releases items that were displayed and are now far from the viewport. Loading their data may be cancelled.
  func releaseItems(_ items: [ItemID])
}

extension DataPrefetching {
  /// Does nothing.
  public func releaseItems(_ items: [ItemID]) {}
}

/// Counts of prefetched items over a collection view's lifetime.
public struct PrefetchStatistics: Hashable, Sendable {
  /// The number of items that were announced.
  public var requested: Int
  /// The number of announced items that were cancelled before they were displayed.
  public var cancelled: Int

  /// Creates counts.
  ///
  /// Default: zero.
  public init(requested: Int = 0, cancelled: Int = 0) {
    self.requested = requested
    self.cancelled = cancelled
  }
}
