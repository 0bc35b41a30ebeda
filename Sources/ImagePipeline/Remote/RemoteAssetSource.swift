public import FramePacing

/// Assets that are on the web: downloaded when they are first wanted, and kept.
///
///     let source = RemoteAssetSource(transfers) { id in posts[id].map { RemoteRequest($0.picture) } }
///     let assets = AssetStore(pipeline: pipeline, source: source, form: .thumbnail(size))
///
/// Downloads begin with ``AssetStore/loadAssetByID(_:deadline:completion:)``, for instance when a collection view tells that an
/// item is soon to be seen, and are given up with what that returns.
public final class RemoteAssetSource<ID: Hashable & Sendable>: AssetSource {
  private let transfers: RemoteTransfers
  private let request: (ID) -> RemoteRequest?
  private let delay: ((ID) -> FrameDuration)?

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - transfers: who downloads and keeps.
  ///   - delay: what a download takes on a modelled time line; between 20 and 200 ms, as its address decides, unless told.
  ///   - request: where an asset is, from memory; nothing where there is none of that name.
  public init(
    _ transfers: RemoteTransfers, delay: (@MainActor (ID) -> FrameDuration)? = nil,
    _ request: @escaping @MainActor (ID) -> RemoteRequest?
  ) {
    self.transfers = transfers
    self.delay = delay
    self.request = request
  }

  /// What was told, or what its address decides.
  public func modelledDelay(of id: ID) -> FrameDuration? {
    delay?(id) ?? request(id).map { DownloadCoordinator.modelledDelay(of: $0.url) }
  }

  /// Nothing: whether something is here is for the transfers' thread to find out.
  public func storedImage(for id: ID) -> StoredImage? { nil }

  /// Downloads an asset, or finds it among what is kept.
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
  /// The picture, to be prepared.
  public var image: StoredImage { StoredImage(source: source, version: version, byteCount: byteCount) }
}

extension AssetFailure {
  /// Tells why something could not be had from the web.
  init(_ failure: RemoteFailure) {
    self =
      switch failure {
      case .notFound: .notFound
      default: .download(reason: failure.caption, isTransient: failure.isTransient)
      }
  }
}
