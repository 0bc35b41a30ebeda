public import FramePacing
public import Rendering

/// How an image pipeline is set up.
public struct ImagePipelineConfiguration: Sendable {
  /// What the pipeline's time is.
  public enum Mode: Hashable, Sendable {
    /// Real time: pictures arrive when they are done.
    case live
    /// The virtual and cpu clocks' time: pictures arrive when their modelled cost has passed.
    case modelled
  }

  /// Decoding processes, each with a thread that waits for it; at least 1.
  public var workers: Int
  /// What the pipeline's time is.
  public var mode: Mode
  /// The bytes of pixels that are kept in memory; ``ImageCache/defaultByteLimit`` unless told.
  public var cacheBytes: Int
  /// How pictures' pixels stand in memory.
  ///
  /// For a display that draws in software, in its order (`Display.bitmapOrder`): then they are drawn without a copy. Decoders
  /// that are brought along should write the same. Default: red first, with a pool of the configuration's own.
  public var pixels = PixelStorage(pool: PixelPool())
  /// Time added to each decode, for demonstrations and tests.
  public var decodeDelay: FrameDuration
  /// The largest bitmap in bytes; a request for a larger one fails.
  ///
  /// Memory is taken only as pictures need it.
  public var slotBytes: Int
  /// The executable of the decoding process; where nothing is told, `vitrine-decode` beside the program.
  public var helperPath: String?
  /// What is kept on disk of pictures that decoding processes make; nothing where nothing is told.
  public var storage: StorageConfiguration?
  /// Who brings pictures from the web; where nobody does, they fail with ``ImageFailure/cannotPaint``.
  ///
  /// Shut down by who made it, after the pipeline.
  public var transfers: RemoteTransfers?
  /// What every decode is noted in; nothing unless told.
  public var journal: DecodeJournal?

  /// Makes a configuration.
  public init(
    workers: Int = 2, mode: Mode = .live, cacheBytes: Int = ImageCache.defaultByteLimit,
    decodeDelay: FrameDuration = .zero, slotBytes: Int = 64 << 20, helperPath: String? = nil,
    storage: StorageConfiguration? = nil,
    transfers: RemoteTransfers? = nil,
    journal: DecodeJournal? = nil
  ) {
    self.workers = workers
    self.mode = mode
    self.cacheBytes = cacheBytes
    self.decodeDelay = decodeDelay
    self.slotBytes = slotBytes
    self.helperPath = helperPath
    self.storage = storage
    self.transfers = transfers
    self.journal = journal
  }
}
