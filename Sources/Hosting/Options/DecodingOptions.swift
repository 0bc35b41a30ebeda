import FramePacing
import Foundation
public import ImagePipeline

/// The settings of programs that show pictures: who decodes them, and how fast.
public struct DecodingOptions {
  /// Decoding processes, where given.
  public var workers: Int?
  /// Milliseconds that are added to each decode.
  public var delay = 0.0

  /// The settings without any option.
  public init() {}

  /// The options of the command line, for programs that have a pipeline.
  public static var table: [CommandOption<DecodingOptions>] {
    [
      CommandOption(
        "--workers", "N",
        "decoding processes, and as many of low priority for what comes ahead (default: as many as cores, at least 2)"
      ) {
        (settings, text) throws(UsageError) in
        settings.workers = try OptionValue.integer(text, of: "--workers", in: 1...64)
      },
      CommandOption("--decode-delay", "MS", "slow every decode by so much: for demonstrations and tests") {
        (settings, text) throws(UsageError) in
        settings.delay = try OptionValue.number(text, of: "--decode-delay", in: 0...10_000)
      },
    ]
  }

  /// Decoding processes unless told: as many as cores, at least 2; 2 where a run is to be the same on every machine.
  public static func defaultWorkerCount(isSimulated: Bool) -> Int {
    isSimulated ? 2 : max(2, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// A pipeline's configuration by these settings, all else as usual.
  ///
  /// - Parameter isSimulated: whether the run's clock is.
  public func configuration(isSimulated: Bool) -> ImagePipelineConfiguration {
    ImagePipelineConfiguration(
      workers: workers ?? DecodingOptions.defaultWorkerCount(isSimulated: isSimulated),
      mode: isSimulated ? .modelled : .live, decodeDelay: .milliseconds(delay))
  }
}
