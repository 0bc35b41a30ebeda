import FramePacing

extension ImageScheduler {
  /// What the scheduler is told.
  enum Event: Sendable {
    /// A picture is wanted, and by when. The moment of asking says whether a known failure is to be tried again.
    case request(ImageRequest, ImageTicket, deadline: FrameInstant, at: FrameInstant)
    /// A request is needed at another time; what has ended is none of its business.
    case updateDeadline(ImageTicket, FrameInstant)
    /// A request is taken back.
    case cancel(ImageTicket)
    /// A worker is ready for its first job.
    case workerIdle(Int)
    /// A worker's process has been ready to run for a while and gets no core.
    case starved(worker: Int)
    /// A worker has done a job, in this time, and is ready for another.
    case finished(worker: Int, job: UInt64, outcome: ImageOutcome, took: FrameDuration)
    /// The main thread takes what has arrived: as many bytes of pixels, but always one arrival. The pauses of failures
    /// begin at the moment of taking.
    case collect(atMost: Int, at: FrameInstant)
    /// Nothing more is to be started; requests that have not ended are cancelled.
    case stop
  }
}
