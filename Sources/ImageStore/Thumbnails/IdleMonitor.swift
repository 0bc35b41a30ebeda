import Synchronization
package import VitrineFramePacing
import VitrineImagePipeline
import VitrineThreads

/// A detector of times in which the pipeline is idle, and which stops work that must only be done then.
///
/// The pipeline is idle if no worker has a job and for a while no image was requested and no frames were drawn. Requests
/// and frames end the idle period, which work checks before it starts, and long work before each of its steps. A request
/// also raises the stop signals of running work, as it cannot wait for the end of a step.
package final class IdleMonitor: Sendable {
  /// A period without activity.
  package struct Period: Hashable, Sendable {
    fileprivate let activityCount: Int
  }

  /// Two frames within this time are activity; a single one, such as one that shows progress, is not.
  private static let longestFramePause = FrameDuration.milliseconds(500)

  private let activityCount = Atomic(0)
  private let busyWorkers = Atomic(0)
  private let lastFrame = Atomic(Int64.min / 2)
  private let workCount = Atomic(0)
  /// The signals that stop running work, by the number of the work.
  private let stops = Lock<[Int: StopSignal]>([:])

  /// Creates a monitor without activity.
  package init() {}

  // MARK: - Activity of the pipeline

  /// Records a request, which stops the running work immediately.
  package func recordRequest() {
    activityCount.add(1, ordering: .sequentiallyConsistent)
    guard workCount.load(ordering: .sequentiallyConsistent) > 0 else { return }
    stops.withLock { stops in for stop in stops.values { stop.raise() } }
  }

  /// Records that a frame is drawn.
  package func recordFrame(at instant: FrameInstant) {
    let last = lastFrame.exchange(instant.nanoseconds, ordering: .relaxed)
    guard instant.nanoseconds - last < IdleMonitor.longestFramePause.nanoseconds else { return }
    activityCount.add(1, ordering: .sequentiallyConsistent)
  }

  /// Records that a worker has started a job.
  package func beginWork() {
    busyWorkers.add(1, ordering: .sequentiallyConsistent)
    activityCount.add(1, ordering: .sequentiallyConsistent)
  }

  /// Records that a worker has finished a job.
  package func endWork() { busyWorkers.subtract(1, ordering: .sequentiallyConsistent) }

  // MARK: - Idle work

  /// The period that starts now, if it is idle.
  var currentPeriod: Period { Period(activityCount: activityCount.load(ordering: .sequentiallyConsistent)) }

  /// Returns whether there was no activity since the start of a period.
  func isIdle(since period: Period) -> Bool {
    currentPeriod == period && busyWorkers.load(ordering: .sequentiallyConsistent) == 0
  }

  /// Records that work starts, after which requests raise its signal.
  ///
  /// - Parameter number: A number that no other running work has.
  /// - Returns: Whether the work may start because the pipeline is still idle.
  func beginWork(_ number: Int, in period: Period, stop: StopSignal) -> Bool {
    stops.withLock { $0[number] = stop }
    workCount.add(1, ordering: .sequentiallyConsistent)
    // Checked again, as a request may have arrived before the signal was set.
    return isIdle(since: period)
  }

  /// Records that work has ended.
  func endWork(_ number: Int) {
    workCount.subtract(1, ordering: .sequentiallyConsistent)
    stops.withLock { $0[number] = nil }
  }

  /// Ends the period and stops all running work.
  func stopWork() {
    activityCount.add(1, ordering: .sequentiallyConsistent)
    stops.withLock { stops in for stop in stops.values { stop.raise() } }
  }
}
