import VitrineFramePacing
import VitrineThreads

/// A type that performs the scheduler's decisions, in real time or on a modelled timeline.
@MainActor
protocol ImageExecutor: AnyObject, Sendable {
  /// Handles a request, a changed deadline, a cancellation or another profile of the display.
  func handle(_ event: ImageScheduler.Event)

  /// Returns what has arrived by the time of the frame: deliveries, and images to cache.
  func collect(at instant: FrameInstant, atMost bytes: Int) -> [ImageScheduler.Effect]

  /// Advances the clock. Has no effect in real time.
  func advance(to instant: FrameInstant)

  /// Returns the result of a closure that reads the scheduler.
  func query<Value: Sendable>(_ body: (inout ImageScheduler) -> Value) -> Value

  /// The time of the next arrival, if it can be known.
  var nextArrival: FrameInstant? { get }

  /// Ends all waiting for real results on a modelled timeline; callable from any thread.
  nonisolated func stopWaiting()

  /// Has idle workers release their resources, and then one of them perform some work, unless a job comes first.
  ///
  /// Has no effect on a modelled timeline, which must be reproducible.
  func postIdleWork(_ work: @escaping @Sendable () -> Void)

  /// Stops the running jobs; returns immediately.
  func stop()

  /// Ends the workers.
  ///
  /// - Parameter time: The maximum time to wait for them; nil for no limit.
  func shutdown(within time: ShutdownBudget?)
}

/// An executor in real time: each worker takes the most urgent job as soon as it is free.
@MainActor
final class LiveExecutor: ImageExecutor {
  private let scheduler: SynchronizedScheduler
  private let pool: DecodingPool

  /// Starts the workers.
  ///
  /// - Parameters:
  ///   - workers: The number of workers. If priorities differ, as many again for images on screen.
  ///   - decoders: The factory of each worker's decoder.
  ///   - decodeCounter: The counter of decodes, called on each worker's thread.
  ///   - converter: The conversion of images to the colors of the display.
  ///   - waker: The waker of the loop, woken on each arrival.
  ///   - journal: The journal that records each decode.
  init(
    workers: Int, decoders: any DecoderFactory, decodeCounter: RenderThreadDecodeCounter,
    converter: DisplayColorConverter, waker: any LoopWaker, journal: DecodeJournal?
  ) throws(ThreadError) {
    // A process cannot raise its priority without privileges, so there are separate workers for each priority.
    let hasPriorities = decoders.usesBackgroundPriority
    let screenWorkers = hasPriorities ? 0..<workers : 0..<0
    let count = workers + screenWorkers.count
    let dispatcher = JobDispatcher(workers: count)
    let scheduler = SynchronizedScheduler(
      scheduler: ImageScheduler(workers: count, screenWorkers: screenWorkers), dispatcher: dispatcher,
      decoders: decoders,
      waker: waker)
    self.scheduler = scheduler
    pool = try DecodingPool(
      dispatcher: dispatcher, decoders: decoders, screenWorkers: screenWorkers, decodeCounter: decodeCounter,
      converter: converter
    ) { report in
      switch report {
      case .ready(let worker): _ = scheduler.handle(.workerIdle(worker))
      case .starved(let worker): _ = scheduler.handle(.starved(worker: worker))
      case .finished(let worker, let job, let outcome, let duration, let context):
        let now = MonotonicClock.now()
        journal?.record(job.span(in: context, from: now - duration, to: now, outcome), of: outcome.bitmap)
        _ = scheduler.handle(.finished(worker: worker, job: job.number, outcome: outcome, duration: duration))
      }
    }
  }

  func handle(_ event: ImageScheduler.Event) { _ = scheduler.handle(event) }

  func collect(at instant: FrameInstant, atMost bytes: Int) -> [ImageScheduler.Effect] {
    scheduler.handle(.collect(atMost: bytes, at: instant))
  }

  func advance(to instant: FrameInstant) {}

  nonisolated func stopWaiting() {}

  func query<Value: Sendable>(_ body: (inout ImageScheduler) -> Value) -> Value { scheduler.query(body) }

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

/// A thread-safe scheduler, shared by the main thread and the workers, that also performs its effects.
private final class SynchronizedScheduler: Sendable {
  private let scheduler: Lock<ImageScheduler>
  private let dispatcher: JobDispatcher
  private let decoders: any DecoderFactory
  private let waker: any LoopWaker

  init(scheduler: ImageScheduler, dispatcher: JobDispatcher, decoders: any DecoderFactory, waker: any LoopWaker) {
    self.scheduler = Lock(scheduler)
    self.dispatcher = dispatcher
    self.decoders = decoders
    self.waker = waker
  }

  /// Handles an event, dispatches jobs to workers and wakes the loop.
  ///
  /// The effects are performed outside the lock, so that no thread holds two locks. Their order among threads does not
  /// matter, as a worker is given no job before it has reported.
  /// - Returns: The effects.
  func handle(_ event: ImageScheduler.Event) -> [ImageScheduler.Effect] {
    let effects = scheduler.withLock { scheduler in
      let effects = scheduler.handle(event)
      decoders.setImagesWait(scheduler.hasWaitingImageOnScreen)
      return effects
    }
    dispatcher.perform(effects, waking: waker) { worker, job, key in
      if dispatcher.removeJob(job, from: worker) {
        _ = handle(.finished(worker: worker, job: job, outcome: .failure(.interrupted), duration: .zero))
      } else {
        decoders.interrupt(job: job, of: worker)
      }
    }
    return effects
  }

  /// Has idle workers release their resources, and one of them perform some work.
  func postIdleWork(_ work: @escaping @Sendable () -> Void) { dispatcher.postIdleWork(work) }

  /// Returns the result of a closure that reads the scheduler.
  func query<Value: Sendable>(_ body: (inout ImageScheduler) -> Value) -> Value {
    scheduler.withLock { body(&$0) }
  }
}
