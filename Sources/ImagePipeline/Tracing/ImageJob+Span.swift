import FramePacing

extension ImageJob {
  /// What is noted of the job once it has ended.
  func span(
    at place: DecodeSpan.ExecutionContext, from began: FrameInstant, to ended: FrameInstant, _ outcome: ImageOutcome
  ) -> DecodeSpan {
    var span = DecodeSpan(
      place: place, key: request.key, source: request.source, rung: request.representation, began: began, ended: ended)
    span.isStored = outcome.isStored
    if case .failure(let failure) = outcome { span.failure = failure }
    return span
  }
}
