/// The workers: who has nothing to do, and who does what.
///
/// Their processes take what others leave of the cores, so that no frame is late for a decode. Where others leave nothing,
/// which the first worker tells whose process stands in line for a core, one worker is called in whose process gets its
/// share: for what is on screen, and until another worker's process comes through again.
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
  private let screenWorker: Int?
  /// Workers that have a job.
  private(set) var busyCount = 0
  /// Whether others want all cores, as far as is known.
  private(set) var isCrowded = false

  /// Makes a crew of which none is ready.
  ///
  /// - Parameter screenWorker: the one whose process gets its share of a core; nothing where all are alike.
  init(count: Int, screenWorker: Int? = nil) {
    states = Array(repeating: .absent, count: count)
    self.screenWorker = screenWorker
  }

  /// The lowest worker that has nothing to do; never the screen's.
  var idleWorker: Int? { states.indices.first { $0 != screenWorker && isIdle($0) } }

  /// The screen's worker, where it has nothing to do and is needed.
  var idleReliever: Int? {
    guard let screenWorker, isIdle(screenWorker), isCrowded || duties.contains(where: \.duty.isStarved) else {
      return nil
    }
    return screenWorker
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

  /// A worker's process gets no core: others want them all.
  mutating func noteStarved(_ worker: Int) {
    guard worker != screenWorker, var duty = duty(of: worker) else { return }
    isCrowded = true
    duty.isStarved = true
    states[worker] = .busy(duty)
  }

  /// A worker has come to the end of its job; where its process takes what others leave, they left enough.
  mutating func noteProgress(_ worker: Int) {
    guard worker != screenWorker, let duty = duty(of: worker), !duty.isStarved else { return }
    isCrowded = false
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
