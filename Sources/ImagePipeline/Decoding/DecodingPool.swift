import VitrineDataStructures
import VitrineFramePacing
import VitrineThreads

/// The worker threads: each takes jobs from the dispatcher, has its decoder perform them, and reports.
///
/// The threads have normal priority. They do little work themselves but hold locks briefly that the main thread waits
/// for, and a thread of the lowest priority could hold a lock for as long as others occupy its core. The expensive work
/// is done in decoding processes: with normal priority for images on screen, with the lowest for prefetching.
final class DecodingPool: Sendable {
  /// A report of a worker, sent on its own thread.
  enum Report: Sendable {
    /// The worker is ready for its first job.
    case ready(worker: Int)
    /// The worker's process is runnable but has not been given a core for a while.
    case starved(worker: Int)
    /// The worker has finished a job, in the given context and duration.
    case finished(
      worker: Int, job: ImageJob, outcome: ImageOutcome, duration: FrameDuration, at: DecodeSpan.ExecutionContext)
  }

  private let dispatcher: JobDispatcher
  private let decoders: any DecoderFactory
  private let threads: Lock<[WorkerThread]>

  /// Starts the threads; each creates and prepares its decoder before its first job.
  ///
  /// If workers differ in priority, only the screen workers prepare theirs: the others' processes start with their
  /// first jobs.
  ///
  /// - Parameters:
  ///   - dispatcher: The dispatcher of jobs.
  ///   - decoders: The factory of each worker's decoder; interrupted when the pool shuts down.
  ///   - screenWorkers: The workers whose processes get a fair share of the processors. Default: none, all workers are
  ///     alike.
  ///   - decodeCounter: The counter of decodes, called on each worker's thread.
  ///   - converter: The conversion of images to the colors of the display, on each worker's thread. Default: nil.
  ///   - report: A closure that receives the workers' reports on their threads.
  /// - Throws: `ThreadError` if the system has no thread available.
  init(
    dispatcher: JobDispatcher, decoders: any DecoderFactory, screenWorkers: Range<Int> = 0..<0,
    decodeCounter: RenderThreadDecodeCounter, converter: DisplayColorConverter? = nil,
    report: @escaping @Sendable (Report) -> Void
  ) throws(ThreadError) {
    self.dispatcher = dispatcher
    self.decoders = decoders
    threads = Lock([])
    for worker in 0..<dispatcher.workers {
      do throws(ThreadError) {
        let thread = try WorkerThread(name: "decode \(worker)") {
          let isForScreen = screenWorkers.contains(worker)
          let decoder = DecodingPool.makeDecoder(of: worker, decoders, isForScreen: isForScreen, report)
          if screenWorkers.isEmpty || isForScreen { decoder.prepare() }
          DecodingPool.runWorker(as: worker, decoder, dispatcher, decodeCounter, converter, report)
        }
        threads.withLock { $0.append(thread) }
      } catch {
        shutdown(within: nil)
        throw error
      }
    }
  }

  deinit { shutdown(within: nil) }

  /// Interrupts running jobs and lets no worker start another one; returns immediately.
  func stop() {
    dispatcher.close()
    decoders.interrupt()
  }

  /// Interrupts running jobs and waits for the threads to end.
  ///
  /// Has no effect when called again.
  ///
  /// - Parameter time: The maximum time to wait; a thread blocked by a file system is then detached. Nil for no limit.
  func shutdown(within time: ShutdownBudget?) {
    dispatcher.close()
    let endingThreads = threads.withLock { threads -> [WorkerThread] in
      defer { threads = [] }
      return threads
    }
    guard !endingThreads.isEmpty else { return }
    decoders.interrupt()
    for thread in endingThreads {
      if let time { thread.join(within: time.remaining) } else { thread.join() }
    }
  }

  private static func makeDecoder(
    of worker: Int, _ decoders: any DecoderFactory, isForScreen: Bool, _ report: @escaping @Sendable (Report) -> Void
  ) -> any PipelineImageDecoder {
    decoders.makeDecoder(worker: worker, isForScreen: isForScreen) { report(.starved(worker: worker)) }
  }

