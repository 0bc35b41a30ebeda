import DataStructures
public import FramePacing
public import Rendering

/// Pictures by identifier, as a collection view's cells want them: an answer at once, and the picture when it is there.
///
/// What the talk's sample calls its asset store. ``fetchByID(_:)`` says what can be shown now; where that is a placeholder,
/// ``loadAssetByID(_:deadline:completion:)`` has the picture brought and prepared, and its completion tells the model that the
/// item has changed, so that the data source is asked to reconfigure it. Nothing is put into a cell that may show
/// another item by then.
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
/// Those who want one asset wait for one work. The pictures are in the pipeline's memory, bounded in bytes: where memory is
/// short they leave, and the assets are placeholders again, which loading brings back from where they are.
@MainActor
public final class AssetStore<Source: AssetSource> {
  /// Names an asset.
  public typealias ID = Source.ID

  private let pipeline: ImagePipeline
  private let source: Source
  private let placeholder: (ID) -> Bitmap?
  private var tracker = AssetLoadTracker<ID>()
  private var completions: [ImageTicket: (Asset<ID>) -> Void] = [:]
  private var operations: [UInt64: any Cancellable] = [:]
  private var nextTicket: UInt64 = 1

  /// What the pictures are prepared for; another form is another picture, and what is under way is prepared anew.
  public var form: PreparedForm {
    didSet { if form != oldValue { perform(tracker.handle(.formChanged)) } }
  }

  /// Makes a store without assets.
  ///
  /// - Parameters:
  ///   - pipeline: prepares the pictures and keeps them in memory; its collect phase is the store's.
  ///   - source: where the encoded pictures are.
  ///   - form: what they are prepared for.
  ///   - placeholder: what is shown of an asset that has no picture yet; nothing unless told. Asked often.
  public init(
    pipeline: ImagePipeline, source: Source, form: PreparedForm,
    placeholder: @escaping (ID) -> Bitmap? = { _ in nil }
  ) {
    self.pipeline = pipeline
    self.source = source
    self.form = form
    self.placeholder = placeholder
  }

  /// Assets that are being downloaded or prepared.
  public var loadingCount: Int { tracker.loadCount }

  /// Whether an asset is being downloaded or prepared.
  public func isLoading(_ id: ID) -> Bool { tracker.loadNumber(of: id) != nil }

  /// Assets that were tried and have no picture, as the last try of each told; the last 65,536 of them at most.
  public var failedCount: Int { tracker.failedCount }

  /// What can be shown of an asset now; nothing is begun by asking.
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

  /// Brings an asset's picture into memory: from there, else from this machine, else from its source, whence it is
  /// downloaded; then it is prepared, and kept.
  ///
  /// What was downloaded before and is gone from where it was kept is
  /// downloaded once more.
  ///
  /// - Parameters:
  ///   - id: the asset.
  ///   - deadline: when it should be there, by the frames' clock; now, where nothing is told, as it is on screen.
  ///   - completion: called once, in the collect phase of a later frame, with the asset as it is then: with its picture,
  ///     or with its failure. One that failed of late is not tried again before a pause, of 2 s at first. Not called once it
  ///     was given up or the pipeline shut down.
  /// - Returns: what gives it up; the others who want the asset go on waiting.
  /// - Complexity: O(log requests).
  @discardableResult
  public func loadAssetByID(
    _ id: ID, deadline: FrameInstant = .onScreen, completion: @escaping (Asset<ID>) -> Void = { _ in }
  ) -> any Cancellable {
    load(id, deadline, triesAgain: false, completion)
  }

  /// Brings an asset's picture into memory as ``loadAssetByID(_:deadline:completion:)`` does, and asks its source again at
  /// once where that failed of late: for a button that says so, not for a cell.
  ///
  /// A file that could not be decoded keeps the pause that ``ImagePipeline/wouldTry(_:)`` tells of.
  ///
  /// - Parameters:
  ///   - id: the asset.
  ///   - deadline: when it should be there, by the frames' clock.
  ///   - completion: called once, in the collect phase of a later frame, with the asset as it is then.
  /// - Returns: what gives it up; the others who want the asset go on waiting.
  /// - Complexity: O(log requests).
  @discardableResult
  public func downloadAsset(
    _ id: ID, deadline: FrameInstant = .onScreen, completion: @escaping (Asset<ID>) -> Void = { _ in }
  ) -> any Cancellable {
    load(id, deadline, triesAgain: true, completion)
  }

  /// Prepares an asset that is on this machine and not in memory, for instance one that is about to be seen; downloads
  /// nothing.
  ///
  /// - Parameters:
  ///   - id: the asset.
  ///   - deadline: when it should be there, by the frames' clock; after all that is on screen, where nothing is told.
  ///   - completion: called as ``loadAssetByID(_:deadline:completion:)`` says, where there is something to do.
  /// - Returns: what gives it up; nothing where there is nothing to do, as the picture is there, is not to be had without a
  ///   download, or is not to be tried yet.
  /// - Complexity: O(log requests).
  @discardableResult
  public func prepareAssetIfNeeded(
    _ id: ID, deadline: FrameInstant = .zero, completion: @escaping (Asset<ID>) -> Void = { _ in }
  ) -> (any Cancellable)? {
    guard let stored = storedImage(id), tracker.canAttempt(id, at: pipeline.now),
      pipeline.peek(pipeline.key(of: stored, for: form))?.representation != .full
    else { return nil }
    return load(id, deadline, triesAgain: false, completion)
  }

  private func storedImage(_ id: ID) -> StoredImage? { source.storedImage(for: id) ?? tracker.downloadedImage(of: id) }

  private func load(
    _ id: ID, _ deadline: FrameInstant, triesAgain: Bool, _ completion: @escaping (Asset<ID>) -> Void
  ) -> any Cancellable {
    let ticket = ImageTicket(number: nextTicket)
    nextTicket += 1
    completions[ticket] = completion
    perform(
      tracker.handle(
        .load(
          id, ticket, deadline: deadline, stored: source.storedImage(for: id), triesAgain: triesAgain, at: pipeline.now)
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
    // Given up meanwhile, by a source that asked something of the store.
    guard tracker.loadNumber(of: id) == work else { return download.cancel() }
    operations[work] = download
  }

  private func finishOperation(_ work: UInt64, _ event: (FrameInstant) -> AssetLoadTracker<ID>.Event) {
    operations[work] = nil
    perform(tracker.handle(event(pipeline.now)))
  }
}
