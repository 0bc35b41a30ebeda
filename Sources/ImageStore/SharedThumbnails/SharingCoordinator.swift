import ImagePipeline
import Synchronization
import Threads

/// A thread-safe queue of thumbnails to share, whose jobs run only while the pipeline is idle.
///
/// The pipeline is idle if no worker has a job and for a while no image was requested and no frame was drawn. There are
/// two signals. Requests and frames increment an activity counter, which ends the idle period: a job compares it before
/// each of its steps. A request also raises the stop signal of a running job immediately, as it cannot wait for the end
/// of a step.
final class SharingCoordinator: Sendable {
  /// A job that starts and ends in the same idle period.
  struct Job: Sendable {
    /// The file to share a thumbnail of.
    let candidate: SharingCandidate
    fileprivate let activityCount: Int
  }

  private struct State {
    var plan: SharingPlan
    var written = 0
    var fault: String?
    var isClosing = false
    var hasEnded = false
  }

  private let state: Lock<State>
  /// The signal that stops the running decode.
  ///
  /// It has its own lock, as the main thread uses it for every request, and the low-priority sharing thread may lose
  /// its core while it holds a lock.
  private let stop = Lock<StopSignal?>(nil)
  private let pause: Duration
  private let activityCount = Atomic(0)
  private let busyWorkers = Atomic(0)
  private let isJobActive = Atomic(false)

  /// Creates a coordinator without candidates.
  ///
  /// - Parameters:
  ///   - plan: The plan that orders the candidates.
  ///   - pause: The time without activity after which the pipeline is idle.
  init(plan: SharingPlan = SharingPlan(), pause: Duration) {
    state = Lock(State(plan: plan))
    self.pause = pause
  }

  // MARK: - Activity of the pipeline

  /// Records a request, which stops the running job immediately.
  func recordRequest() {
    activityCount.add(1, ordering: .sequentiallyConsistent)
    guard isJobActive.load(ordering: .sequentiallyConsistent) else { return }
    stop.withLock { $0?.raise() }
  }

  /// Records that a frame is drawn.
  func recordFrame() { activityCount.add(1, ordering: .sequentiallyConsistent) }

  /// Records that a worker has started a job.
  func beginWork() {
    busyWorkers.add(1, ordering: .sequentiallyConsistent)
    activityCount.add(1, ordering: .sequentiallyConsistent)
  }

  /// Records that a worker has finished a job.
  func endWork() { busyWorkers.subtract(1, ordering: .sequentiallyConsistent) }

  /// Adds a file whose image was shown or could not be shown; nil has no effect.
  func addCandidate(_ candidate: SharingCandidate?) {
    guard let candidate else { return }
    let isNew = state.withLock { state in
      !state.isClosing && state.fault == nil && state.plan.addCandidate(candidate)
    }
    if isNew { state.wakeAll() }
  }

  /// The number of thumbnails and failures written, and the reason why no more are.
  var status: (written: Int, fault: String?) { state.withLock { ($0.written, $0.fault) } }

  // MARK: - Jobs of the sharing thread

  /// Returns whether a job may continue; called repeatedly while it runs.
  func canContinue(_ job: Job) -> Bool {
    activityCount.load(ordering: .sequentiallyConsistent) == job.activityCount
      && busyWorkers.load(ordering: .sequentiallyConsistent) == 0
  }

  /// Whether candidates are waiting.
  var hasWork: Bool { state.withLock { !$0.isClosing && $0.plan.hasWork } }

  /// Waits for a candidate and for the pipeline to be idle.
  ///
  /// - Parameter last: The previous job. If it may continue, the next job starts without a pause.
  /// - Returns: The job, or nil once the coordinator is closed.
  func waitForNextJob(after last: Job?) -> Job? {
    var hasDelayed = false
    while true {
      let isOpen = state.wait { state -> Bool? in state.isClosing ? false : state.plan.hasWork ? true : nil }
      guard isOpen else { return nil }
      let delay = state.withLock { $0.plan.delay }
      guard delay == .zero || hasDelayed || sleep(delay) else { return nil }
      hasDelayed = true
      var idleActivityCount = last.flatMap { canContinue($0) ? $0.activityCount : nil }
      if idleActivityCount == nil {
        let activityBefore = activityCount.load(ordering: .sequentiallyConsistent)
        guard sleep(pause) else { return nil }
        idleActivityCount = isIdle(since: activityBefore) ? activityBefore : nil
      }
      guard let idleActivityCount, let candidate = state.withLock({ $0.plan.takeNextCandidate() }) else { continue }
      return Job(candidate: candidate, activityCount: idleActivityCount)
    }
  }

  /// Waits for a time; returns false if the coordinator is closed before.
  func sleep(_ time: Duration) -> Bool { state.wait(atMost: time) { $0.isClosing ? () : nil } == nil }

  private func isIdle(since activityBefore: Int) -> Bool {
    activityCount.load(ordering: .sequentiallyConsistent) == activityBefore
      && busyWorkers.load(ordering: .sequentiallyConsistent) == 0
  }

  /// Starts a job, after which requests raise the signal.
  ///
  /// - Returns: Whether the job may continue because the pipeline is still idle.
  func beginJob(_ job: Job, stop: StopSignal) -> Bool {
    self.stop.withLock { $0 = stop }
    let isClosing = state.withLock { $0.isClosing }
    isJobActive.store(true, ordering: .sequentiallyConsistent)
    // Checked again, as a request may have arrived before the signal was set.
    return !isClosing && canContinue(job)
  }

  /// Ends the current job.
  func endJob(_ outcome: SharingPlan.Outcome, written: Bool = false) {
    isJobActive.store(false, ordering: .sequentiallyConsistent)
    stop.withLock { $0 = nil }
    state.withLock { state in
      state.plan.endCurrent(outcome)
      state.written += written ? 1 : 0
    }
  }

  /// Stops sharing permanently after an error.
  func stopSharing(_ error: StorageError) {
    state.withLock { state in
      state.fault = error.description
      state.plan.dropWaiting()
    }
  }

  // MARK: - Shutdown

  /// Stops the running job, and lets no other start.
  func close() {
    state.withLock { $0.isClosing = true }
    activityCount.add(1, ordering: .sequentiallyConsistent)
    stop.withLock { $0?.raise() }
    state.wakeAll()
  }

  /// Records that the thread is about to end.
  func markEnded() {
    state.withLock { $0.hasEnded = true }
    state.wakeAll()
  }

  /// Waits for the thread to end; returns false after the time limit.
  func waitForEnd(atMost limit: Duration) -> Bool {
    state.wait(atMost: limit) { $0.hasEnded ? () : nil } != nil
  }
}
