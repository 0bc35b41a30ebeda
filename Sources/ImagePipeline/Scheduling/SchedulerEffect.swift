extension ImageScheduler {
  /// What the scheduler wants done.
  enum Effect: Sendable {
    /// Give this worker this job.
    case start(worker: Int, ImageJob)
    /// Have this worker stop its job, which is of this key, between two rows; if it still can, it then finishes with
    /// ``ImageFailure/interrupted``.
    case interrupt(worker: Int, job: UInt64, ImageKey)
    /// Something waits to be collected: wake the loop.
    case arrived
    /// Tell the caller how the requests for a key ended, or that a small picture of it is there.
    case deliver(ImageArrival)
    /// Nobody waits for this picture any more; it is worth keeping all the same.
    case cache(ImageKey, DecodedImage)
  }
}
