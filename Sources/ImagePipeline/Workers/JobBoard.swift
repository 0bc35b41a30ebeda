import DataStructures
import FramePacing
import Threads

/// Where workers find their next job: one place for each worker.
final class JobDispatcher: Sendable {
  /// What a worker is to do next.
  enum WorkItem: Sendable {
    /// A picture.
    case job(ImageJob)
    /// Let go of what it keeps for the next picture, and then do this, where there is something.
    case idle((@Sendable () -> Void)?)
  }

  private struct State {
    var jobs: [ImageJob?]
    /// Who was not told yet that nothing is expected.
    var isIdleWorkPending: [Bool]
    var idleWork: (@Sendable () -> Void)?
    var isClosed = false
  }

  private let state: Lock<State>

  /// Makes an empty board.
  init(workers: Int) {
    state = Lock(
      State(jobs: Array(repeating: nil, count: workers), isIdleWorkPending: Array(repeating: false, count: workers)))
  }

  /// The workers that the board has a place for.
  var workers: Int { state.withLock { $0.jobs.count } }

  /// Gives a worker its next job; it has taken the one before.
  func postJob(_ job: ImageJob, to worker: Int) {
    state.withLock { state in
      checkPrecondition(state.jobs[worker] == nil, "worker \(worker) has not taken the job before")
      state.jobs[worker] = job
      // Something came first.
      state.isIdleWorkPending[worker] = false
      if !state.isIdleWorkPending.contains(true) { state.idleWork = nil }
    }
    state.wakeAll()
  }

  /// Takes a job back that its worker has not taken; false where it has.
  func withdrawJob(_ job: UInt64, from worker: Int) -> Bool {
    state.withLock { state in
      guard state.jobs[worker]?.number == job else { return false }
      state.jobs[worker] = nil
      return true
    }
  }

  /// Gives workers the jobs that the scheduler started for them, and wakes the loop when something has arrived.
  ///
  /// - Parameter interrupt: stops a job.
  func perform(
    _ effects: [ImageScheduler.Effect], waking waker: any LoopWaker,
    interrupt: (_ worker: Int, _ job: UInt64, _ key: ImageKey) -> Void
  ) {
    var hasArrived = false
    for effect in effects {
      switch effect {
      case .start(let worker, let job): postJob(job, to: worker)
      case .interrupt(let worker, let job, let key): interrupt(worker, job, key)
      case .arrived: hasArrived = true
      case .deliver, .cache: break
      }
    }
    if hasArrived { waker.wake() }
  }

  /// Nothing is expected for a while: each worker lets go of what it keeps, and the last of them does some work.
  func postIdleWork(_ work: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.isIdleWorkPending = Array(repeating: true, count: state.jobs.count)
      state.idleWork = work
    }
    state.wakeAll()
  }

  /// Waits for what a worker is to do next: a job before all else.
  ///
  /// - Returns: nothing once the board is closed.
  func takeWorkItem(_ worker: Int) -> WorkItem? {
    state.wait { state -> WorkItem?? in
      if state.isClosed { return .some(nil) }
      if let job = state.jobs[worker] {
        state.jobs[worker] = nil
        return .some(.job(job))
      }
      guard state.isIdleWorkPending[worker] else { return nil }
      state.isIdleWorkPending[worker] = false
      let isLast = !state.isIdleWorkPending.contains(true)
      defer { if isLast { state.idleWork = nil } }
      return .some(.idle(isLast ? state.idleWork : nil))
    }
  }

  /// Lets every worker go home after the job it has.
  func close() {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
  }
}
