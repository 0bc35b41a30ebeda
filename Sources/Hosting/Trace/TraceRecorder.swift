import DataStructures
import FramePacing
import ImagePipeline
import Rendering
import Threads
import Views

/// Keeps what a run's trace is made of beside its frames, and has it written: whole at the end, and the last seconds when
/// somebody asks or a frame was late.
///
/// It acts between frames, and copies there; a thread writes.
final class TraceRecorder {
  /// From a look at what is held and waited for to the next: figures that cost more than a frame's own.
  static let sampling = FrameDuration.milliseconds(100)
  /// How many looks are kept: more than half an hour.
  static let mostSamples = 1 << 15

  private weak var loop: CommitLoop?
  private let version: String
  private let figures: RunFigures
  private let uploads: UploadQueue
  private let prefix: () -> String?
  private let textureBytes: () -> Int
  private let interrupt: Interrupt
  private let console: Console
  /// Whether the whole run is wanted, with all that is to be noted for it.
  private let isWhole: Bool
  private var keeper: TraceKeeper
  private var samples: RecentValues<TraceSample>
  private let resident = ResidentMemory()
  private var knownFrames = 0
  private var nextSample = FrameInstant.distantPast
  /// The files under way, and those that were written since the last was begun.
  private var writers: [(thread: WorkerThread, hasEnded: Lock<Bool>)] = []
  /// The first file that could not be written for a hitch.
  private let failure = Lock<HostError?>(nil)

  /// Makes a recorder of a run.
  ///
  /// - Parameters:
  ///   - loop: makes the frames; not kept alive.
  ///   - resources: what bitmaps become textures in; noted from now on, where the whole run is wanted.
  ///   - keeper: decides when the last seconds are written.
  ///   - isWhole: whether the whole run is wanted.
  ///   - prefix: the beginning of a path for traces that have no file beside which they may stand; asked when one is wanted.
  ///   - textureBytes: the bytes of textures, asked for with each look.
  init(
    _ loop: CommitLoop, _ resources: RenderResources, _ figures: RunFigures, version: String, keeper: TraceKeeper,
    isWhole: Bool, interrupt: Interrupt, console: Console, prefix: @escaping () -> String?,
    textureBytes: @escaping () -> Int
  ) {
    self.loop = loop
    self.figures = figures
    self.version = version
    self.keeper = keeper
    self.isWhole = isWhole
    self.interrupt = interrupt
    self.console = console
    self.prefix = prefix
    self.textureBytes = textureBytes
    uploads = resources.uploads
    samples = RecentValues(capacity: isWhole ? TraceRecorder.mostSamples : 1)
    uploads.journal = isWhole ? UploadJournal() : nil
  }

  /// Looks on between two frames.
  ///
  /// - Complexity: O(1) but when a look is due or a file is wanted; then O(frames of ten seconds).
  func takeTurn() {
    guard let loop else { return }
    let frames = loop.history.count
    if frames != knownFrames {
      knownFrames = frames
      if isWhole { look(at: loop, frames) }
    }
    // Before there is a frame, there is nothing to tell.
    if frames > 0, interrupt.takeTraceRequest() { answerRequest(loop) }
  }

  private func look(at loop: CommitLoop, _ frames: Int) {
    let record = loop.history.recent(0)
    if record.shown >= nextSample {
      nextSample = record.shown + TraceRecorder.sampling
      // Looking on is no part of a modelled time.
      loop.clock.uncounted { samples.append(sample(at: record.shown, frames)) }
    }
    if let order = keeper.handle(hitch: record.hitch, shown: record.shown) { write(order, loop) }
  }

  private func sample(at instant: FrameInstant, _ frames: Int) -> TraceSample {
    let figures = figures.overlay()
    return TraceSample(
      instant: instant, visibleCells: figures.visibleCells, coldCells: figures.waitingForPicture,
      queued: figures.queued, decoding: figures.decoding, waitingUploads: uploads.count,
      bitmapBytes: figures.bitmapBytes, textureBytes: textureBytes(), residentBytes: resident.bytes(now: frames))
  }

  private func answerRequest(_ loop: CommitLoop) {
    let elsewhere = keeper.destination == nil ? prefix() : nil
    guard keeper.destination != nil || elsewhere != nil else {
      console.complain("SIGUSR1: there is no place for a trace; --trace FILE gives it one")
      return
    }
    let order = keeper.handleRequest(
      at: loop.clock.now(), lastShown: loop.history.recent(0).shown, elsewhere: elsewhere)
    if let order { write(order, loop) }
  }

  // MARK: Writing

  /// Copies what is kept of a moment and later; decodes are for the thread that writes, as their journal may be read there.
  private func copy(of loop: CommitLoop, since instant: FrameInstant) -> TraceSnapshot {
    TraceSnapshot(
      version: version, interval: loop.interval, visibility: loop.costVisibility,
      records: loop.history.records(shownSince: instant), uploads: uploads.journal?.spans(since: instant) ?? [],
      samples: samples.newest { $0.instant >= instant })
  }

  private func write(_ order: TraceKeeper.Order, _ loop: CommitLoop) {
    let snapshot = loop.clock.uncounted { copy(of: loop, since: order.since) }
    let missing = figures.journal == nil ? "decodes and uploads" : "uploads"
    let (journal, console, failure, isWhole) = (figures.journal, console, failure, isWhole)
    joinEnded()
    let hasEnded = Lock(false)
    do throws(ThreadError) {
      let thread = try WorkerThread(name: "trace") {
        defer { hasEnded.withLock { $0 = true } }
        var snapshot = snapshot
        snapshot.decodes = journal?.spans(since: order.since) ?? []
        do throws(OutputError) {
          try TraceWriter(destination: order.path).write(snapshot)
          guard order.occasion == .signal else { return }
          console.complain(
            "SIGUSR1: the frames of the last \(Int(TraceKeeper.span.seconds)) s are in \(order.path)"
              + (isWhole ? "" : "; with --trace FILE \(missing) would be too"))
        } catch {
          if order.occasion == .signal { return console.complain("SIGUSR1: \(order.path): \(error)") }
          failure.withLock { $0 = $0 ?? HostError("--trace-hitch: \(order.path): \(error)") }
        }
      }
      writers.append((thread, hasEnded))
    } catch {
      console.complain("\(order.path): \(error)")
    }
  }

  /// Gives back the threads of files that are written.
  private func joinEnded() {
    writers.removeAll { writer in
      guard writer.hasEnded.withLock({ $0 }) else { return false }
      writer.thread.join()
      return true
    }
  }

  /// Waits for what is being written.
  ///
  /// - Throws: ``HostError`` where a file could not be written that a hitch was to have.
  func finish() throws(HostError) {
    for writer in writers { writer.thread.join() }
    writers = []
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// The whole run, as far as it is kept.
  ///
  /// - Complexity: O(frames, decodes, uploads and looks that are kept).
  func whole(of loop: CommitLoop) -> TraceSnapshot {
    var snapshot = copy(of: loop, since: .distantPast)
    snapshot.decodes = figures.journal?.spans ?? []
    return snapshot
  }
}
