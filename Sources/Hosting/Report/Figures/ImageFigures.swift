/// Pictures on their way to the screen.
public struct ImageFigures: Encodable {
  /// Percentiles of the time that decoding took, in milliseconds.
  public struct DecodeQuantiles: Encodable {
    var p50: Double
    var p99: Double
  }

  /// Requests made.
  public var requested = 0
  /// Requests that joined one under way.
  public var coalesced = 0
  /// Requests that were given up.
  public var cancelled = 0
  /// Pictures decoded.
  public var decoded = 0
  /// Pictures that could not be.
  public var failed = 0
  /// Decodings on the thread that draws.
  public var decodedOnRenderThread = 0
  /// Requests answered from memory.
  public var memoryHits = 0
  /// Pictures read from disk as they had been prepared in an earlier run.
  public var storeHits = 0
  /// Pictures written there.
  public var storeWrites = 0
  /// Why no further ones are written; nothing while they are, or where none are to be.
  public var storeFault: String?
  /// Textures made.
  public var uploads = 0
  /// Their bytes.
  public var uploadedBytes = 0
  /// How long decoding took; nil where nothing was decoded.
  @Measured public var decodeMs: DecodeQuantiles? = nil
  /// Visible cells showing a preview or a surface in place of their picture, times milliseconds.
  public var placeholderCellMs: Double?
  /// Of these the ones of cells that showed nothing at all.
  public var blankCellMs: Double?
  /// Small pictures of files' own that were shown before the pictures themselves.
  public var previews = 0
  /// Decodes that were told to stop, for nobody wanted them or the screen needed their worker.
  public var interrupted = 0

  /// The layers of the sandbox that are up, in a word each; nothing where no decoding process was started.
  public var sandbox: [String]?
  /// Decoding processes that were lost: crashed, killed at their deadline or from outside.
  public var decoderDeaths = 0
  /// Whether decoding stands still after too many of them.
  public var decodingStopped = false

  /// Makes empty figures.
  public init() {}

  /// Takes the percentiles of decoding, in milliseconds.
  public mutating func setDecodeMs(p50: Double, p99: Double) {
    decodeMs = DecodeQuantiles(p50: RunReport.rounded(p50, 3), p99: RunReport.rounded(p99, 3))
  }
}
