/// The frames of a run.
public struct FrameFigures: Encodable {
  var count: Int
  var trackedSeconds: Double
  var commitUs: Quantiles?
  var overrunUs: Quantiles?
  /// From input to the present of the first frame that answers it.
  var inputToPresentUs: Quantiles?
  /// Frames that were the first to answer some input.
  var answers: Int?
  /// Of these the ones that answered input which came once they were drawn.
  var lateAnswers: Int?
  /// How often the drawing thread allocated in phases 1 to 7, where that is counted.
  var allocations: CountQuantiles?
  var phasesUs: [String: PhaseQuantiles]?
}
