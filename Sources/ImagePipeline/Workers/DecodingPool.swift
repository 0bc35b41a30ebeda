import FramePacing
import Threads

/// The worker threads: each takes its jobs from the board, has its decoder do them, and reports.
///
/// The threads are of the usual priority. They do little themselves, and the main thread waits for locks that they hold
/// for a moment: a thread of the lowest priority could keep a lock for as long as others want its core. What takes long
/// is done in decoding processes, and these are of the lowest.
final class DecodingPool: Sendable {
  /// What a worker tells, on its own thread.
  enum Report: Sendable {
    /// It is ready for its first job.
    case ready(worker: Int)
    /// It has done a job, where, and how long that took.
    case finished(worker: Int, job: ImageJob, outcome: ImageOutcome, took: FrameDuration, at: DecodeSpan.Place)
  }

  private let board: JobBoard
  private let decoders: any DecoderFactory
  private let threads: Lock<[WorkerThread]>

  /// Starts the threads; each makes its decoder and gets it ready before anything else.
  ///
  /// - Parameters:
  ///   - board: where jobs are posted.
  ///   - decoders: what gives each worker its decoder; interrupted when the pool shuts down.
  ///   - witness: told of each decode, on its thread.
  ///   - report: what workers tell, from their threads.
  /// - Throws: ``ThreadError`` where the system has no thread to give.
  init(
    board: JobBoard, decoders: any DecoderFactory, witness: RenderThreadWitness,
    report: @escaping @Sendable (Report) -> Void
  ) throws(ThreadError) {
    self.board = board
    self.decoders = decoders
    threads = Lock([])
    for worker in 0..<board.workers {
      do throws(ThreadError) {
        let thread = try WorkerThread(name: "decode \(worker)", isLowPriority: false) {
          DecodingPool.work(as: worker, board, decoders, witness, report)
        }
        threads.withLock { $0.append(thread) }
      } catch {
        shutdown()
        throw error
      }
    }
  }

  deinit { shutdown() }

  /// Interrupts what runs, and returns when every thread has ended.
  ///
  /// Again is no error.
  func shutdown() {
    board.close()
    let leaving = threads.withLock { threads -> [WorkerThread] in
      defer { threads = [] }
      return threads
    }
    guard !leaving.isEmpty else { return }
    decoders.interrupt()
    for thread in leaving { thread.join() }
  }

  private static func work(
    as worker: Int, _ board: JobBoard, _ decoders: any DecoderFactory, _ witness: RenderThreadWitness,
    _ report: (Report) -> Void
  ) {
    let decoder = decoders.makeDecoder(worker: worker)
    decoder.prepare()
    report(.ready(worker: worker))
    while let job = board.take(worker) {
      let watch = Stopwatch()
      witness.noteDecode()
      // How good it is, the one who asked knows, whatever the decoder says.
      let outcome = decoder.decode(job.request).map { $0.of(job.request.rung) }
      let place = witness.place(of: worker, process: decoder.processNumber)
      report(.finished(worker: worker, job: job, outcome: outcome, took: watch.elapsed, at: place))
      decoder.prepare()
    }
  }
}
