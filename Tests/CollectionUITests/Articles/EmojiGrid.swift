// The code of the article LoadingWhileCellsComeAndGo: ArticleTests compares the two.
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

final class DataLoadOperation {
  private(set) var outcome: ImageOutcome?
  var loadingCompleteHandler: ((ImageOutcome) -> Void)?
  private var preparation: ImagePreparation?

  init(_ image: StoredImage, size: PixelSize, in pipeline: ImagePipeline, deadline: FrameInstant) {
    preparation = image.prepareThumbnail(of: size, in: pipeline, deadline: deadline) { [weak self] outcome in
      self?.outcome = outcome
      self?.loadingCompleteHandler?(outcome)
    }
  }

  func raisePriority() { preparation?.updateDeadline(.onScreen) }
  func cancel() { preparation?.cancel() }
}

final class EmojiCell: CollectionViewCell {
  let picture = ImageView()
  var id: Int?

  required init() {
    super.init()
    addSubview(picture)
  }

  func show(_ outcome: ImageOutcome?) { picture.image = (try? outcome?.get())?.bitmap }

  override func prepareForReuse() {
    super.prepareForReuse()
    show(nil)
  }

  override func layoutSubviews() { picture.frame = bounds }
}

final class EmojiGrid {
  let view: CollectionView
  let source: DiffableDataSource<Int, Int>
  private(set) var operations: [Int: DataLoadOperation] = [:]
  private let pipeline: ImagePipeline
  private let size: PixelSize
  private let image: (Int) -> StoredImage

  init(layout: any CollectionLayout, pipeline: ImagePipeline, size: PixelSize, image: @escaping (Int) -> StoredImage) {
    view = CollectionView(layout: layout)
    self.pipeline = pipeline
    self.size = size
    self.image = image
    let cells = CellRegistration<EmojiCell, Int> { cell, _, id in cell.id = id }
    source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, id in
      view.dequeueConfiguredReusableCell(using: cells, for: path, item: id)
    }
    source.prefetching = self
    view.delegate = self
  }

  private func startOperation(for id: Int, deadline: FrameInstant) -> DataLoadOperation {
    if let begun = operations[id] { return begun }
    let operation = DataLoadOperation(image(id), size: size, in: pipeline, deadline: deadline)
    operations[id] = operation
    return operation
  }

  private func cancel(_ id: Int) { operations.removeValue(forKey: id)?.cancel() }
}

extension EmojiGrid: CollectionViewDelegate {
  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    guard let cell = cell as? EmojiCell, let id = cell.id else { return }
    let operation = startOperation(for: id, deadline: .onScreen)
    if let outcome = operation.outcome {
      cell.show(outcome)
      operations[id] = nil
    } else {
      operation.raisePriority()
      // Cancelled when the cell leaves the screen, so the cell still shows this item.
      operation.loadingCompleteHandler = { [weak self, weak cell] outcome in
        cell?.show(outcome)
        self?.operations[id] = nil
      }
    }
  }

  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
    if let id = (cell as? EmojiCell)?.id { cancel(id) }
  }
}

extension EmojiGrid: DataPrefetching {
  func prefetchItems(_ items: [Int]) {
    for id in items { _ = startOperation(for: id, deadline: .zero) }
  }

  func cancelPrefetchingItems(_ items: [Int]) {
    for id in items { cancel(id) }
  }
}

extension EmojiGrid: FrameParticipant {
  var needsFrames: Bool { pipeline.hasPendingArrivals }
  var nextArrival: FrameInstant? { pipeline.nextArrival }

  func collect(_ budget: FrameBudget) {
    budget.clock.performUncounted { _ = pipeline.collect(at: budget.clock.now(), atMost: 16 << 20) }
  }
}
