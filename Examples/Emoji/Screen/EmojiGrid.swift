import CollectionEngine
import CollectionLayout
import CollectionUI
import ExampleSupport
import struct FoundationEssentials.IndexPath
import Geometry

/// A grid of emoji whose ratings are loaded while cells come and go: the collection view's data source and delegate.
///
/// One operation for each item that is being loaded, kept by its index path, as the items never change; where they do, they
/// have identifiers, and `DataPrefetching` tells of those.
final class EmojiGrid {
  let collectionView: CollectionView
  /// Loads ratings.
  let loadingQueue: LoadingQueue
  /// What is being loaded, or was and is not shown yet.
  private(set) var loadingOperations: [IndexPath: DataLoadOperation] = [:]
  /// How many cells on screen wait for their rating.
  private(set) var waitingCount = 0
  private let dataStore: DataStore
  private let step: LoadingStep
  private let log: ((String) -> Void)?
  private let cells: CellRegistration<EmojiCell, Int>

  /// Makes the grid.
  ///
  /// - Parameters:
  ///   - dataStore: what is shown.
  ///   - loadingQueue: loads ratings.
  ///   - step: how far the program has come.
  ///   - theme: the colours.
  ///   - log: told what is asked for ahead, and what is given up.
  init(
    _ dataStore: DataStore, loadingQueue: LoadingQueue, step: LoadingStep, theme: ExampleTheme,
    log: ((String) -> Void)? = nil
  ) {
    self.dataStore = dataStore
    self.loadingQueue = loadingQueue
    self.step = step
    self.log = log
    collectionView = CollectionView(
      layout: GridLayout(
        columns: .minimumWidth(108), columnSpacing: 12, rowSpacing: 12,
        sectionInsets: Insets(top: 16, left: 16, bottom: 16, right: 16)))
    cells = CellRegistration { cell, _, index in
      cell.theme = theme
      cell.emoji = dataStore.emoji(at: index)
    }
    collectionView.dataSource = self
    collectionView.delegate = self
    if step.prefetches { collectionView.prefetchDataSource = self }
  }

  /// Begins to load a rating, unless that was done.
  @discardableResult
  private func load(at indexPath: IndexPath) -> DataLoadOperation? {
    if let loader = loadingOperations[indexPath] { return loader }
    guard let loader = dataStore.loadEmojiRating(at: indexPath.item) else { return nil }
    loadingOperations[indexPath] = loader
    loadingQueue.addOperation(loader)
    return loader
  }

  /// Nobody waits for a rating any more.
  private func forget(_ indexPath: IndexPath, cancelling: Bool) {
    guard let loader = loadingOperations.removeValue(forKey: indexPath) else { return }
    if cancelling { loader.cancel() } else { loader.abandon() }
  }
}

extension EmojiGrid: CollectionViewDataSource {
  func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { dataStore.numberOfEmoji }

  func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
    view.dequeueConfiguredReusableCell(using: cells, for: indexPath, item: indexPath.item)
  }
}

extension EmojiGrid: CollectionViewDelegate {
  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    // A cell that waited since it was on screen shows its rating still.
    guard let cell = cell as? EmojiCell, cell.rating == nil, let loader = load(at: indexPath) else { return }
    // Given up when the cell leaves the screen, so it shows this item still.
    let show: (EmojiRating) -> Void = { [weak self, weak cell] rating in
      cell?.rating = rating
      self?.loadingOperations[indexPath] = nil
      self?.waitingCount -= 1
    }
    waitingCount += 1
    if let rating = loader.handOver() { show(rating) } else { loader.loadingCompleteHandler = show }
  }

  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
    if (cell as? EmojiCell)?.rating == nil { waitingCount -= 1 }
    forget(indexPath, cancelling: step.cancelsOnDisplay)
  }
}

extension EmojiGrid: CollectionViewDataSourcePrefetching {
  func collectionView(_ view: CollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
    log?("Prefetch: \(indexPaths)")
    for indexPath in indexPaths { load(at: indexPath) }
  }

  func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]) {
    log?("Cancel prefetch: \(indexPaths)")
    for indexPath in indexPaths { forget(indexPath, cancelling: step.cancelsAhead) }
  }
}
