import VitrineDecodingProtocol
public import VitrineFramePacing
public import VitrineRendering
import VitrineThreads

/// The configuration of an image pipeline.
public struct ImagePipelineConfiguration: Sendable {
  /// The clock of a pipeline.
  public enum Mode: Hashable, Sendable {
    /// Real time: images arrive when they are done.
    case live
    /// The time of the virtual and cpu clocks: images arrive when their modelled cost has passed.
    case modelled
  }

  /// The number of decoding processes, each with a thread that waits for it; at least 1.
  public var workers: Int
  /// The pipeline's clock.
  public var mode: Mode
  /// The cache limit in bytes of pixels.
  ///
  /// Default: ``ImageCache/defaultByteLimit``.
  public var cacheBytes: Int
  /// The layout of pixels in memory.
  ///
  /// Use the display's channel order (`Display.bitmapOrder`) for a display that draws in software: images are then
  /// drawn without a copy. Custom decoders should write the same order. Default: red first, with a pool owned by the
  /// configuration.
  public var pixels = PixelStorage(pool: PixelPool())
  /// The time added to each decode, for demonstrations and tests.
  public var decodeDelay: FrameDuration
  /// The maximum size of a bitmap in bytes; requests for larger ones fail.
  ///
  /// Memory is allocated only as images need it.
  public var slotBytes: Int
  /// The path of the decoding process's executable.
  ///
  /// Default: nil, `vitrine-decode` next to the program.
  public var helperPath: String?
  /// Whether there is an executable at ``helperPath``, or `vitrine-decode` next to the program.
  ///
  /// If not, all images of files fail with ``ImageFailure/decoderUnavailable``.
  public var isHelperAvailable: Bool { (try? DecoderExecutable.locate(explicit: helperPath)) != nil }
  /// The disk storage for images made by decoding processes, for instance `.disk(_:)` of the module ImageStore.
  ///
  /// Default: nil, nothing is stored.
  public var storage: ImageStorageProvider?
  /// The object that downloads remote images; if nil, they fail with ``ImageFailure/unsupportedSource``.
  ///
  /// The owner shuts it down after the pipeline.
  public var downloader: (any ImageDownloader)?
  /// The journal that records every decode.
  ///
  /// Default: nil.
  public var journal: DecodeJournal?

  /// Creates a configuration.
  public init(
    workers: Int = 2, mode: Mode = .live, cacheBytes: Int = ImageCache.defaultByteLimit,
    decodeDelay: FrameDuration = .zero, slotBytes: Int = 128 << 20, helperPath: String? = nil,
    storage: ImageStorageProvider? = nil,
    downloader: (any ImageDownloader)? = nil,
    journal: DecodeJournal? = nil
  ) {
    self.workers = workers
    self.mode = mode
    self.cacheBytes = cacheBytes
    self.decodeDelay = decodeDelay
    self.slotBytes = slotBytes
    self.helperPath = helperPath
    self.storage = storage
    self.downloader = downloader
    self.journal = journal
  }
}

extension ImagePipeline {
  /// Starts a pipeline that decodes images in other processes.
  ///
  /// Returns before the processes are ready.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - waker: The waker of the loop, woken from any thread when arrivals wait to be collected.
  /// - Throws: `ThreadError` or ``DecodingProcessError/system(call:error:)`` if the system has no thread or no
  ///   descriptor available. A decoding process that cannot be started is no error: its images fail with
  ///   ``ImageFailure/decoderUnavailable``.
  public convenience init(_ configuration: ImagePipelineConfiguration, waker: any LoopWaker) throws {
    // On a modelled timeline the loop waits for the processes, so they get the normal priority.
    try self.init(configuration, usesBackgroundPriority: configuration.mode == .live, waker: waker)
  }

  /// Starts a pipeline whose decoding processes use idle cores only, or get a fair share.
  convenience init(_ configuration: ImagePipelineConfiguration, usesBackgroundPriority: Bool, waker: any LoopWaker)
    throws
  {
    let isLive = configuration.mode == .live
    // On a modelled timeline the delay is part of the modelled cost.
    let storage = try configuration.storage?.open(configuration.pixels, isLive)
    let decoders = try ProcessDecoderFactory(
      workers: 2 * configuration.workers, helperPath: configuration.helperPath, slotBytes: configuration.slotBytes,
      usesBackgroundPriority: usesBackgroundPriority, delay: isLive ? configuration.decodeDelay : .zero,
      pixels: configuration.pixels, storage: storage)
    let idleDecoders = decoders.withoutStorage
    try storage?.startIdleWork { idleDecoders.makeIdleDecoder() }
    try self.init(configuration, readyDecoders: decoders, storage: storage, waker: waker)
  }

  /// Starts a pipeline that uses custom decoders.
  ///
  /// - Parameters:
  ///   - configuration: The configuration; ``ImagePipelineConfiguration/storage`` applies to decoding processes only.
  ///   - decoders: The factory of each worker's decoder, used by this pipeline alone.
  ///   - waker: The waker of the loop, woken from any thread when arrivals wait to be collected.
  /// - Throws: `ThreadError` if the system has no thread available.
  /// - Precondition: There is at least one worker.
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
