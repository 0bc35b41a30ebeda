import DecodingProtocol
public import FramePacing
import Threads

extension ImagePipeline {
  /// Starts a pipeline whose pictures come from decoding processes.
  ///
  /// Returns before these are ready.
  ///
  /// - Parameters:
  ///   - configuration: how it is set up.
  ///   - waker: woken, from any thread, whenever something waits to be collected.
  /// - Throws: ``ThreadError`` or ``DecodingProcessError/system(call:error:)`` where the system gives no thread or no
  ///   descriptor. A decoding process that cannot be started is no error: the pictures fail with
  ///   ``ImageFailure/decoderUnavailable``.
  public convenience init(_ configuration: ImagePipelineConfiguration, waker: any LoopWaker) throws {
    // On a modelled time line the loop waits for the processes: they may as well hurry.
    try self.init(configuration, usesBackgroundPriority: configuration.mode == .live, waker: waker)
  }

  /// Starts a pipeline whose decoding processes have what others leave of the cores, or as much as they.
  convenience init(_ configuration: ImagePipelineConfiguration, usesBackgroundPriority: Bool, waker: any LoopWaker)
    throws
  {
    let isLive = configuration.mode == .live
    // On a modelled time line the delay is modelled.
    let store = try configuration.storage.map { try ThumbnailStore($0, pixels: configuration.pixels) }
    let place = configuration.storage.flatMap { isLive && $0.sharesThumbnails ? $0.sharedThumbnails : nil }
    let sharing = place.flatMap { _ in configuration.storage.map { SharingCoordinator(pause: $0.idleTimeBeforeSharing) }
    }
    let decoders = try ProcessDecoderFactory(
      workers: 2 * configuration.workers, helperPath: configuration.helperPath, slotBytes: configuration.slotBytes,
      takesWhatIsLeft: usesBackgroundPriority, delay: isLive ? configuration.decodeDelay : .zero,
      pixels: configuration.pixels,
      store: store, sharing: sharing)
    var sharer: ThumbnailSharer?
    if let sharing, let place, let storage = configuration.storage {
      sharer = try ThumbnailSharer(
        sharing, thumbnails: place, excluded: [storage.directory] + storage.unsharedFolders,
        makeDecoder: { decoders.makeIdleDecoder() })
    }
    try self.init(
      configuration, readyDecoders: decoders, storage: store.map { PipelineStorage($0, sharer) }, waker: waker)
  }

  /// Starts a pipeline whose pictures come from decoders of the caller's own.
  ///
  /// - Parameters:
  ///   - configuration: how it is set up; ``ImagePipelineConfiguration/storage`` is for decoding processes alone.
  ///   - decoders: what gives each worker its decoder; for this pipeline alone.
  ///   - waker: woken, from any thread, whenever something waits to be collected.
  /// - Throws: ``ThreadError`` where the system gives no thread.
  /// - Precondition: there is at least one worker.
  public convenience init(
    _ configuration: ImagePipelineConfiguration, decoders: any DecoderFactory, waker: any LoopWaker
  ) throws {
    let isDelayed = configuration.mode == .live && configuration.decodeDelay > .zero
    try self.init(
      configuration,
      readyDecoders: isDelayed ? DelayedDecoderFactory(decoders, by: configuration.decodeDelay) : decoders,
      storage: nil,
      waker: waker)
  }
}
