import CollectionUI
import ExampleSupport
import struct FoundationEssentials.IndexPath

/// The data source and delegate of a grid of emoji whose ratings load while cells come and go.
///
/// Operations are stored by index path, which works because the items never change. For items that change, use
/// identifiers and `DataPrefetching`.
final class EmojiGrid {
  let collectionView: CollectionView
  /// The queue that loads the ratings.
  let loadingQueue: LoadingQueue
  /// The operations whose ratings are not shown yet.
  private(set) var loadingOperations: [IndexPath: DataLoadOperation] = [:]
  /// The number of visible cells without a rating.
  private(set) var waitingCount = 0
  private let dataStore: DataStore
  private let step: LoadingStep
  private let log: ((String) -> Void)?
  private let cells: CellRegistration<EmojiCell, Int>

  /// Creates a grid.
  ///
  /// - Parameters:
  ///   - dataStore: The source of the emoji and ratings.
  ///   - loadingQueue: The queue that loads the ratings.
  ///   - step: The step of the way to the finished program.
  ///   - theme: The colors.
  ///   - log: A closure called with each prefetch and cancellation, or nil.
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

  /// Returns the operation that loads a rating, and starts it if necessary.
  @discardableResult
  private func load(at indexPath: IndexPath) -> DataLoadOperation? {
    if let loader = loadingOperations[indexPath] { return loader }
    guard let loader = dataStore.loadEmojiRating(at: indexPath.item) else { return nil }
    loadingOperations[indexPath] = loader
    loadingQueue.addOperation(loader)
    return loader
  }

  /// Removes the operation of a rating that is no longer needed.
  private func removeOperation(at indexPath: IndexPath, cancelling: Bool) {
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
    // A cell that was not reused since it was last visible still shows its rating.
    guard let cell = cell as? EmojiCell, cell.rating == nil, let loader = load(at: indexPath) else { return }
    // The handler is removed when the cell leaves the screen, so the cell still shows this item.
    let showRating: (EmojiRating) -> Void = { [weak self, weak cell] rating in
      cell?.rating = rating
      self?.loadingOperations[indexPath] = nil
      self?.waitingCount -= 1
    }
    waitingCount += 1
    if let rating = loader.takeRating() { showRating(rating) } else { loader.loadingCompleteHandler = showRating }
  }

  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
    if (cell as? EmojiCell)?.rating == nil { waitingCount -= 1 }
    removeOperation(at: indexPath, cancelling: step.cancelsOnDisplay)
  }
}

extension EmojiGrid: CollectionViewDataSourcePrefetching {
  func collectionView(_ view: CollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
    log?("Prefetch: \(indexPaths)")
    for indexPath in indexPaths { load(at: indexPath) }
  }

  func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]) {
    log?("Cancel prefetch: \(indexPaths)")
    for indexPath in indexPaths { removeOperation(at: indexPath, cancelling: step.cancelsAhead) }
  }
}
