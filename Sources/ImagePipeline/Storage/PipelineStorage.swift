/// What a pipeline keeps on disk: thumbnails for itself, and those that it shares with other programs.
final class PipelineStorage: Sendable {
  private let store: ThumbnailStore
  private let sharer: ThumbnailSharer?

  /// Takes both over.
  init(_ store: ThumbnailStore, _ sharer: ThumbnailSharer?) {
    self.store = store
    self.sharer = sharer
  }

  /// A request as it goes to the workers, to which everything that is done for others gives way.
  func prepareForDispatch(_ request: ImageRequest) -> ImageRequest {
    sharer?.coordinator.recordRequest()
    var request = request
    if case .file = request.source { request.mayHaveSharedThumbnail = store.shared != nil }
    return request
  }

  /// A frame is drawn.
  func recordFrame() { sharer?.coordinator.recordFrame() }

  /// How the thumbnails are.
  var condition: StorageCondition {
    var condition = store.condition
    if let sharer { (condition.shared, condition.sharingFault) = sharer.coordinator.condition }
    return condition
  }

  /// Writes what waits to be written and ends the threads, within what is left of a time.
  func close(_ time: ShutdownBudget) {
    // All stop before anybody is waited for.
    sharer?.coordinator.close()
    store.close(within: time.remaining)
    sharer?.close(within: time.remaining)
  }
}
