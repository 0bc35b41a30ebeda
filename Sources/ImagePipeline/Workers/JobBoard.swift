import DataStructures
import FramePacing
import Threads

/// Where workers find their next job: one place for each worker.
final class JobBoard: Sendable {
  /// What a worker is to do next.
  enum Duty: Sendable {
    /// A picture.
    case job(ImageJob)
    /// Let go of what it keeps for the next picture, and then do this, where there is something.
    case rest((@Sendable () -> Void)?)
  }

  private struct State {
    var jobs: [ImageJob?]
    /// Who was not told yet that nothing is expected.
    var isRestWanted: [Bool]
    var restWork: (@Sendable () -> Void)?
    var isClosed = false
  }

  private let state: Lock<State>

  /// Makes an empty board.
  init(workers: Int) {
    state = Lock(
      State(jobs: Array(repeating: nil, count: workers), isRestWanted: Array(repeating: false, count: workers)))
  }

  /// The workers that the board has a place for.
  var workers: Int { state.withLock { $0.jobs.count } }

  /// Gives a worker its next job; it has taken the one before.
  func post(_ job: ImageJob, to worker: Int) {
    state.withLock { state in
      demand(state.jobs[worker] == nil, "worker \(worker) has not taken the job before")
      state.jobs[worker] = job
      // Something came first.
      state.isRestWanted[worker] = false
      if !state.isRestWanted.contains(true) { state.restWork = nil }
    }
    state.wakeAll()
  }

  /// Takes a job back that its worker has not taken; false where it has.
  func withdraw(_ job: UInt64, from worker: Int) -> Bool {
    state.withLock { state in
      guard state.jobs[worker]?.number == job else { return false }
      state.jobs[worker] = nil
      return true
    }
  }

  /// Gives workers the jobs that the scheduler started for them, and wakes the loop when something has arrived.
  ///
  /// - Parameter interrupt: stops a job.
  func carryOut(
    _ effects: [ImageScheduler.Effect], waking waker: any LoopWaker,
    interrupt: (_ worker: Int, _ job: UInt64, _ key: ImageKey) -> Void
  ) {
    var hasArrived = false
    for effect in effects {
      switch effect {
      case .start(let worker, let job): post(job, to: worker)
      case .interrupt(let worker, let job, let key): interrupt(worker, job, key)
      case .arrived: hasArrived = true
      case .deliver, .keep: break
      }
    }
    if hasArrived { waker.wake() }
  }

  /// Nothing is expected for a while: each worker lets go of what it keeps, and the last of them does some work.
  func rest(_ work: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.isRestWanted = Array(repeating: true, count: state.jobs.count)
      state.restWork = work
    }
    state.wakeAll()
  }

  /// Waits for what a worker is to do next: a job before all else.
  ///
  /// - Returns: nothing once the board is closed.
  func take(_ worker: Int) -> Duty? {
    state.wait { state -> Duty?? in
      if state.isClosed { return .some(nil) }
      if let job = state.jobs[worker] {
        state.jobs[worker] = nil
        return .some(.job(job))
      }
      guard state.isRestWanted[worker] else { return nil }
      state.isRestWanted[worker] = false
      let isLast = !state.isRestWanted.contains(true)
      defer { if isLast { state.restWork = nil } }
      return .some(.rest(isLast ? state.restWork : nil))
    }
  }

  /// Lets every worker go home after the job it has.
  func close() {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
  }
}
