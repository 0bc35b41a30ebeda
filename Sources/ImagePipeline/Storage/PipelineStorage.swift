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
  func admit(_ request: ImageRequest) -> ImageRequest {
    sharer?.desk.noteRequest()
    var request = request
    if case .file = request.source { request.mayBeShared = store.shared != nil }
    return request
  }

  /// A frame is drawn.
  func noteFrame() { sharer?.desk.noteFrame() }

  /// How the thumbnails are.
  var condition: StorageCondition {
    var condition = store.condition
    if let sharer { (condition.shared, condition.sharingFault) = sharer.desk.condition }
    return condition
  }

  /// Writes what waits to be written and ends the threads, within what is left of a time.
  func close(_ time: ClosingTime) {
    // All stop before anybody is waited for.
    sharer?.desk.close()
    store.close(within: time.rest)
    sharer?.close(within: time.rest)
  }
}
