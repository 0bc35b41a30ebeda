import FramePacing
import ImagePipeline
import Rendering

/// What a trace is made of, copied between two frames: any thread may write it while the run goes on.
nonisolated struct TraceSnapshot: Sendable {
  /// The program's version.
  var version: String
  /// A refresh: what a frame has.
  var interval: FrameDuration
  /// What the clock sees of what frames cost: times that it does not see are left out.
  var visibility = CostVisibility.measured
  /// The frames, the oldest first.
  var records: [FrameRecord] = []
  /// The decodes, in the order in which they ended.
  var decodes: [DecodeSpan] = []
  /// The bitmaps that became textures, in order.
  var uploads: [UploadSpan] = []
  /// What was held and waited for, in order.
  var samples: [TraceSample] = []
}
