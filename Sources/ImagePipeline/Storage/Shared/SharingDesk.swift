import Synchronization
import Threads

/// Where workers note what may be shared, and where the thread that shares it learns when it may: while the pipeline rests.
///
/// Rest is when no worker has a picture, and for a while nothing was asked for and no frame was drawn. Two things are kept
/// apart. That something has moved, a request or a frame, is counted: it ends the rest, and what goes on looks at the count
/// before each of its steps. That a request has come, which cannot wait for a step to end, is told besides, to every job that
/// is under way and with every request, whatever was told or counted before.
final class SharingCoordinator: Sendable {
  /// Something to be done, which the same rest began and ends.
  struct Job: Sendable {
    /// What is to be shared.
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
  /// What stops the decode that is under way.
  ///
  /// Apart from the rest, as the main thread asks for it with every request, and the thread that shares, which is of a low
  /// priority, may lose its core while it holds a lock.
  private let stop = Lock<StopSignal?>(nil)
  private let pause: Duration
  private let activityCount = Atomic(0)
  private let busyWorkers = Atomic(0)
  private let isJobActive = Atomic(false)

  /// Nothing is to be shared yet.
  ///
  /// - Parameters:
  ///   - plan: what decides.
  ///   - pause: for how long nothing may have moved.
  init(plan: SharingPlan = SharingPlan(), pause: Duration) {
    state = Lock(State(plan: plan))
    self.pause = pause
  }

  // MARK: - For the pipeline and its workers

  /// A picture is wanted: what is under way ends at once.
  func recordRequest() {
    activityCount.add(1, ordering: .sequentiallyConsistent)
    guard isJobActive.load(ordering: .sequentiallyConsistent) else { return }
    stop.withLock { $0?.raise() }
  }

  /// A frame is drawn.
  func recordFrame() { activityCount.add(1, ordering: .sequentiallyConsistent) }

  /// A worker has a picture to make.
  func beginWork() {
    busyWorkers.add(1, ordering: .sequentiallyConsistent)
    activityCount.add(1, ordering: .sequentiallyConsistent)
  }

  /// The worker has made it.
  func endWork() { busyWorkers.subtract(1, ordering: .sequentiallyConsistent) }

  /// A picture was shown that may be shared, or could not be; nothing where there is nothing to be done for it.
  func addCandidate(_ candidate: SharingCandidate?) {
    guard let candidate else { return }
    let isNew = state.withLock { state in
      !state.isClosing && state.fault == nil && state.plan.addCandidate(candidate)
    }
    if isNew { state.wakeAll() }
  }

  /// How many thumbnails and failures were written, and why no further ones are.
  var condition: (written: Int, fault: String?) { state.withLock { ($0.written, $0.fault) } }

  // MARK: - For the thread that shares

  /// Whether a job may go on; asked again and again while it does.
  func canContinue(_ job: Job) -> Bool {
    activityCount.load(ordering: .sequentiallyConsistent) == job.activityCount
      && busyWorkers.load(ordering: .sequentiallyConsistent) == 0
  }

  /// Whether there is something to do, now or when the pipeline rests.
  var hasWork: Bool { state.withLock { !$0.isClosing && $0.plan.hasWork } }

  /// Waits for something to do, and until the pipeline rests.
  ///
  /// - Parameter last: the job before this: while it may go on, so may the next.
  /// - Returns: nothing when nothing more is to be done.
  func waitForNextJob(after last: Job?) -> Job? {
    var hasDelayed = false
    while true {
      let isOpen = state.wait { state -> Bool? in state.isClosing ? false : state.plan.hasWork ? true : nil }
      guard isOpen else { return nil }
      let delay = state.withLock { $0.plan.delay }
      guard delay == .zero || hasDelayed || sleep(delay) else { return nil }
      hasDelayed = true
      var rest = last.flatMap { canContinue($0) ? $0.activityCount : nil }
      if rest == nil {
        let before = activityCount.load(ordering: .sequentiallyConsistent)
        guard sleep(pause) else { return nil }
        rest = isIdle(since: before) ? before : nil
      }
      guard let rest, let candidate = state.withLock({ $0.plan.takeNextCandidate() }) else { continue }
      return Job(candidate: candidate, activityCount: rest)
    }
  }

  /// Lets a time pass; false when the end has come first.
  func sleep(_ time: Duration) -> Bool { state.wait(atMost: time) { $0.isClosing ? () : nil } == nil }

  private func isIdle(since before: Int) -> Bool {
    activityCount.load(ordering: .sequentiallyConsistent) == before
      && busyWorkers.load(ordering: .sequentiallyConsistent) == 0
  }

  /// A job is begun: requests that come from now on raise a signal.
  ///
  /// - Returns: whether none has come since the rest began, so that it may go on.
  func beginJob(_ job: Job, stop: StopSignal) -> Bool {
    self.stop.withLock { $0 = stop }
    let isClosing = state.withLock { $0.isClosing }
    isJobActive.store(true, ordering: .sequentiallyConsistent)
    // Asked once more: a request may have come before there was anything to be stopped.
    return !isClosing && canContinue(job)
  }

  /// The job has ended, in one way or the other.
  func endJob(_ ending: SharingPlan.Outcome, written: Bool = false) {
    isJobActive.store(false, ordering: .sequentiallyConsistent)
    stop.withLock { $0 = nil }
    state.withLock { state in
      state.plan.endCurrent(ending)
      state.written += written ? 1 : 0
    }
  }

  /// Nothing more can be written.
  func stopSharing(_ error: StorageError) {
    state.withLock { state in
      state.fault = error.description
      state.plan.dropWaiting()
    }
  }

  // MARK: - The end

  /// Stops what is under way, and lets nothing more begin.
  func close() {
    state.withLock { $0.isClosing = true }
    activityCount.add(1, ordering: .sequentiallyConsistent)
    stop.withLock { $0?.raise() }
    state.wakeAll()
  }

  /// The thread is about to end.
  func markEnded() {
    state.withLock { $0.hasEnded = true }
    state.wakeAll()
  }

  /// Waits for the thread to end; false when the time is up first.
  func waitForEnd(atMost limit: Duration) -> Bool {
    state.wait(atMost: limit) { $0.hasEnded ? () : nil } != nil
  }
}
