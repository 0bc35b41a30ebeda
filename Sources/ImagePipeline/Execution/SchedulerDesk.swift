import FramePacing
import Threads

/// The scheduler behind a lock, for the main thread and the workers, and what carries its effects out.
final class SynchronizedScheduler: Sendable {
  private let scheduler: Lock<ImageScheduler>
  private let board: JobDispatcher
  private let decoders: any DecoderFactory
  private let waker: any LoopWaker

  /// Makes a desk.
  init(scheduler: ImageScheduler, board: JobDispatcher, decoders: any DecoderFactory, waker: any LoopWaker) {
    self.scheduler = Lock(scheduler)
    self.board = board
    self.decoders = decoders
    self.waker = waker
  }

  /// Tells the scheduler an event, gives workers their jobs and wakes the loop.
  ///
  /// Outside the lock, so that no two locks are ever held at once; the order between threads does not matter, as a
  /// worker is given nothing before it has reported.
  /// - Returns: the effects.
  func handle(_ event: ImageScheduler.Event) -> [ImageScheduler.Effect] {
    let effects = scheduler.withLock { $0.handle(event) }
    board.perform(effects, waking: waker) { worker, job, key in
      if board.withdrawJob(job, from: worker) {
        _ = handle(.finished(worker: worker, job: job, outcome: .failure(.interrupted), took: .zero))
      } else if let decoders = decoders as? any JobDecoderFactory {
        decoders.interrupt(job: job, of: worker)
      } else {
        decoders.interrupt(key, of: worker)
      }
    }
    return effects
  }

  /// Has the workers that have nothing to do let go of what they keep, and one of them do some work.
  func postIdleWork(_ work: @escaping @Sendable () -> Void) { board.postIdleWork(work) }

  /// Asks the scheduler something.
  func query<Answer: Sendable>(_ question: (inout ImageScheduler) -> Answer) -> Answer {
    scheduler.withLock { question(&$0) }
  }
}
