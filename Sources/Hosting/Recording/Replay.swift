import FramePacing
import Views

/// A recording that is run again.
public nonisolated struct Replay: Sendable {
  /// What was recorded.
  public let recording: Recording
  /// Where it was read from.
  public let path: String
  /// What the replay was told otherwise than the recorded run: names of options, and `folder` for another library.
  public var overridden: [String]

  /// What the recorded run was told that is no option, byte for byte.
  public var operands: [[UInt8]] { recording.header.operands.compactMap(PercentEncoding.bytes(of:)) }

  /// When the replay ends, unless it is told: where the recorded run did.
  @MainActor var limits: LoopLimits {
    recording.header.countsFrames
      ? LoopLimits(frames: recording.end.frames) : LoopLimits(duration: FrameDuration(nanoseconds: recording.end.ns))
  }
}
