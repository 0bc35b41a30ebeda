import FramePacing
import Threads

/// Carries decisions out in real time: each worker takes the most urgent job the moment it is free.
@MainActor
final class LiveExecutor: ImageExecutor {
  private let scheduler: SynchronizedScheduler
  private let pool: DecodingPool

  /// Starts the workers.
  ///
  /// - Parameters:
  ///   - workers: how many decode at a time what is on screen, and as many what comes ahead.
  ///   - decoders: what gives each its decoder.
  ///   - witness: told of each decode, on its thread.
  ///   - waker: woken whenever something has arrived.
  ///   - journal: what each decode is noted in.
  init(
    workers: Int, decoders: any DecoderFactory, witness: RenderThreadDecodeCounter, waker: any LoopWaker,
    journal: DecodeJournal?
  ) throws(ThreadError) {
    // A process cannot leave the lowest priority without privileges: there are workers of each kind where they differ.
    let hasPriorities = (decoders as? any PrioritizedDecoderFactory)?.usesBackgroundPriority ?? false
    let screenWorkers = hasPriorities ? 0..<workers : 0..<0
    let count = workers + screenWorkers.count
    let board = JobDispatcher(workers: count)
    let desk = SynchronizedScheduler(
      scheduler: ImageScheduler(workers: count, screenWorkers: screenWorkers), board: board, decoders: decoders,
      waker: waker)
    self.scheduler = desk
    pool = try DecodingPool(
      board: board, decoders: decoders, screenWorkers: screenWorkers, witness: witness
    ) { report in
      switch report {
      case .ready(let worker): _ = desk.handle(.workerIdle(worker))
      case .starved(let worker): _ = desk.handle(.starved(worker: worker))
      case .finished(let worker, let job, let outcome, let took, let place):
        let now = MonotonicClock.now()
        journal?.record(job.span(at: place, from: now - took, to: now, outcome), of: outcome.bitmap)
        _ = desk.handle(.finished(worker: worker, job: job.number, outcome: outcome, took: took))
      }
    }
  }

  func handle(_ event: ImageScheduler.Event) { _ = scheduler.handle(event) }

  func collect(at instant: FrameInstant, atMost bytes: Int) -> [ImageScheduler.Effect] {
    scheduler.handle(.collect(atMost: bytes, at: instant))
  }

  func advance(to instant: FrameInstant) {}

  nonisolated func stopWaiting() {}

  func query<Answer: Sendable>(_ question: (inout ImageScheduler) -> Answer) -> Answer { scheduler.query(question) }

  var nextArrival: FrameInstant? { nil }

  func postIdleWork(_ work: @escaping @Sendable () -> Void) { scheduler.postIdleWork(work) }

  func stop() {
    _ = scheduler.handle(.stop)
    pool.stop()
  }

  func shutdown(within time: ShutdownBudget?) {
    stop()
    pool.shutdown(within: time)
  }
}
