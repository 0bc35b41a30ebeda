import FramePacing

/// The scheduler on a modelled time line: a job is done when its modelled cost has passed, however fast this machine is.
///
/// A pure machine: which job a worker takes next, and in which order pictures arrive, depends on the requests and their
/// times alone. The real results are brought to it when they are due.
struct ModelledTimeline: Sendable {
  /// A job on a modelled worker.
  struct Run: Sendable {
    let worker: Int
    let job: ImageJob
    /// When it is done.
    let due: FrameInstant
    /// What it costs.
    let cost: FrameDuration
  }

  /// The scheduler that decides.
  private(set) var scheduler: ImageScheduler
  /// The latest moment that was told.
  private(set) var now: FrameInstant = .zero

  private var runs: [Run] = []
  private let delay: FrameDuration

  /// Makes a time line on which every worker is ready at the clock's zero.
  ///
  /// - Parameters:
  ///   - workers: the modelled workers.
  ///   - delay: added to each decode's cost.
  ///   - backlogLimit: bytes of pixels that may wait to be collected before no further job is started.
  init(workers: Int, delay: FrameDuration, backlogLimit: Int = 64 << 20) {
    scheduler = ImageScheduler(workers: workers, backlogLimit: backlogLimit)
    self.delay = delay
    for worker in 0..<workers { _ = scheduler.handle(.workerIdle(worker)) }
  }

  /// When the next job is done; nothing when none runs.
  var nextDue: FrameInstant? { runs.first?.due }

  /// The next job that is done by a moment.
  func nextRun(dueBy instant: FrameInstant) -> Run? {
    guard let run = runs.first, run.due <= instant else { return nil }
    return run
  }

  /// Tells that time has come to a moment; jobs that are done by then have been finished.
  ///
  /// Time never goes back.
  mutating func advance(to instant: FrameInstant) { now = max(now, instant) }

  /// Tells the scheduler an event that happens now.
  ///
  /// - Returns: its effects, and those of the jobs that it stopped.
  mutating func handle(_ event: ImageScheduler.Event) -> [ImageScheduler.Effect] {
    process(scheduler.handle(event), at: now, retrying: nil)
  }

  /// Brings the real result of the job that is done next; its worker takes another at the moment it was due.
  mutating func finishNextRun(_ outcome: ImageOutcome) -> [ImageScheduler.Effect] {
    guard !runs.isEmpty else { return [] }
    let run = runs.removeFirst()
    let effects = scheduler.handle(
      .finished(worker: run.worker, job: run.job.number, outcome: outcome, took: run.cost))
    return process(effects, at: run.due, retrying: run)
  }

  /// Asks the scheduler something.
  mutating func query<Answer>(_ question: (inout ImageScheduler) -> Answer) -> Answer { question(&scheduler) }

  /// Begins the jobs that were started at a moment, and ends those that were stopped, which takes no time.
  private mutating func process(
    _ effects: [ImageScheduler.Effect], at instant: FrameInstant, retrying run: Run?
  ) -> [ImageScheduler.Effect] {
    var settled = effects
    var next = 0
    while next < settled.count {
      switch settled[next] {
      case .start(let worker, let job): beginRun(job, by: worker, at: instant, retrying: run)
      case .interrupt(let worker, let job, _):
        runs.removeAll { $0.job.number == job }
        settled += scheduler.handle(
          .finished(worker: worker, job: job, outcome: .failure(.interrupted), took: .zero))
      case .arrived, .deliver, .cache: break
      }
      next += 1
    }
    return settled
  }

  private mutating func beginRun(_ job: ImageJob, by worker: Int, at instant: FrameInstant, retrying run: Run?) {
    if let run, run.job.number == job.number {
      // A second try after a dead process costs nothing here: that a process was killed is this machine's affair.
      insertRun(run)
    } else {
      let cost = DecodingCost.duration(of: job.request) + delay
      insertRun(Run(worker: worker, job: job, due: instant + cost, cost: cost))
    }
  }

  /// Keeps the runs in the order in which they are done, of equal ones the one that was asked for first.
  private mutating func insertRun(_ run: Run) {
    let place = runs.firstIndex { (run.due, run.job.number) < ($0.due, $0.job.number) }
    runs.insert(run, at: place ?? runs.count)
  }
}
