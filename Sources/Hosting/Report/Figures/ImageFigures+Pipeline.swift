import DecodingProtocol
import FramePacing
public import ImagePipeline
public import Views

extension ImageFigures {
  /// What a pipeline did and what became textures; how long cells waited is for their program to add.
  ///
  /// - Parameters:
  ///   - pipeline: what prepared the pictures.
  ///   - resources: what they were drawn with.
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
    storeWrites = pipeline.storageCondition?.written ?? 0
    storeFault = pipeline.storageCondition?.fault
    uploads = resources.textures.uploadCount
    uploadedBytes = resources.textures.uploadedBytes
    if counts.decoded > 0 {
      setDecodeMs(p50: counts.decodeMedian.milliseconds, p99: counts.decode99thPercentile.milliseconds)
    }
    let decoders = pipeline.decoderCondition
    sandbox = decoders.layers?.names
    decoderDeaths = decoders.deaths
    decodingStopped = decoders.isStopped
    previews = counts.previews
    interrupted = counts.interrupted
  }
}
