/// The workers: who has nothing to do, and who does what.
///
/// Where the workers' processes differ in priority, those of the screen's workers get a fair share of the processors and
/// decode only what is on screen, while those of the others take what all programs leave and decode what comes ahead. A
/// picture that came on screen while one of these decodes it stays there as long as its process gets a processor; once it
/// does not, a screen's worker decodes it as well, and the faster of the two counts.
struct WorkerStates: Sendable {
  /// What a worker does.
  struct Assignment: Sendable {
    let key: ImageKey
    let job: UInt64
    let representation: ImageRepresentation
    /// Whether it was told to stop.
    var isInterrupted = false
    /// Whether its process was seen to get no core.
    var isStarved = false
  }

  private enum State: Sendable {
    /// Not ready yet, or not wanted any more.
    case absent
    case idle
    case busy(Assignment)
  }

  private var states: [State]
  /// Workers that decode what is on screen alone; none where all workers are alike.
  let screenWorkers: Range<Int>
  /// Workers that have a job.
  private(set) var busyCount = 0

  /// Makes a crew of which none is ready.
  ///
  /// - Parameters:
  ///   - count: how many workers there are, numbered from 0.
  ///   - screenWorkers: those among them whose processes get a fair share of the processors. Default: none, where all workers
  ///     are alike.
  init(count: Int, screenWorkers: Range<Int> = 0..<0) {
    states = Array(repeating: .absent, count: count)
    self.screenWorkers = screenWorkers
  }

  /// Whether all workers decode whatever is most urgent.
  var isUniform: Bool { screenWorkers.isEmpty }

  /// The lowest worker that has no job and may take one.
  ///
  /// - Parameter isOnScreen: whether the job's picture is on screen.
  /// - Returns: nil if there is none.
  func idleWorker(isOnScreen: Bool) -> Int? {
    states.indices.first { isIdle($0) && (isUniform || screenWorkers.contains($0) == isOnScreen) }
  }

  private func isIdle(_ worker: Int) -> Bool { if case .idle = states[worker] { true } else { false } }

  /// What the busy workers do, by worker.
  var assignments: [(worker: Int, duty: Assignment)] {
    states.indices.compactMap { worker in assignment(of: worker).map { (worker, $0) } }
  }

  /// What a worker does; nothing where it is not busy.
  func assignment(of worker: Int) -> Assignment? {
    if case .busy(let duty) = states[worker] { duty } else { nil }
  }

  /// A worker is ready.
  mutating func markReady(_ worker: Int) { states[worker] = .idle }

  /// Gives a worker a job.
  mutating func assign(_ duty: Assignment, by worker: Int) {
    if self.assignment(of: worker) == nil { busyCount += 1 }
    states[worker] = .busy(duty)
  }

  /// Notes that a worker was told to stop; false where it was already.
  mutating func markInterrupted(_ worker: Int) -> Bool {
    guard var duty = assignment(of: worker), !duty.isInterrupted else { return false }
    duty.isInterrupted = true
    states[worker] = .busy(duty)
    return true
  }

  /// Records that a worker's process gets no processor.
  mutating func recordStarvation(of worker: Int) {
    guard !isUniform, !screenWorkers.contains(worker), var duty = assignment(of: worker) else { return }
    duty.isStarved = true
    states[worker] = .busy(duty)
  }

  /// A worker has ended its job.
  mutating func endJob(_ worker: Int, staysIdle: Bool) {
    if assignment(of: worker) != nil { busyCount -= 1 }
    states[worker] = staysIdle ? .idle : .absent
  }

  /// Lets those go that have nothing to do; the others go when they are done.
  mutating func removeIdleWorkers() {
    for worker in states.indices where assignment(of: worker) == nil { states[worker] = .absent }
  }
}
