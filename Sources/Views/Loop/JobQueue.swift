public import VitrineFramePacing

/// A queue of jobs of any thread that a loop runs in the collect phase of its frames, such as the main queue.
///
/// The jobs of the main queue are those of the main actor and of `DispatchQueue.main`. A resting loop is woken by the
/// owner of the queue, for example through its `waker`.
@MainActor
public protocol JobQueue: AnyObject {
  /// Returns whether the next frame runs jobs if it starts at the given time.
  ///
  /// Called between frames. If it returns true, a frame follows.
  func hasJobs(at now: FrameInstant) -> Bool

  /// The time at which the next jobs are run, if it is known in advance, as in a replay.
  var nextArrival: FrameInstant? { get }

  /// Runs the jobs that are waiting.
  ///
  /// Jobs that they enqueue wait for the next frame, so that no job can delay a frame forever.
  ///
  /// - Parameters:
  ///   - frame: The number of the frame, or of the next one while the window is invisible.
  ///   - start: The time at which the frame started.
  /// - Returns: Whether there were jobs.
  @discardableResult
  func runJobs(inFrame frame: Int, startedAt start: FrameInstant) -> Bool

  /// Blocks until there are jobs or the time is up, without using the processor.
  ///
  /// - Returns: Whether there are jobs.
  func waitForJobs(atMost duration: FrameDuration) -> Bool
}

extension JobQueue {
  /// Always nil, because jobs arrive at any time.
  public var nextArrival: FrameInstant? { nil }
}
