/// The workers: who has nothing to do, and who does what.
///
/// Where the workers' processes differ in priority, those of the screen's workers get a fair share of the processors and
/// decode only what is on screen, while those of the others take what all programs leave and decode what comes ahead. A
/// picture that came on screen while one of these decodes it stays there as long as its process gets a processor; once it
/// does not, a screen's worker decodes it as well, and the faster of the two counts.
struct WorkerCrew: Sendable {
  /// What a worker does.
  struct Duty: Sendable {
    let key: ImageKey
    let job: UInt64
    let rung: ImageRung
    /// Whether it was told to stop.
    var isInterrupted = false
    /// Whether its process was seen to get no core.
    var isStarved = false
  }

  private enum State: Sendable {
    /// Not ready yet, or not wanted any more.
    case absent
    case idle
    case busy(Duty)
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
  var duties: [(worker: Int, duty: Duty)] {
    states.indices.compactMap { worker in duty(of: worker).map { (worker, $0) } }
  }

  /// What a worker does; nothing where it is not busy.
  func duty(of worker: Int) -> Duty? {
    if case .busy(let duty) = states[worker] { duty } else { nil }
  }

  /// A worker is ready.
  mutating func welcome(_ worker: Int) { states[worker] = .idle }

  /// Gives a worker a job.
  mutating func begin(_ duty: Duty, by worker: Int) {
    if self.duty(of: worker) == nil { busyCount += 1 }
    states[worker] = .busy(duty)
  }

  /// Notes that a worker was told to stop; false where it was already.
  mutating func interrupt(_ worker: Int) -> Bool {
    guard var duty = duty(of: worker), !duty.isInterrupted else { return false }
    duty.isInterrupted = true
    states[worker] = .busy(duty)
    return true
  }

  /// Records that a worker's process gets no processor.
  mutating func recordStarvation(of worker: Int) {
    guard !isUniform, !screenWorkers.contains(worker), var duty = duty(of: worker) else { return }
    duty.isStarved = true
    states[worker] = .busy(duty)
  }

  /// A worker has ended its job.
  mutating func end(_ worker: Int, staysIdle: Bool) {
    if duty(of: worker) != nil { busyCount -= 1 }
    states[worker] = staysIdle ? .idle : .absent
  }

  /// Lets those go that have nothing to do; the others go when they are done.
  mutating func dismiss() {
    for worker in states.indices where duty(of: worker) == nil { states[worker] = .absent }
  }
}
