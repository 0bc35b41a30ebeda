public import VitrineFramePacing
public import VitrineViews

/// A queue of closures that a test enqueues, for a loop that runs them as a program's loop runs the main queue's jobs.
///
/// Not the main queue: a test of the main actor is a job of that queue itself, and no job runs within another one.
@MainActor
public final class ManualJobQueue: JobQueue {
  /// The numbers of the frames in which jobs were run.
  public private(set) var frames: [Int] = []
  /// Called when the loop waits for jobs, as a replay does.
  ///
  /// It may enqueue them.
  public var onWait: () -> Void = {}
  private var jobs: [() -> Void] = []
  private var waker: (any LoopWaker)?

  /// Creates an empty queue.
  ///
  /// - Parameter waker: The waker of the loop.
  public init(waker: (any LoopWaker)? = nil) { self.waker = waker }

  /// Appends a job and wakes the loop.
  public func append(_ job: @escaping () -> Void) {
    jobs.append(job)
    waker?.wake()
  }

  /// Whether there are jobs.
  public func hasJobs(at now: FrameInstant) -> Bool { !jobs.isEmpty }

  /// Runs the jobs that were enqueued before the call.
  public func runJobs(inFrame frame: Int, startedAt start: FrameInstant) -> Bool {
    guard !jobs.isEmpty else { return false }
    frames.append(frame)
    let waiting = jobs
    jobs = []
    for job in waiting { job() }
    return true
  }

  /// Calls ``onWait`` if there are no jobs.
  public func waitForJobs(atMost duration: FrameDuration) -> Bool {
    if jobs.isEmpty { onWait() }
    return !jobs.isEmpty
  }
}
