public import DecodingProtocol
public import FramePacing
public import ImageMetadata

/// How a pipeline's decoders are.
public struct DecoderCondition: Hashable, Sendable {
  /// What confines the decoding process that was started last; nothing where there is no such process.
  public var layers: SandboxLayers?
  /// The formats that it decodes.
  public var formats: [ImageFormat] = []
  /// How long it took to get ready.
  public var readiness: FrameDuration = .zero
  /// Processes started.
  public var started = 0
  /// Processes that crashed, lied, were killed at their deadline or from outside, or never got ready.
  public var deaths = 0
  /// Processes that were replaced because they had grown, or had served for long enough.
  public var retired = 0
  /// Whether decoding stands still because too many processes ended; pictures fail with
  /// ``ImageFailure/decodingStopped`` meanwhile.
  public var isStopped = false

  /// No decoders yet.
  public init() {}
}
