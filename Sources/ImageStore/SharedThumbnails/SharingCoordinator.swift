import VitrineImagePipeline
import VitrineThreads

/// A thread-safe queue of thumbnails to share, whose jobs run only while the pipeline is idle.
final class SharingCoordinator: Sendable {
  /// A job that starts and ends in the same idle period.
  struct Job: Sendable {
    /// The file to share a thumbnail of.
    let candidate: SharingCandidate
    fileprivate let period: IdleMonitor.Period
  }

  private struct State {
    var plan: SharingPlan
    var written = 0
    var fault: String?
    var isClosing = false
    var hasEnded = false
  }

  private let state: Lock<State>
  private let monitor: IdleMonitor
  private let pause: Duration
  /// The number of the coordinator's work at the monitor.
  private static let workNumber = -1

  /// Creates a coordinator without candidates.
  ///
  /// - Parameters:
  ///   - plan: The plan that orders the candidates.
  ///   - monitor: The detector of idle times.
  ///   - pause: The time without activity after which the pipeline is idle.
  init(plan: SharingPlan = SharingPlan(), monitor: IdleMonitor, pause: Duration) {
    state = Lock(State(plan: plan))
    self.monitor = monitor
    self.pause = pause
  }

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
  func canContinue(_ job: Job) -> Bool { monitor.isIdle(since: job.period) }

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
      var idlePeriod = last.flatMap { canContinue($0) ? $0.period : nil }
      if idlePeriod == nil {
        let period = monitor.currentPeriod
        guard sleep(pause) else { return nil }
        idlePeriod = monitor.isIdle(since: period) ? period : nil
      }
      guard let idlePeriod, let candidate = state.withLock({ $0.plan.takeNextCandidate() }) else { continue }
      return Job(candidate: candidate, period: idlePeriod)
    }
  }

  /// Waits for a time; returns false if the coordinator is closed before.
  func sleep(_ time: Duration) -> Bool { state.wait(atMost: time) { $0.isClosing ? () : nil } == nil }

  /// Starts a job, after which requests raise the signal.
  ///
  /// - Returns: Whether the job may continue because the pipeline is still idle.
  func beginJob(_ job: Job, stop: StopSignal) -> Bool {
    let mayStart = monitor.beginWork(SharingCoordinator.workNumber, in: job.period, stop: stop)
    return mayStart && !state.withLock { $0.isClosing }
  }

  /// Ends the current job.
  func endJob(_ outcome: SharingPlan.Outcome, written: Bool = false) {
    monitor.endWork(SharingCoordinator.workNumber)
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
    monitor.stopWork()
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
