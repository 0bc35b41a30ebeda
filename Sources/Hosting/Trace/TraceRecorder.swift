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
  static let sampleInterval = FrameDuration.milliseconds(100)
  /// How many looks are kept: more than half an hour.
  static let maximumSamples = 1 << 15

  private weak var loop: CommitLoop?
  private let version: String
  private let figures: RunFigures
  private let uploads: UploadQueue
  private let prefix: () -> String?
  private let textureBytes: () -> Int
  private let interrupt: Interrupt
  private let console: Console
  /// Whether the whole run is wanted, with all that is to be noted for it.
  private let recordsWholeRun: Bool
  private var capturePolicy: TraceCapturePolicy
  private var samples: RecentValues<TraceSample>
  private let residentMemory = ResidentMemory()
  private var lastFrameCount = 0
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
    _ loop: CommitLoop, _ resources: RenderResources, _ figures: RunFigures, version: String,
    keeper: TraceCapturePolicy,
    isWhole: Bool, interrupt: Interrupt, console: Console, prefix: @escaping () -> String?,
    textureBytes: @escaping () -> Int
  ) {
    self.loop = loop
    self.figures = figures
    self.version = version
    self.capturePolicy = keeper
    self.recordsWholeRun = isWhole
    self.interrupt = interrupt
    self.console = console
    self.prefix = prefix
    self.textureBytes = textureBytes
    uploads = resources.uploads
    samples = RecentValues(capacity: isWhole ? TraceRecorder.maximumSamples : 1)
    uploads.uploadLog = isWhole ? UploadLog() : nil
  }

  /// Looks on between two frames.
  ///
  /// - Complexity: O(1) but when a look is due or a file is wanted; then O(frames of ten seconds).
  func recordLatestFrame() {
    guard let loop else { return }
    let frames = loop.history.count
    if frames != lastFrameCount {
      lastFrameCount = frames
      if recordsWholeRun { sampleFrame(of: loop, count: frames) }
    }
    // Before there is a frame, there is nothing to tell.
    if frames > 0, interrupt.takeTraceRequest() { handleTraceRequest(of: loop) }
  }

  private func sampleFrame(of loop: CommitLoop, count frames: Int) {
    let record = loop.history.record(atAge: 0)
    if record.shown >= nextSample {
      nextSample = record.shown + TraceRecorder.sampleInterval
      // Looking on is no part of a modelled time.
      loop.clock.performUncounted { samples.append(makeSample(at: record.shown, frames)) }
    }
    if let order = capturePolicy.handle(hitch: record.hitch, shown: record.shown) { startWriting(order, of: loop) }
  }

  private func makeSample(at instant: FrameInstant, _ frames: Int) -> TraceSample {
    let figures = figures.overlay()
    return TraceSample(
      instant: instant, visibleCells: figures.visibleCells, coldCells: figures.waitingForPicture,
      queued: figures.queued, decoding: figures.decoding, waitingUploads: uploads.count,
      bitmapBytes: figures.bitmapBytes, textureBytes: textureBytes(),
      residentBytes: residentMemory.bytes(atFrame: frames))
  }

  private func handleTraceRequest(of loop: CommitLoop) {
    let elsewhere = capturePolicy.destination == nil ? prefix() : nil
    guard capturePolicy.destination != nil || elsewhere != nil else {
      console.printError("SIGUSR1: there is no place for a trace; --trace FILE gives it one")
      return
    }
    let order = capturePolicy.handleRequest(
      at: loop.clock.now(), lastShown: loop.history.record(atAge: 0).shown, elsewhere: elsewhere)
    if let order { startWriting(order, of: loop) }
  }

  // MARK: Writing

  /// Copies what is kept of a moment and later; decodes are for the thread that writes, as their journal may be read there.
  private func makeSnapshot(of loop: CommitLoop, since instant: FrameInstant) -> TraceSnapshot {
    TraceSnapshot(
      version: version, interval: loop.interval, visibility: loop.costVisibility,
      records: loop.history.records(shownSince: instant), uploads: uploads.uploadLog?.spans(since: instant) ?? [],
      samples: samples.newestValues { $0.instant >= instant })
  }

  private func startWriting(_ order: TraceCapturePolicy.Capture, of loop: CommitLoop) {
    let snapshot = loop.clock.performUncounted { makeSnapshot(of: loop, since: order.since) }
    let missing = figures.journal == nil ? "decodes and uploads" : "uploads"
    let (journal, console, failure, isWhole) = (figures.journal, console, failure, recordsWholeRun)
    joinFinishedWriters()
    let hasEnded = Lock(false)
    do throws(ThreadError) {
      let thread = try WorkerThread(name: "trace") {
        defer { hasEnded.withLock { $0 = true } }
        var snapshot = snapshot
        snapshot.decodes = journal?.spans(since: order.since) ?? []
        do throws(OutputError) {
          try TraceWriter(destination: order.path).write(snapshot)
          guard order.trigger == .signal else { return }
          console.printError(
            "SIGUSR1: the frames of the last \(Int(TraceCapturePolicy.captureLength.seconds)) s are in \(order.path)"
              + (isWhole ? "" : "; with --trace FILE \(missing) would be too"))
        } catch {
          if order.trigger == .signal { return console.printError("SIGUSR1: \(order.path): \(error)") }
          failure.withLock { $0 = $0 ?? HostError("--trace-hitch: \(order.path): \(error)") }
        }
      }
      writers.append((thread, hasEnded))
    } catch {
      console.printError("\(order.path): \(error)")
    }
  }

  /// Gives back the threads of files that are written.
  private func joinFinishedWriters() {
    writers.removeAll { writer in
      guard writer.hasEnded.withLock({ $0 }) else { return false }
      writer.thread.join()
      return true
    }
  }

  /// Waits for what is being written.
  ///
  /// - Throws: ``HostError`` where a file could not be written that a hitch was to have.
  func waitForWriters() throws(HostError) {
    for writer in writers { writer.thread.join() }
    writers = []
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// The whole run, as far as it is kept.
  ///
  /// - Complexity: O(frames, decodes, uploads and looks that are kept).
  func makeFullSnapshot(of loop: CommitLoop) -> TraceSnapshot {
    var snapshot = makeSnapshot(of: loop, since: .distantPast)
    snapshot.decodes = figures.journal?.spans ?? []
    return snapshot
  }
}
