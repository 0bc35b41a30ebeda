/// The workers: who has nothing to do, and who does what.
struct WorkerCrew: Sendable {
  /// What a worker does.
  struct Duty: Sendable {
    let key: ImageKey
    let job: UInt64
    let rung: ImageRung
    /// Whether it was told to stop.
    var isInterrupted = false
  }

  private enum State: Sendable {
    /// Not ready yet, or not wanted any more.
    case absent
    case idle
    case busy(Duty)
  }

  private var states: [State]
  /// Workers that have a job.
  private(set) var busyCount = 0

  /// Makes a crew of which none is ready.
  init(count: Int) { states = Array(repeating: .absent, count: count) }

  /// The lowest worker that has nothing to do.
  var idleWorker: Int? {
    states.firstIndex { if case .idle = $0 { true } else { false } }
  }

  /// What the busy workers do, by worker.
  var duties: [(worker: Int, duty: Duty)] {
    states.indices.compactMap { worker in duty(of: worker).map { (worker, $0) } }
  }

  /// What a worker does; nothing where it is not busy.
  func duty(of worker: Int) -> Duty? {
    if case .busy(let duty) = states[worker] { duty } else { nil }
  }

  /// The worker that has a task's job.
  func worker(on key: ImageKey) -> Int? { duties.first { $0.duty.key == key }?.worker }

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
