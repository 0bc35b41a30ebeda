/// The states of the workers and their assignments.
///
/// If processes differ in priority, the screen workers get a fair share of the processors and decode only images on
/// screen, while the others use idle processors and prefetch. An image that becomes visible while one of the others
/// decodes it stays there as long as its process gets a processor. When it is starved, a screen worker decodes it as
/// well, and the faster of the two delivers.
struct WorkerStates: Sendable {
  /// The job of a worker.
  struct Assignment: Sendable {
    let key: ImageKey
    let job: UInt64
    let representation: ImageRepresentation
    /// Whether the job was interrupted.
    var isInterrupted = false
    /// Whether the process was found to be starved.
    var isStarved = false
  }

  private enum State: Sendable {
    /// Not ready yet, or not needed any more.
    case absent
    case idle
    case busy(Assignment)
  }

  private var states: [State]
  /// The workers that decode only images on screen; empty if all workers are alike.
  let screenWorkers: Range<Int>
  /// The number of workers with a job.
  private(set) var busyCount = 0

  /// Creates the states of workers that are not ready.
  ///
  /// - Parameters:
  ///   - count: The number of workers, numbered from 0.
  ///   - screenWorkers: The workers that decode only images on screen. Default: none, all workers are alike.
  init(count: Int, screenWorkers: Range<Int> = 0..<0) {
    states = Array(repeating: .absent, count: count)
    self.screenWorkers = screenWorkers
  }

  /// Whether all workers are alike and take the most urgent task.
  var isUniform: Bool { screenWorkers.isEmpty }

  /// Returns the lowest idle worker that may take a job.
  ///
  /// - Parameter isOnScreen: Whether the job's image is on screen.
  /// - Returns: The worker, or nil if there is none.
  func idleWorker(isOnScreen: Bool) -> Int? {
    states.indices.first { isIdle($0) && (isUniform || screenWorkers.contains($0) == isOnScreen) }
  }

  private func isIdle(_ worker: Int) -> Bool { if case .idle = states[worker] { true } else { false } }

  /// The assignments of busy workers, by worker.
  var assignments: [(worker: Int, assignment: Assignment)] {
    states.indices.compactMap { worker in assignment(of: worker).map { (worker, $0) } }
  }

  /// Returns the assignment of a worker, or nil if it is not busy.
  func assignment(of worker: Int) -> Assignment? {
    if case .busy(let assignment) = states[worker] { assignment } else { nil }
  }

  /// Marks a worker as ready.
  ///
  /// - Precondition: The worker is not busy.
  mutating func markReady(_ worker: Int) { states[worker] = .idle }

  /// Assigns a job to a worker.
  mutating func assign(_ assignment: Assignment, to worker: Int) {
    if self.assignment(of: worker) == nil { busyCount += 1 }
    states[worker] = .busy(assignment)
  }

  /// Marks a worker's job as interrupted.
  ///
  /// - Returns: False if the worker is not busy or its job was interrupted before.
  mutating func markInterrupted(_ worker: Int) -> Bool {
    guard var assignment = assignment(of: worker), !assignment.isInterrupted else { return false }
    assignment.isInterrupted = true
    states[worker] = .busy(assignment)
    return true
  }

  /// Records that a worker's process is starved.
  mutating func recordStarvation(of worker: Int) {
    guard !isUniform, !screenWorkers.contains(worker), var assignment = assignment(of: worker) else { return }
    assignment.isStarved = true
    states[worker] = .busy(assignment)
  }

  /// Ends a worker's job.
  mutating func endJob(_ worker: Int, staysIdle: Bool) {
    if assignment(of: worker) != nil { busyCount -= 1 }
    states[worker] = staysIdle ? .idle : .absent
  }

  /// Removes the workers that are not busy.
  ///
  /// To remove a busy one, pass false for `staysIdle` when its job ends.
  mutating func removeIdleWorkers() {
    for worker in states.indices where assignment(of: worker) == nil { states[worker] = .absent }
  }
}
