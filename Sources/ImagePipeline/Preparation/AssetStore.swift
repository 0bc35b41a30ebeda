import VitrineDataStructures
public import VitrineFramePacing
public import VitrineRendering

/// A store of images by identifier for the cells of a collection view.
///
/// ``fetchByID(_:)`` returns what can be shown now. If it is a placeholder, ``loadAssetByID(_:deadline:completion:)``
/// downloads and prepares the image, and its completion reconfigures the item. Do not write to a cell in the
/// completion, as the cell may show another item by then. The design follows the asset store of Apple's WWDC21 session
/// 10252.
///
///     let cells = CellRegistration<PictureCell, Post.ID> { [weak self] cell, _, id in
///       guard let self, let post = posts[id] else { return }
///       let asset = assets.fetchByID(post.assetID)
///       if asset.isPlaceholder {
///         assets.loadAssetByID(post.assetID) { [weak self] _ in self?.source.reconfigureItems([id]) }
///       }
///       cell.show(post, asset)
///     }
///
/// Requests for one asset share a load. The images are stored in the pipeline's cache. When it evicts them, their
/// assets become placeholders again, and loading brings the images back.
@MainActor
public final class AssetStore<Source: AssetSource> {
  /// The type that identifies an asset.
  public typealias ID = Source.ID

  private let pipeline: ImagePipeline
  private let source: Source
  private let placeholder: (ID) -> Bitmap?
  private var tracker = AssetLoadTracker<ID>()
  private var completions: [ImageTicket: (Asset<ID>) -> Void] = [:]
  private var operations: [UInt64: any Cancellable] = [:]
  private var nextTicket: UInt64 = 1

  /// The form in which images are prepared; changing it restarts running preparations.
  public var form: PreparedForm {
    didSet { if form != oldValue { perform(tracker.handle(.formChanged)) } }
  }

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline that prepares and caches the images.
  ///   - source: The source of encoded images.
  ///   - form: The form in which images are prepared.
  ///   - placeholder: A closure that returns the placeholder of an asset; it is called often. Default: returns nil.
  public init(
    pipeline: ImagePipeline, source: Source, form: PreparedForm,
    placeholder: @escaping (ID) -> Bitmap? = { _ in nil }
  ) {
    self.pipeline = pipeline
    self.source = source
    self.form = form
    self.placeholder = placeholder
  }

  // MARK: - Querying assets

  /// The number of assets that are being downloaded or prepared.
  public var loadingCount: Int { tracker.loadCount }

  /// Returns whether an asset is being downloaded or prepared.
  public func isLoading(_ id: ID) -> Bool { tracker.loadNumber(of: id) != nil }

  /// The number of assets whose last load failed, at most 65,536.
  public var failedCount: Int { tracker.failedCount }

  /// Returns what can be shown of an asset now.
  ///
  /// Starts no load.
  ///
  /// - Complexity: O(1) on average.
  public func fetchByID(_ id: ID) -> Asset<ID> {
    let failure = tracker.failure(of: id)
    let image = storedImage(id).flatMap { pipeline.image(for: pipeline.key(of: $0, for: form)) }
    if let image, image.representation == .full {
      return Asset(id: id, image: image.bitmap, isPlaceholder: false, failure: nil, isDamaged: image.isDamaged)
    }
    return Asset(
      id: id, image: image?.bitmap ?? placeholder(id), isPlaceholder: tracker.canAttempt(id, at: pipeline.now),
      failure: failure, isDamaged: false)
  }

  // MARK: - Loading assets

  /// Loads an asset's image into memory: from the cache, from this machine, or by downloading it from the source.
  ///
  /// A downloaded image whose stored file is missing is downloaded again.
  ///
  /// - Parameters:
  ///   - id: The asset.
  ///   - deadline: The time at which the image is needed, on the frame clock. Default: now, as it is on screen.
  ///   - completion: A closure called once, in the collect phase of a later frame, with the image or the failure. An
  ///     asset that failed recently is retried only after a pause, of 2 s at first. Not called if the request is
  ///     cancelled or the pipeline is shut down.
  /// - Returns: An object that cancels the request. Other requests for the asset continue.
  /// - Complexity: O(log requests).
  @discardableResult
  public func loadAssetByID(
    _ id: ID, deadline: FrameInstant = .onScreen, completion: @escaping (Asset<ID>) -> Void = { _ in }
  ) -> any Cancellable {
    load(id, deadline, retriesFailure: false, completion)
  }

  /// Loads an asset's image as ``loadAssetByID(_:deadline:completion:)`` does, and retries a recent failure
  /// immediately.
  ///
  /// Call this for a retry button, not for a cell. A file that could not be decoded is still subject to the pause of
  /// ``ImagePipeline/canAttempt(_:)``.
  ///
  /// - Parameters:
  ///   - id: The asset.
  ///   - deadline: The time at which the image is needed, on the frame clock.
  ///   - completion: A closure called once, in the collect phase of a later frame, with the image or the failure.
  /// - Returns: An object that cancels the request. Other requests for the asset continue.
  /// - Complexity: O(log requests).
  @discardableResult
  public func downloadAsset(
    _ id: ID, deadline: FrameInstant = .onScreen, completion: @escaping (Asset<ID>) -> Void = { _ in }
  ) -> any Cancellable {
    load(id, deadline, retriesFailure: true, completion)
  }

