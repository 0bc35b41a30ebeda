import FramePacing
import Threads

/// Carries decisions out on a modelled time line, for the virtual and cpu clocks.
///
/// Each modelled worker has a real one, which begins a job at once. When the job is due on the time line and its real
/// result is not there, the main thread waits for it: the caller does not count that time.
@MainActor
final class ModelledExecutor: ImageExecutor {
  /// What real workers have made that is not due yet, by job.
  private struct Results {
    var outcomes: [UInt64: (outcome: ImageOutcome, place: DecodeSpan.ExecutionContext)] = [:]
    /// Jobs that were stopped on the time line: what becomes of them is of no interest.
    var abandoned: Set<UInt64> = []
    /// Whether nobody waits any more.
    var hasStoppedWaiting = false
  }

  private var timeline: ModelledTimeline
  private let board: JobDispatcher
  private let results: Lock<Results>
  private let decoders: any DecoderFactory
  private let pool: DecodingPool
  private let waker: any LoopWaker
  private let journal: DecodeJournal?
  private var isShutDown = false

  /// Starts the workers.
  ///
  /// - Parameters:
  ///   - workers: how many, modelled and real.
  ///   - delay: added to each decode on the time line.
  ///   - decoders: what gives each real worker its decoder.
  ///   - witness: told of each decode, on its thread.
  ///   - waker: woken when a request ends at once.
  ///   - journal: what each decode is noted in, with its time on the time line.
  init(
    workers: Int, delay: FrameDuration, decoders: any DecoderFactory, witness: RenderThreadDecodeCounter,
    waker: any LoopWaker, journal: DecodeJournal?
  ) throws(ThreadError) {
    timeline = ModelledTimeline(workers: workers, delay: delay)
    let board = JobDispatcher(workers: workers)
    let results = Lock(Results())
    self.board = board
    self.results = results
    self.decoders = decoders
    self.waker = waker
    self.journal = journal
    pool = try DecodingPool(board: board, decoders: decoders, witness: witness) { report in
      guard case .finished(_, let job, let outcome, _, let place) = report else { return }
      results.withLock { results in
        if results.abandoned.remove(job.number) == nil { results.outcomes[job.number] = (outcome, place) }
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
      let result = results.wait { results -> (outcome: ImageOutcome, place: DecodeSpan.ExecutionContext)?? in
        if let result = results.outcomes.removeValue(forKey: run.job.number) { return .some(result) }
        return results.hasStoppedWaiting ? .some(nil) : .none
      }
      guard let result else { return }
      let span = run.job.span(at: result.place, from: run.due - run.cost, to: run.due, result.outcome)
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
    board.perform(effects, waking: waker) { worker, job, key in
      guard !board.withdrawJob(job, from: worker) else { return }
      results.withLock { results in
        if results.outcomes.removeValue(forKey: job) == nil { results.abandoned.insert(job) }
      }
      decoders.interrupt(key, of: worker)
    }
  }

  func query<Answer: Sendable>(_ question: (inout ImageScheduler) -> Answer) -> Answer { timeline.query(question) }

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
