import CollectionUI
import ExampleSupport
import struct FoundationEssentials.IndexPath
import VitrineImages
import VitrineRemoteImages

/// The destinations in a collection view, after the sample of the talk.
final class DestinationGrid {
  nonisolated enum Section: Hashable, Sendable { case main }
  typealias Assets = AssetStore<RemoteAssetSource<DestinationPost.AssetID>>

  let view = CollectionView(layout: DestinationsLayout.layout)
  let posts: PostStore
  private let assets: Assets
  private let theme: ExampleTheme
  /// The loader of the first three steps, or nil.
  private let naiveLoader: NaiveLoader?
  /// The running loads, by post.
  private var loads: [DestinationPost.ID: any Cancellable] = [:]
  private lazy var dataSource = makeDataSource()

  /// Creates an empty grid.
  init(_ posts: PostStore, _ assets: Assets, step: Step, theme: ExampleTheme, naiveLoader: NaiveLoader?) {
    self.posts = posts
    self.assets = assets
    self.theme = theme
    self.naiveLoader = naiveLoader
    if step.prefetchesData { dataSource.prefetching = self }
  }

  /// The number of running loads.
  var loadingCount: Int { loads.count }

  /// The number of pictures that could not be loaded.
  var failedCount: Int { naiveLoader?.failedCount ?? assets.failedCount }

  private func makeDataSource() -> DiffableDataSource<Section, DestinationPost.ID> {
    // The registration is created once, outside of the provider: each registration has its own pool of cells.
    let cells = CellRegistration<DestinationCell, DestinationPost.ID> { [weak self] cell, _, id in
      self?.configure(cell, for: id)
    }
    return DiffableDataSource(collectionView: view) { view, indexPath, id in
      view.dequeueConfiguredReusableCell(using: cells, for: indexPath, item: id)
    }
  }

  private func configure(_ cell: DestinationCell, for id: DestinationPost.ID) {
    guard let post = posts.fetchByID(id) else { return }
    guard naiveLoader == nil else {
      naiveLoader?.configure(cell, for: post) { [weak self] in self?.setPostNeedsUpdate(id) }
      return
    }
    let asset = assets.fetchByID(post.assetID)
    if asset.isPlaceholder { load(post) }
    cell.configure(with: post, asset: asset, theme: theme)
  }

  /// Shows all posts.
  func setInitialData() {
    var snapshot = DiffableDataSourceSnapshot<Section, DestinationPost.ID>()
    snapshot.appendSections([.main])
    snapshot.appendItems(posts.ids)
    dataSource.apply(snapshot, animatingDifferences: false)
  }

  /// Reconfigures a post whose data has changed.
  func setPostNeedsUpdate(_ id: DestinationPost.ID) { dataSource.reconfigureItems([id]) }

  /// Sets the size of the pictures, in pixels.
  func setPictureSize(_ size: PixelSize) {
    guard assets.form != .thumbnail(size) else { return }
    assets.form = .thumbnail(size)
    // Visible cells, and prepared cells that are not visible yet.
    let cells = view.visibleCells + view.preparedCells
    dataSource.reconfigureItems(cells.compactMap { $0.itemIdentifier as? DestinationPost.ID })
  }

  /// Downloads and prepares a picture, then reconfigures its post.
  ///
  /// - Parameters:
  ///   - post: The post.
  ///   - deadline: `.onScreen` for visible posts; `.zero` to load after them.
  ///   - retriesFailure: Whether to load the picture again after a failure.
  private func load(_ post: DestinationPost, deadline: FrameInstant = .onScreen, retriesFailure: Bool = false) {
    let completion: (Asset<DestinationPost.AssetID>) -> Void = { [weak self] _ in
      self?.loads[post.id] = nil
      self?.setPostNeedsUpdate(post.id)
    }
    let previousLoad = loads[post.id]
    loads[post.id] =
      retriesFailure
      ? assets.downloadAsset(post.assetID, deadline: deadline, completion: completion)
      : assets.loadAssetByID(post.assetID, deadline: deadline, completion: completion)
    // Cancel after starting the new load. The other way around, a shared download would stop and start again.
    previousLoad?.cancel()
  }

  /// Loads a picture again after a failure.
  func retry(at path: IndexPath) {
    guard let post = dataSource.itemIdentifier(for: path).flatMap(posts.fetchByID) else { return }
    if let naiveLoader {
      if naiveLoader.removeFailure(of: post.assetID) { setPostNeedsUpdate(post.id) }
      return
    }
    guard assets.fetchByID(post.assetID).failure != nil else { return }
    load(post, retriesFailure: true)
  }
}

extension DestinationGrid: DataPrefetching {
  func prefetchItems(_ items: [DestinationPost.ID]) {
    // `.zero` loads after all visible posts. A cell that is configured meanwhile raises the priority of its load.
    for post in items.compactMap(posts.fetchByID)
    where loads[post.id] == nil && assets.fetchByID(post.assetID).isPlaceholder {
      load(post, deadline: .zero)
    }
  }

  func cancelPrefetchingItems(_ items: [DestinationPost.ID]) {
    for id in items { loads.removeValue(forKey: id)?.cancel() }
  }

  func releaseItems(_ items: [DestinationPost.ID]) { cancelPrefetchingItems(items) }
}

/// The time that visible cells have waited for their picture, summed over all cells.
struct PlaceholderTime {
  private(set) var cellMilliseconds = 0.0
  private var lastShown: FrameInstant?
  private var lastCount = 0

  /// Returns the number of visible cells that are waiting for their picture.
  static func count(in view: CollectionView) -> Int {
    view.visibleCells.count { ($0 as? DestinationCell)?.isWaiting == true }
  }

  /// Adds the time since the last frame for each cell that was waiting in it.
  mutating func recordFrame(_ record: FrameRecord, in view: CollectionView) {
    if let lastShown { cellMilliseconds += Double(lastCount) * (record.shown - lastShown).milliseconds }
    lastShown = record.shown
    lastCount = Self.count(in: view)
  }
}
