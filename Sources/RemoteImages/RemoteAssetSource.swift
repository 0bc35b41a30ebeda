public import VitrineFramePacing
public import VitrineImagePipeline

/// A source of assets on the web, which are downloaded on demand and cached.
///
///     let source = RemoteAssetSource(transfers) { id in posts[id].map { RemoteRequest($0.picture) } }
///     let assets = AssetStore(pipeline: pipeline, source: source, form: .thumbnail(size))
///
/// `AssetStore.loadAssetByID(_:deadline:completion:)` starts a download, for instance when a collection view
/// prefetches an item. Cancelling the object that it returns cancels the download.
public final class RemoteAssetSource<ID: Hashable & Sendable>: AssetSource {
  private let transfers: RemoteTransfers
  private let request: (ID) -> RemoteRequest?
  private let delay: ((ID) -> FrameDuration)?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - transfers: The object that downloads and caches the assets.
  ///   - delay: The duration of a download on a modelled time line. Default: 20 to 200 ms, derived from the URL.
  ///   - request: Returns the request for an asset, or nil if there is no such asset. It must not access the disk.
  public init(
    _ transfers: RemoteTransfers, delay: (@MainActor (ID) -> FrameDuration)? = nil,
    _ request: @escaping @MainActor (ID) -> RemoteRequest?
  ) {
    self.transfers = transfers
    self.delay = delay
    self.request = request
  }

  /// Returns the duration of a download: the client's value, or else one derived from the asset's URL.
  public func modelledDelay(of id: ID) -> FrameDuration? {
    delay?(id) ?? request(id).map { $0.image.modelledDownloadDuration }
  }

  /// Returns nil, because only the transfers' thread can look up stored downloads.
  public func storedImage(for id: ID) -> StoredImage? { nil }

  /// Downloads an asset, or finds it in the cache.
  public func download(
    _ id: ID, deadline: FrameInstant, completion: @escaping @Sendable (Result<StoredImage, AssetFailure>) -> Void
  ) -> (any Cancellable)? {
    guard let request = request(id) else {
      completion(.failure(.notFound))
      return nil
    }
    return transfers.fetch(request, deadline: deadline) { result in
      completion(result.map(\.image).mapError(AssetFailure.init))
    }
  }
}

extension RemoteContent {
  /// The image's encoded bytes, ready to be decoded.
  public var image: StoredImage { StoredImage(source: source, version: version, byteCount: byteCount) }
}

extension RemoteTransfers: ImageDownloader {
  /// Downloads an image for a pipeline.
  public func download(
    _ image: RemoteImage, deadline: FrameInstant,
    completion: @escaping @Sendable (Result<StoredImage, ImageFailure>) -> Void
  ) -> (any Deferrable)? {
    guard let request = RemoteRequest(image) else {
      completion(.failure(ImageFailure(.badAddress)))
      return nil
    }
    return fetch(request, deadline: deadline) { result in
      completion(result.map(\.image).mapError(ImageFailure.init))
    }
  }
}

extension ImageFailure {
  /// Converts a download failure.
  init(_ failure: RemoteFailure) { self = .download(reason: failure.caption, isTransient: failure.isTransient) }
}

extension AssetFailure {
  /// Converts a download failure.
  init(_ failure: RemoteFailure) {
    self =
      switch failure {
      case .notFound: .notFound
      default: .download(reason: failure.caption, isTransient: failure.isTransient)
      }
  }
}
