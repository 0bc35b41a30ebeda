import VitrineDecodingProtocol
import VitrineFramePacing
public import VitrineImagePipeline
public import VitrineViews

/// The figures of an image pipeline and of texture uploads.
public struct ImageFigures: Encodable {
  /// Percentiles of decoding times in milliseconds.
  public struct DecodeQuantiles: Encodable {
    var p50: Double
    var p99: Double
  }

  /// The number of requests.
  public var requested = 0
  /// The number of requests that joined a running one.
  public var coalesced = 0
  /// The number of cancelled requests.
  public var cancelled = 0
  /// The number of decoded images.
  public var decoded = 0
  /// The number of images that failed to decode.
  public var failed = 0
  /// The number of decodes on the drawing thread.
  public var decodedOnRenderThread = 0
  /// The number of requests that were served from memory.
  public var memoryHits = 0
  /// The number of prepared images that were read from the disk cache.
  public var storeHits = 0
  /// The number of prepared images that were written to the disk cache.
  public var storeWrites = 0
  /// The number of images in the disk cache that were not used, and made again, because of a fix of their decoder, or
  /// because their origin is unknown.
  public var storeRejected = 0
  /// The reason why the disk cache is no longer written, or nil if there is none.
  public var storeFault: String?
  /// The number of uploaded textures.
  public var uploads = 0
  /// The number of uploaded bytes.
  public var uploadedBytes = 0
  /// Percentiles of decoding times, or nil if nothing was decoded.
  @Measured public var decodeMs: DecodeQuantiles? = nil
  /// The sum over visible cells of the time in milliseconds that they showed a preview or placeholder.
  public var placeholderCellMs: Double?
  /// The part of ``placeholderCellMs`` in which the cells showed nothing at all.
  public var blankCellMs: Double?
  /// The number of embedded previews that were shown before their images.
  public var previews = 0
  /// The number of interrupted decodes, whose images were no longer needed or less urgent than a visible one.
  public var interrupted = 0

  /// The active layers of the sandbox, or nil if no decoding process was started.
  public var sandbox: [String]?
  /// The number of decoding processes that crashed or were killed, by the pipeline or from outside.
  public var decoderDeaths = 0
  /// Whether decoding has stopped after too many deaths.
  public var decodingStopped = false

  /// Creates empty figures.
  public init() {}

  /// Sets the percentiles of decoding times in milliseconds.
  public mutating func setDecodeMs(p50: Double, p99: Double) {
    decodeMs = DecodeQuantiles(p50: RunReport.rounded(p50, 3), p99: RunReport.rounded(p99, 3))
  }
}

extension ImageFigures {
  /// Creates figures from a pipeline and render resources.
  ///
  /// The program adds the times that cells waited.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline that prepared the images.
  ///   - resources: The resources that the images were drawn with.
  public init(of pipeline: ImagePipeline, in resources: RenderResources) {
    let counts = pipeline.statistics
    requested = counts.requested
    coalesced = counts.coalesced
    cancelled = counts.cancelled
    decoded = counts.decoded
    failed = counts.failed
    decodedOnRenderThread = counts.decodedOnRenderThread
    memoryHits = counts.memoryHits
    storeHits = counts.storeHits
    storeWrites = pipeline.storageStatus?.written ?? 0
    storeRejected = pipeline.storageStatus?.rejected ?? 0
    storeFault = pipeline.storageStatus?.fault
    uploads = resources.textures.uploadCount
    uploadedBytes = resources.textures.uploadedBytes
    if counts.decoded > 0 {
      setDecodeMs(p50: counts.decodeMedian.milliseconds, p99: counts.decode99thPercentile.milliseconds)
    }
    let decoders = pipeline.decoderStatus
    sandbox = decoders.layers?.names
    decoderDeaths = decoders.deaths
    decodingStopped = decoders.isStopped
    previews = counts.previews
    interrupted = counts.interrupted
  }
}

/// The figures of color emoji.
public struct TextFigures: Encodable {
  /// The number of emoji that were unpacked on the background thread.
  var emojiUnpacked: Int
  /// The number of emoji that were unpacked on the drawing thread, counted at each call of FreeType by thread.
  var emojiUnpackedOnRenderThread: Int
  /// The size of the cached emoji in bytes.
  var emojiBytes: Int
}
