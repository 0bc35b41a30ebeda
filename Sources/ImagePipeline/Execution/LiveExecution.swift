import FramePacing
import Threads

/// Carries decisions out in real time: each worker takes the most urgent job the moment it is free.
@MainActor
final class LiveExecution: ImageExecution {
  private let desk: SchedulerDesk
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
    workers: Int, decoders: any DecoderFactory, witness: RenderThreadWitness, waker: any LoopWaker,
    journal: DecodeJournal?
  ) throws(ThreadError) {
    // A process cannot leave the lowest priority without privileges: there are workers of each kind where they differ.
    let hasPriorities = (decoders as? any PrioritizedDecoderFactory)?.takesWhatIsLeft ?? false
    let screenWorkers = hasPriorities ? 0..<workers : 0..<0
    let count = workers + screenWorkers.count
    let board = JobBoard(workers: count)
    let desk = SchedulerDesk(
      scheduler: ImageScheduler(workers: count, screenWorkers: screenWorkers), board: board, decoders: decoders,
      waker: waker)
    self.desk = desk
    pool = try DecodingPool(
      board: board, decoders: decoders, screenWorkers: screenWorkers, witness: witness
    ) { report in
      switch report {
      case .ready(let worker): _ = desk.tell(.workerIdle(worker))
      case .starved(let worker): _ = desk.tell(.starved(worker: worker))
      case .finished(let worker, let job, let outcome, let took, let place):
        let now = MonotonicClock.now()
        journal?.note(job.span(at: place, from: now - took, to: now, outcome), of: outcome.bitmap)
        _ = desk.tell(.finished(worker: worker, job: job.number, outcome: outcome, took: took))
      }
    }
  }

  func tell(_ event: ImageScheduler.Event) { _ = desk.tell(event) }

  func collect(at instant: FrameInstant, atMost bytes: Int) -> [ImageScheduler.Effect] {
    desk.tell(.collect(atMost: bytes, at: instant))
  }

  func advance(to instant: FrameInstant) {}

  nonisolated func stopWaiting() {}

  func ask<Answer: Sendable>(_ question: (inout ImageScheduler) -> Answer) -> Answer { desk.ask(question) }

  var nextArrival: FrameInstant? { nil }

  func rest(_ work: @escaping @Sendable () -> Void) { desk.rest(work) }

  func stop() {
    _ = desk.tell(.stop)
    pool.stop()
  }

  func shutdown(within time: ClosingTime?) {
    stop()
    pool.shutdown(within: time)
  }
}
