// The code of the article LoadingImages: ArticleTests compares the two.
import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrineRendering
import VitrineViews

struct DestinationPost: Identifiable {
  let id: Int
  var title: String
  let assetID: String
}

final class DestinationCell: CollectionViewCell {
  let picture = ImageView()
  private let title = Label(style: TextStyle(size: 15), color: .white)

  required init() {
    super.init()
    picture.placeholderColor = Color(hex: 0x303030)
    addSubview(picture)
    addSubview(title)
  }

  func show(_ post: DestinationPost, _ asset: Asset<String>) {
    picture.image = asset.image
    title.text = asset.failure?.description ?? post.title
  }

  override func layoutSubviews() {
    picture.frame = bounds
    title.frame = Rect(x: 8, y: 8, width: bounds.width - 16, height: 20)
  }
}

final class DestinationGrid<Files: AssetSource> where Files.ID == String {
  let view: CollectionView
  private let pipeline: ImagePipeline
  private let assets: AssetStore<Files>
  private var posts: [Int: DestinationPost] = [:]
  private var loads: [Int: any Cancellable] = [:]
  private lazy var source = makeSource()

  init(layout: any CollectionLayout, pipeline: ImagePipeline, files: Files, cellSize: PixelSize) {
    view = CollectionView(layout: layout)
    self.pipeline = pipeline
    assets = AssetStore(pipeline: pipeline, source: files, form: .thumbnail(cellSize))
  }

  private func makeSource() -> DiffableDataSource<Int, Int> {
    let cells = CellRegistration<DestinationCell, Int> { [weak self] cell, _, id in
      guard let self, let post = posts[id] else { return }
      let asset = assets.fetchByID(post.assetID)
      if asset.isPlaceholder { load(post) }
      cell.show(post, asset)
    }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, id in
      view.dequeueConfiguredReusableCell(using: cells, for: path, item: id)
    }
    source.prefetching = self
    return source
  }

  private func load(_ post: DestinationPost, deadline: FrameInstant = .onScreen) {
    let before = loads[post.id]
    loads[post.id] = assets.loadAssetByID(post.assetID, deadline: deadline) { [weak self] _ in
      self?.loads[post.id] = nil
      // Reconfigures the item, because its previous cell may show another post now.
      self?.source.reconfigureItems([post.id])
    }
    // Cancels the previous request only now, because a load without requests is cancelled and would start again.
    before?.cancel()
  }

  func show(_ shown: [DestinationPost]) {
    for post in shown { posts[post.id] = post }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(shown.map(\.id))
    source.apply(snapshot)
  }
}

extension DestinationGrid: DataPrefetching {
  func prefetchItems(_ items: [Int]) {
    for post in items.compactMap({ posts[$0] }) where assets.fetchByID(post.assetID).isPlaceholder {
      load(post, deadline: .zero)
    }
  }

  func cancelPrefetchingItems(_ items: [Int]) {
    for id in items { loads.removeValue(forKey: id)?.cancel() }
  }
}

extension DestinationGrid: FrameParticipant {
  var needsFrames: Bool { pipeline.hasPendingArrivals }
  var nextArrival: FrameInstant? { pipeline.nextArrival }

  func collect(_ budget: FrameBudget) {
    budget.clock.performUncounted { _ = pipeline.collect(at: budget.clock.now(), atMost: 16 << 20) }
  }

  func handleMemoryPressure() { pipeline.handleMemoryPressure() }
  func releaseIdleResources() { pipeline.releaseIdleResources() }
}
