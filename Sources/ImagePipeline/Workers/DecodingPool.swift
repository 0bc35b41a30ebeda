import FramePacing
import Threads

/// The worker threads: each takes its jobs from the board, has its decoder do them, and reports.
///
/// The threads are of the usual priority. They do little themselves, and the main thread waits for locks that they hold
/// for a moment: a thread of the lowest priority could keep a lock for as long as others want its core. What takes long
/// is done in decoding processes: of the ordinary class for what is on screen, of the lowest for what comes ahead.
final class DecodingPool: Sendable {
  /// What a worker tells, on its own thread.
  enum Report: Sendable {
    /// It is ready for its first job.
    case ready(worker: Int)
    /// Its process has been ready to run for a while and gets no core.
    case starved(worker: Int)
    /// It has done a job, where, and how long that took.
    case finished(
      worker: Int, job: ImageJob, outcome: ImageOutcome, took: FrameDuration, at: DecodeSpan.ExecutionContext)
  }

  private let board: JobDispatcher
  private let decoders: any DecoderFactory
  private let threads: Lock<[WorkerThread]>

  /// Starts the threads; each makes its decoder and gets it ready before its first job.
  ///
  /// Where workers differ in priority, the screen's come first: the others' processes start with their first jobs.
  ///
  /// - Parameters:
  ///   - board: where jobs are posted.
  ///   - decoders: what gives each worker its decoder; interrupted when the pool shuts down.
  ///   - screenWorkers: the workers whose processes get a fair share of the processors. Default: none, where all are alike.
  ///   - witness: told of each decode, on its thread.
  ///   - report: what workers tell, from their threads.
  /// - Throws: ``ThreadError`` where the system has no thread to give.
  init(
    board: JobDispatcher, decoders: any DecoderFactory, screenWorkers: Range<Int> = 0..<0,
    witness: RenderThreadDecodeCounter,
    report: @escaping @Sendable (Report) -> Void
  ) throws(ThreadError) {
    self.board = board
    self.decoders = decoders
    threads = Lock([])
    for worker in 0..<board.workers {
      do throws(ThreadError) {
        let thread = try WorkerThread(name: "decode \(worker)") {
          let isForScreen = screenWorkers.contains(worker)
          let decoder = DecodingPool.makeDecoder(of: worker, decoders, isForScreen: isForScreen, report)
          if screenWorkers.isEmpty || isForScreen { decoder.prepare() }
          DecodingPool.runWorker(as: worker, decoder, board, witness, report)
        }
        threads.withLock { $0.append(thread) }
      } catch {
        shutdown(within: nil)
        throw error
      }
    }
  }

  deinit { shutdown(within: nil) }

  /// Interrupts what runs, and lets no worker begin anything; returns at once.
  func stop() {
    board.close()
    decoders.interrupt()
  }

  /// Interrupts what runs, and returns when every thread has ended.
  ///
  /// Again is no error.
  ///
  /// - Parameter time: how long the threads are waited for; one that a file system keeps is then detached. Nil waits for all.
  func shutdown(within time: ShutdownBudget?) {
    board.close()
    let leaving = threads.withLock { threads -> [WorkerThread] in
      defer { threads = [] }
      return threads
    }
    guard !leaving.isEmpty else { return }
    decoders.interrupt()
    for thread in leaving {
      if let time { thread.join(within: time.remaining) } else { thread.join() }
    }
  }

  private static func makeDecoder(
    of worker: Int, _ decoders: any DecoderFactory, isForScreen: Bool, _ report: @escaping @Sendable (Report) -> Void
  ) -> any PictureDecoder {
    guard let decoders = decoders as? any PrioritizedDecoderFactory else { return decoders.makeDecoder(worker: worker) }
    return decoders.makeDecoder(worker: worker, isForScreen: isForScreen) { report(.starved(worker: worker)) }
  }

  private static func runWorker(
    as worker: Int, _ decoder: any PictureDecoder, _ board: JobDispatcher, _ witness: RenderThreadDecodeCounter,
    _ report: (Report) -> Void
  ) {
    report(.ready(worker: worker))
    while let duty = board.takeWorkItem(worker) {
      guard case .job(let job) = duty else {
        decoder.releaseIdleResources()
        if case .idle(let work) = duty { work?() }
        continue
      }
      let watch = Stopwatch()
      witness.recordDecode()
      // How good it is, the one who asked knows, whatever the decoder says.
      let outcome = ((decoder as? any JobDecoder)?.decode(job) ?? decoder.decode(job.request))
        .map { $0.adapted(to: job.request) }
      let place = witness.executionContext(of: worker, process: decoder.processNumber)
      report(.finished(worker: worker, job: job, outcome: outcome, took: watch.elapsed, at: place))
      decoder.prepare()
    }
  }
}