  private static func runWorker(
    as worker: Int, _ decoder: any PipelineImageDecoder, _ dispatcher: JobDispatcher,
    _ decodeCounter: RenderThreadDecodeCounter, _ converter: DisplayColorConverter?,
    _ report: (Report) -> Void
  ) {
    report(.ready(worker: worker))
    while let item = dispatcher.takeWorkItem(worker) {
      guard case .job(let job) = item else {
        decoder.releaseIdleResources()
        if case .idle(let work) = item { work?() }
        continue
      }
      let watch = Stopwatch()
      decodeCounter.recordDecode()
      // The representation is the requested one, whatever the decoder reports.
      var outcome = decoder.decode(job).map { $0.adapted(to: job.request) }
      // After what is stored was made of the image, which remains in sRGB.
      if let converter { outcome = converter.convert(outcome) }
      let context = decodeCounter.executionContext(of: worker, process: decoder.processNumber)
      report(.finished(worker: worker, job: job, outcome: outcome, duration: watch.elapsed, at: context))
      decoder.prepare()
    }
  }
}

// MARK: - Job dispatcher

/// A thread-safe table of the next job of each worker.
final class JobDispatcher: Sendable {
  /// A unit of work for a worker.
  enum WorkItem: Sendable {
    /// Make an image.
    case job(ImageJob)
    /// Release idle resources, and then perform some work, if any.
    case idle((@Sendable () -> Void)?)
  }

  private struct State {
    var jobs: [ImageJob?]
    /// The workers that have not released their idle resources yet.
    var isIdleWorkPending: [Bool]
    var idleWork: (@Sendable () -> Void)?
    var isClosed = false
  }

  private let state: Lock<State>

  /// Creates an empty dispatcher.
  init(workers: Int) {
    state = Lock(
      State(jobs: Array(repeating: nil, count: workers), isIdleWorkPending: Array(repeating: false, count: workers)))
  }

  /// The number of workers.
  var workers: Int { state.withLock { $0.jobs.count } }

  /// Posts a worker's next job.
  ///
  /// The worker must have taken the previous one.
  func postJob(_ job: ImageJob, to worker: Int) {
    state.withLock { state in
      checkPrecondition(state.jobs[worker] == nil, "worker \(worker) has not taken the job before")
      state.jobs[worker] = job
      // A job takes precedence over idle work.
      state.isIdleWorkPending[worker] = false
      if !state.isIdleWorkPending.contains(true) { state.idleWork = nil }
    }
    state.wakeAll()
  }

  /// Removes a job that its worker has not taken yet; returns false if it has.
  func removeJob(_ job: UInt64, from worker: Int) -> Bool {
    state.withLock { state in
      guard state.jobs[worker]?.number == job else { return false }
      state.jobs[worker] = nil
      return true
    }
  }

  /// Posts the jobs that the scheduler started, interrupts others, and wakes the loop on arrivals.
  ///
  /// - Parameter interrupt: A closure that interrupts a job.
  func perform(
    _ effects: [ImageScheduler.Effect], waking waker: any LoopWaker,
    interrupt: (_ worker: Int, _ job: UInt64, _ key: ImageKey) -> Void
  ) {
    var hasArrived = false
    for effect in effects {
      switch effect {
      case .start(let worker, let job): postJob(job, to: worker)
      case .interrupt(let worker, let job, let key): interrupt(worker, job, key)
      case .arrived: hasArrived = true
      case .deliver, .cache: break
      }
    }
    if hasArrived { waker.wake() }
  }

  /// Has each worker release its idle resources, and the last of them perform some work.
  func postIdleWork(_ work: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.isIdleWorkPending = Array(repeating: true, count: state.jobs.count)
      state.idleWork = work
    }
    state.wakeAll()
  }

  /// Waits for a worker's next work item; jobs come before idle work.
  ///
  /// - Returns: The item, or nil once the dispatcher is closed.
  func takeWorkItem(_ worker: Int) -> WorkItem? {
    state.wait { state -> WorkItem?? in
      if state.isClosed { return .some(nil) }
      if let job = state.jobs[worker] {
        state.jobs[worker] = nil
        return .some(.job(job))
      }
      guard state.isIdleWorkPending[worker] else { return nil }
      state.isIdleWorkPending[worker] = false
      let isLast = !state.isIdleWorkPending.contains(true)
      defer { if isLast { state.idleWork = nil } }
      return .some(.idle(isLast ? state.idleWork : nil))
    }
  }

  /// Ends every worker's wait; running jobs finish.
  func close() {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
  }
}
