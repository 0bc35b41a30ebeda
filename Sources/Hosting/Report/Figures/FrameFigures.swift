/// The frames of a run.
public struct FrameFigures: Encodable {
  var count: Int
  var trackedSeconds: Double
  var commitUs: Quantiles?
  var overrunUs: Quantiles?
  var phasesUs: [String: PhaseQuantiles]?
}
