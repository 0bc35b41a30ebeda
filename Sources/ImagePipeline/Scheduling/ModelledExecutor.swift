import VitrineFramePacing
import VitrineThreads

/// An executor on a modelled timeline, for the virtual and cpu clocks.
///
/// Each modelled worker has a real one, which starts a job immediately. If a job is due on the timeline before its real
/// result is available, the main thread waits for it, and the caller does not count that time.
@MainActor
final class ModelledExecutor: ImageExecutor {
  /// The results of real workers that are not due yet, by job.
  private struct Results {
    var outcomes: [UInt64: (outcome: ImageOutcome, context: DecodeSpan.ExecutionContext)] = [:]
    /// The jobs stopped on the timeline, whose results are discarded.
    var abandoned: Set<UInt64> = []
    /// Whether the main thread must not wait any more.
    var hasStoppedWaiting = false
  }

  private var timeline: ModelledTimeline
  private let dispatcher: JobDispatcher
  private let results: Lock<Results>
  private let decoders: any DecoderFactory
  private let pool: DecodingPool
  private let waker: any LoopWaker
  private let journal: DecodeJournal?
  private var isShutDown = false

  /// Starts the workers.
  ///
  /// - Parameters:
  ///   - workers: The number of workers, modelled and real.
  ///   - delay: The time added to each decode on the timeline.
  ///   - decoders: The factory of each real worker's decoder.
  ///   - decodeCounter: The counter of decodes, called on each worker's thread.
  ///   - converter: The conversion of images to the colors of the display.
  ///   - waker: The waker of the loop, woken when a request ends immediately.
  ///   - journal: The journal that records each decode, with its time on the timeline.
  init(
    workers: Int, delay: FrameDuration, decoders: any DecoderFactory, decodeCounter: RenderThreadDecodeCounter,
    converter: DisplayColorConverter, waker: any LoopWaker, journal: DecodeJournal?
  ) throws(ThreadError) {
    timeline = ModelledTimeline(workers: workers, delay: delay)
    let dispatcher = JobDispatcher(workers: workers)
    let results = Lock(Results())
    self.dispatcher = dispatcher
    self.results = results
    self.decoders = decoders
    self.waker = waker
    self.journal = journal
    pool = try DecodingPool(
      dispatcher: dispatcher, decoders: decoders, decodeCounter: decodeCounter, converter: converter
    ) { report in
      guard case .finished(_, let job, let outcome, _, let context) = report else { return }
      results.withLock { results in
        if results.abandoned.remove(job.number) == nil { results.outcomes[job.number] = (outcome, context) }
      }
      results.wakeAll()
    }
  }

  func handle(_ event: ImageScheduler.Event) { perform(timeline.handle(event)) }

  func collect(at instant: FrameInstant, atMost bytes: Int) -> [ImageScheduler.Effect] {
    let effects = timeline.handle(.collect(atMost: bytes, at: instant))
    perform(effects)
    return effects
  }

  func advance(to instant: FrameInstant) {
    guard !isShutDown else { return }
    while let run = timeline.nextRun(dueBy: instant) {
      let result = results.wait { results -> (outcome: ImageOutcome, context: DecodeSpan.ExecutionContext)?? in
        if let result = results.outcomes.removeValue(forKey: run.job.number) { return .some(result) }
        return results.hasStoppedWaiting ? .some(nil) : .none
      }
      guard let result else { return }
      let span = run.job.span(in: result.context, from: run.due - run.cost, to: run.due, result.outcome)
      journal?.record(span, of: result.outcome.bitmap)
      perform(timeline.finishNextRun(result.outcome))
    }
    timeline.advance(to: instant)
  }

  nonisolated func stopWaiting() {
    results.withLock { $0.hasStoppedWaiting = true }
    results.wakeAll()
  }

  private func perform(_ effects: [ImageScheduler.Effect]) {
    dispatcher.perform(effects, waking: waker) { worker, job, key in
      guard !dispatcher.removeJob(job, from: worker) else { return }
      results.withLock { results in
        if results.outcomes.removeValue(forKey: job) == nil { results.abandoned.insert(job) }
      }
      decoders.interrupt(job: job, of: worker)
    }
  }

  func query<Value: Sendable>(_ body: (inout ImageScheduler) -> Value) -> Value { timeline.query(body) }

  var nextArrival: FrameInstant? { timeline.scheduler.arrivedCount > 0 ? timeline.now : timeline.nextDue }

