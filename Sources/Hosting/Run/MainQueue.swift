import CVitrineEventLoop
import VitrineFramePacing
import VitrineViews

/// The main queue of the process, with the jobs of the main actor and of `DispatchQueue.main`.
///
/// Dispatch signals its descriptor when a job is enqueued on the empty queue.
final class MainQueue: JobQueue {
  /// The event file descriptor of the queue, which is owned by Dispatch.
  let descriptor: Int32

  /// Returns the main queue, or nil if the calling thread cannot run its jobs.
  ///
  /// Only the first thread of the process can, and only while an asynchronous main function has not given the queue to
  /// Dispatch's own threads, as in tests.
  init?() {
    descriptor = event_loop_main_queue()
    guard descriptor >= 0 else { return nil }
  }

  func hasJobs(at now: FrameInstant) -> Bool { event_loop_wait(descriptor, 0) }

  func runJobs(inFrame frame: Int, startedAt start: FrameInstant) -> Bool {
    // Cleared before the jobs are run, because those that they enqueue signal again.
    guard event_loop_take_signal(descriptor) else { return false }
    event_loop_run_main_queue()
    return true
  }

  func waitForJobs(atMost duration: FrameDuration) -> Bool {
    event_loop_wait(descriptor, Int32(max(0, min(duration.nanoseconds / 1_000_000, Int64(Int32.max)))))
  }
}
