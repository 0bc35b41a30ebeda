/// A decoder that is told which job a request is, so that the job can be stopped from its take-up on.
protocol JobDecoder: PictureDecoder {
  /// Makes a job's picture; waits as long as it takes.
  func decode(_ job: ImageJob) -> ImageOutcome
}

/// A factory of such decoders.
protocol JobDecoderFactory: DecoderFactory {
  /// Has a worker's job end soon with ``ImageFailure/interrupted``; on any thread.
  ///
  /// The worker has taken it up, and may not have begun. One that has ended stays as it is.
  func interrupt(job: UInt64, of worker: Int)
}