  func postIdleWork(_ work: @escaping @Sendable () -> Void) {}

  func stop() {
    isShutDown = true
    _ = timeline.handle(.stop)
    pool.stop()
  }

  func shutdown(within time: ShutdownBudget?) {
    stop()
    pool.shutdown(within: time)
  }
}

// MARK: - Timeline

/// A scheduler on a modelled timeline: a job finishes when its modelled cost has passed, regardless of the machine.
///
/// The order of jobs and arrivals depends only on the requests and their times. Real results are passed in when they
/// are due.
struct ModelledTimeline: Sendable {
  /// A job on a modelled worker.
  struct Run: Sendable {
    let worker: Int
    let job: ImageJob
    /// The time at which the job finishes.
    let due: FrameInstant
    /// The job's cost.
    let cost: FrameDuration
  }

  /// The scheduler.
  private(set) var scheduler: ImageScheduler
  /// The current time.
  private(set) var now: FrameInstant = .zero

  private var runs: [Run] = []
  private let delay: FrameDuration

  /// Creates a timeline on which every worker is ready at time zero.
  ///
  /// - Parameters:
  ///   - workers: The number of modelled workers.
  ///   - delay: The time added to each decode's cost.
  ///   - backlogLimit: The bytes of pixels that may wait to be collected; at the limit no job is started.
  init(workers: Int, delay: FrameDuration, backlogLimit: Int = 64 << 20) {
    scheduler = ImageScheduler(workers: workers, backlogLimit: backlogLimit)
    self.delay = delay
    for worker in 0..<workers { _ = scheduler.handle(.workerIdle(worker)) }
  }

  /// The time at which the next job finishes; nil if none is running.
  var nextDue: FrameInstant? { runs.first?.due }

  /// Returns the next job that finishes by an instant.
  func nextRun(dueBy instant: FrameInstant) -> Run? {
    guard let run = runs.first, run.due <= instant else { return nil }
    return run
  }

  /// Advances the time, after all jobs due by then were finished.
  ///
  /// The time never decreases.
  mutating func advance(to instant: FrameInstant) { now = max(now, instant) }

  /// Handles an event at the current time.
  ///
  /// - Returns: The effects, including those of interrupted jobs.
  mutating func handle(_ event: ImageScheduler.Event) -> [ImageScheduler.Effect] {
    process(scheduler.handle(event), at: now, retrying: nil)
  }

  /// Finishes the next job with its real result.
  ///
  /// Its worker takes another job at the time it was due.
  mutating func finishNextRun(_ outcome: ImageOutcome) -> [ImageScheduler.Effect] {
    guard !runs.isEmpty else { return [] }
    let run = runs.removeFirst()
    let effects = scheduler.handle(
      .finished(worker: run.worker, job: run.job.number, outcome: outcome, duration: run.cost))
    return process(effects, at: run.due, retrying: run)
  }

  /// Returns the result of a closure that reads the scheduler.
  mutating func query<Value>(_ body: (inout ImageScheduler) -> Value) -> Value { body(&scheduler) }

  /// Starts jobs at an instant and ends interrupted ones, which takes no time.
  private mutating func process(
    _ effects: [ImageScheduler.Effect], at instant: FrameInstant, retrying run: Run?
  ) -> [ImageScheduler.Effect] {
    var allEffects = effects
    var next = 0
    while next < allEffects.count {
      switch allEffects[next] {
      case .start(let worker, let job): beginRun(job, by: worker, at: instant, retrying: run)
      case .interrupt(let worker, let job, _):
        runs.removeAll { $0.job.number == job }
        allEffects += scheduler.handle(
          .finished(worker: worker, job: job, outcome: .failure(.interrupted), duration: .zero))
      case .arrived, .deliver, .cache: break
      }
      next += 1
    }
    return allEffects
  }

  private mutating func beginRun(_ job: ImageJob, by worker: Int, at instant: FrameInstant, retrying run: Run?) {
    if let run, run.job.number == job.number {
      // A retry after a crash costs nothing on the timeline, as the crash depends on this machine.
      insertRun(run)
    } else {
      let cost = DecodingCost.duration(of: job.request) + delay
      insertRun(Run(worker: worker, job: job, due: instant + cost, cost: cost))
    }
  }

  /// Inserts a run in order of due time, then of job number.
  private mutating func insertRun(_ run: Run) {
    let context = runs.firstIndex { (run.due, run.job.number) < ($0.due, $0.job.number) }
    runs.insert(run, at: context ?? runs.count)
  }
}
