import CollectionUI
import DiffableData
import ExampleSupport
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ImagePipeline
import Views

/// The destinations in a collection view: what the talk's sample does, line by line.
final class DestinationGrid {
  nonisolated enum Section: Hashable, Sendable { case main }
  typealias Assets = AssetStore<RemoteAssetSource<DestinationPost.AssetID>>

  let view = CollectionView(layout: DestinationsLayout.layout)
  let posts: PostStore
  private let assets: Assets
  private let theme: ExampleTheme
  /// What the first steps do instead.
  private let wrongWays: WrongWays?
  /// The pictures that are being loaded, by the posts that want them.
  private var loads: [DestinationPost.ID: any Cancellable] = [:]
  private lazy var dataSource = makeDataSource()

  /// Makes the grid; it shows nothing yet.
  init(_ posts: PostStore, _ assets: Assets, step: Step, theme: ExampleTheme, wrongWays: WrongWays?) {
    self.posts = posts
    self.assets = assets
    self.theme = theme
    self.wrongWays = wrongWays
    if step.prefetchesData { dataSource.prefetching = self }
  }

  /// Loads that have not ended.
  var loadingCount: Int { loads.count }

  /// Pictures that could not be had.
  var failedCount: Int { wrongWays?.failedCount ?? assets.failedCount }

  private func makeDataSource() -> DiffableDataSource<Section, DestinationPost.ID> {
    // Made once, outside of the provider: one registration is one pool of cells.
    let cells = CellRegistration<DestinationCell, DestinationPost.ID> { [weak self] cell, _, id in
      self?.configure(cell, for: id)
    }
    return DiffableDataSource(collectionView: view) { view, indexPath, id in
      view.dequeueConfiguredReusableCell(using: cells, for: indexPath, item: id)
    }
  }

  private func configure(_ cell: DestinationCell, for id: DestinationPost.ID) {
    guard let post = posts.fetchByID(id) else { return }
    guard wrongWays == nil else {
      wrongWays?.configure(cell, for: post) { [weak self] in self?.setPostNeedsUpdate(id) }
      return
    }
    let asset = assets.fetchByID(post.assetID)
    if asset.isPlaceholder { load(post) }
    cell.show(post, asset, in: theme)
  }

  /// Shows all posts.
  func setInitialData() {
    var snapshot = DiffableDataSourceSnapshot<Section, DestinationPost.ID>()
    snapshot.appendSections([.main])
    snapshot.appendItems(posts.ids)
    dataSource.apply(snapshot, animatingDifferences: false)
  }

  /// A post is not what it was: the handler runs again, for the cell that shows it now.
  func setPostNeedsUpdate(_ id: DestinationPost.ID) { dataSource.reconfigureItems([id]) }

  /// Pictures fill a place of so many pixels.
  func setPictureSize(_ size: PixelSize) {
    guard assets.form != .thumbnail(size) else { return }
    assets.form = .thumbnail(size)
    // Those on screen, and those that wait to be.
    let cells = view.visibleCells + view.preparedCells
    dataSource.reconfigureItems(cells.compactMap { $0.itemIdentifier as? DestinationPost.ID })
  }

  /// Downloads a picture and has it prepared; whoever shows the post by then is told.
  ///
  /// - Parameter deadline: on screen, or after all that is.
  private func load(_ post: DestinationPost, deadline: FrameInstant = .onScreen, triesAgain: Bool = false) {
    let completion: (Asset<DestinationPost.AssetID>) -> Void = { [weak self] _ in
      self?.loads[post.id] = nil
      self?.setPostNeedsUpdate(post.id)
    }
    let before = loads[post.id]
    loads[post.id] =
      triesAgain
      ? assets.downloadAsset(post.assetID, deadline: deadline, completion: completion)
      : assets.loadAssetByID(post.assetID, deadline: deadline, completion: completion)
    // Now, as one whom nobody wants any more would be begun anew.
    before?.cancel()
  }

  /// Tries again to bring a picture that could not be had.
  func retry(at path: IndexPath) {
    guard let post = dataSource.itemIdentifier(for: path).flatMap(posts.fetchByID) else { return }
    if let wrongWays {
      if wrongWays.forgetFailure(of: post.assetID) { setPostNeedsUpdate(post.id) }
      return
    }
    guard assets.fetchByID(post.assetID).failure != nil else { return }
    load(post, triesAgain: true)
  }
}

extension DestinationGrid: DataPrefetching {
  func prefetchItems(_ items: [DestinationPost.ID]) {
    // After all that is on screen; a cell that is configured meanwhile moves its own before the others.
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
