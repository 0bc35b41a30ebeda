/// The frames of a run.
public struct FrameFigures: Encodable {
  var count: Int
  var trackedSeconds: Double
  /// Phases 1 to 7, and by how much they ended past their deadline.
  @Measured var commitUs: Quantiles? = nil
  @Measured var overrunUs: Quantiles? = nil
  /// From input to the present of the first frame that answers it.
  @Measured var inputToPresentUs: Quantiles? = nil
  /// Frames that were the first to answer some input.
  var answers: Int?
  /// Of these the ones that answered input which came once they were drawn.
  var lateAnswers: Int?
  /// How often the drawing thread allocated in phases 1 to 7, where that is counted.
  @Measured var allocations: CountQuantiles? = nil
  /// What each phase took; nil for a phase that the clock does not see.
  @Measured var phasesUs: [String: PhaseQuantiles?]? = nil
}