  /// Prepares an asset that is stored on this machine but not in memory, such as one that is about to become visible.
  ///
  /// Downloads nothing.
  ///
  /// - Parameters:
  ///   - id: The asset.
  ///   - deadline: The time at which the image is needed, on the frame clock. Default: after everything on screen.
  ///   - completion: A closure called as for ``loadAssetByID(_:deadline:completion:)``, if there is something to do.
  /// - Returns: An object that cancels the request; nil if the image is in memory, would have to be downloaded, or must
  ///   not be retried yet.
  /// - Complexity: O(log requests).
  @discardableResult
  public func prepareAssetIfNeeded(
    _ id: ID, deadline: FrameInstant = .zero, completion: @escaping (Asset<ID>) -> Void = { _ in }
  ) -> (any Cancellable)? {
    guard let stored = storedImage(id), tracker.canAttempt(id, at: pipeline.now),
      pipeline.peek(pipeline.key(of: stored, for: form))?.representation != .full
    else { return nil }
    return load(id, deadline, retriesFailure: false, completion)
  }

  // MARK: - Effects

  private func storedImage(_ id: ID) -> StoredImage? { source.storedImage(for: id) ?? tracker.downloadedImage(of: id) }

  private func load(
    _ id: ID, _ deadline: FrameInstant, retriesFailure: Bool, _ completion: @escaping (Asset<ID>) -> Void
  ) -> any Cancellable {
    let ticket = ImageTicket(number: nextTicket)
    nextTicket += 1
    completions[ticket] = completion
    perform(
      tracker.handle(
        .load(
          id, ticket, deadline: deadline, stored: source.storedImage(for: id), retriesFailure: retriesFailure,
          at: pipeline.now)
      ))
    return AssetLoadHandle { [weak self] in
      guard let self, completions.removeValue(forKey: ticket) != nil else { return }
      perform(tracker.handle(.cancel(ticket)))
    }
  }

  private func perform(_ effects: [AssetLoadTracker<ID>.Effect]) {
    for effect in effects {
      switch effect {
      case .download(let id, let work, let deadline): startDownload(id, work, deadline)
      case .prepare(let id, let work, let stored, let deadline): prepareImage(id, work, stored, deadline)
      case .updateDeadline(let work, let deadline): (operations[work] as? any Deferrable)?.updateDeadline(deadline)
      case .cancel(let work): operations.removeValue(forKey: work)?.cancel()
      case .complete(let tickets, let id): for ticket in tickets { callCompletion(ticket, id) }
      case .completeLater(let ticket, let id):
        pipeline.mailbox.postWork { [weak self] in self?.callCompletion(ticket, id) }
      }
    }
  }

  private func callCompletion(_ ticket: ImageTicket, _ id: ID) {
    completions.removeValue(forKey: ticket)?(fetchByID(id))
  }

  private func prepareImage(_ id: ID, _ work: UInt64, _ stored: StoredImage, _ deadline: FrameInstant) {
    operations[work] = pipeline.prepare(stored, for: form, deadline: deadline) { [weak self] outcome in
      self?.finishOperation(work) { .prepared(id, work: work, outcome, at: $0) }
    }
  }

  private func startDownload(_ id: ID, _ work: UInt64, _ deadline: FrameInstant) {
    let download = pipeline.startOperation(modelledDuration: source.modelledDelay(of: id)) { deliver in
      source.download(id, deadline: deadline, completion: deliver)
    } completion: { [weak self] result in
      if case .success(let stored) = result { self?.pipeline.recordAvailability(stored) }
      self?.finishOperation(work) { .downloaded(id, work: work, result, at: $0) }
    }
    // The source may have cancelled the load by calling the store.
    guard tracker.loadNumber(of: id) == work else { return download.cancel() }
    operations[work] = download
  }

  private func finishOperation(_ work: UInt64, _ event: (FrameInstant) -> AssetLoadTracker<ID>.Event) {
    operations[work] = nil
    perform(tracker.handle(event(pipeline.now)))
  }
}

// MARK: - Supporting types

/// A handle that cancels one request for an asset.
///
/// Other requests for the asset continue.
@MainActor
private final class AssetLoadHandle: Cancellable {
  private let onCancel: () -> Void

  init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  func cancel() { onCancel() }
}

/// An asset as it can be shown at the moment.
public struct Asset<ID: Hashable & Sendable>: Identifiable, Sendable {
  /// The identifier, the same in every state.
  public let id: ID
  /// The image to show: the prepared image, the file's embedded preview, or the placeholder, which may be nil.
  public let image: Bitmap?
  /// Whether ``image`` is a placeholder for an image that loading can provide.
  ///
  /// False after a failure that is permanent or must not be retried yet, so that a client that loads placeholders does
  /// not retry endlessly.
  public let isPlaceholder: Bool
  /// The failure of the last load; nil once the image is available.
  public let failure: AssetFailure?
  /// Whether the image was recovered from a damaged file.
  public let isDamaged: Bool
}
