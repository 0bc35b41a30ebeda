import VitrineDataStructures
import VitrineFramePacing
import VitrineHosting
import VitrineImagePipeline
import VitrineRendering
import VitrineThreads
import VitrineViews

/// A recorder of the data of traces.
///
/// It writes the trace of the whole run at the end, and captures of the last seconds on request or after a late frame.
///
/// It runs between frames and only copies data. A separate thread writes the files.
final class TraceRecorder {
  /// The time between two samples, which are more expensive than a frame's own figures.
  static let sampleInterval = FrameDuration.milliseconds(100)
  /// The capacity for samples, which is more than half an hour.
  static let maximumSamples = 1 << 15

  private weak var loop: CommitLoop?
  private let version: String
  private let figures: RunFigures
  private let uploads: UploadQueue
  private let prefix: () -> String?
  private let textureBytes: () -> Int
  private let interrupt: Interrupt
  private let console: Console
  /// Whether the whole run is recorded, which includes samples and uploads.
  private let recordsWholeRun: Bool
  private var capturePolicy: TraceCapturePolicy
  private var samples: RecentValues<TraceSample>
  private let residentMemory = ResidentMemory()
  private var lastFrameCount = 0
  private var nextSample = FrameInstant.distantPast
  /// The threads that write files, including those that have ended since the last file was started.
  private var writers: [(thread: WorkerThread, hasEnded: Lock<Bool>)] = []
  /// The first error of a capture after a hitch.
  private let failure = Lock<HostError?>(nil)

  /// Creates a recorder of a run.
  ///
  /// - Parameters:
  ///   - loop: The loop of the run, referenced weakly.
  ///   - resources: The render resources, whose uploads are logged from now on if the whole run is recorded.
  ///   - figures: The program's figures.
  ///   - version: The program's version.
  ///   - capturePolicy: The policy that decides when captures are written.
  ///   - recordsWholeRun: Whether to record the whole run.
  ///   - interrupt: The source of requests by signal.
  ///   - console: The console for messages.
  ///   - prefix: Returns the path prefix of captures if there is no trace file. Called when a capture is requested.
  ///   - textureBytes: Returns the size of all textures in bytes. Called for each sample.
  init(
    _ loop: CommitLoop, _ resources: RenderResources, _ figures: RunFigures, version: String,
    capturePolicy: TraceCapturePolicy,
    recordsWholeRun: Bool, interrupt: Interrupt, console: Console, prefix: @escaping () -> String?,
    textureBytes: @escaping () -> Int
  ) {
    self.loop = loop
    self.figures = figures
    self.version = version
    self.capturePolicy = capturePolicy
    self.recordsWholeRun = recordsWholeRun
    self.interrupt = interrupt
    self.console = console
    self.prefix = prefix
    self.textureBytes = textureBytes
    uploads = resources.uploads
    samples = RecentValues(capacity: recordsWholeRun ? TraceRecorder.maximumSamples : 1)
    uploads.uploadLog = recordsWholeRun ? UploadLog() : nil
  }

  /// Records the latest frame.
  ///
  /// Called between frames.
  ///
  /// - Complexity: O(1). When a capture is written, O(frames of ten seconds).
  func recordLatestFrame() {
    guard let loop else { return }
    let frames = loop.history.count
    if frames != lastFrameCount {
      lastFrameCount = frames
      if recordsWholeRun { sampleFrame(of: loop, count: frames) }
    }
    // A capture needs at least one frame.
    if frames > 0, interrupt.takeTraceRequest() { handleTraceRequest(of: loop) }
  }

  private func sampleFrame(of loop: CommitLoop, count frames: Int) {
    let record = loop.history.record(atAge: 0)
    if record.shown >= nextSample {
      nextSample = record.shown + TraceRecorder.sampleInterval
      // Sampling must not count as modelled time.
      loop.clock.performUncounted { samples.append(makeSample(at: record.shown, frames)) }
    }
    if let capture = capturePolicy.handle(hitch: record.hitch, shown: record.shown) { startWriting(capture, of: loop) }
  }

  private func makeSample(at instant: FrameInstant, _ frames: Int) -> TraceSample {
    let figures = figures.overlay()
    return TraceSample(
      instant: instant, visibleCells: figures.visibleCells, cellsWithoutImage: figures.visibleCellsWithoutImage,
      queued: figures.queued, decoding: figures.decoding, waitingUploads: uploads.count,
      bitmapBytes: figures.bitmapBytes, textureBytes: textureBytes(),
      residentBytes: residentMemory.bytes(atFrame: frames))
  }

  private func handleTraceRequest(of loop: CommitLoop) {
    let fallbackPrefix = capturePolicy.destination == nil ? prefix() : nil
    guard capturePolicy.destination != nil || fallbackPrefix != nil else {
      console.printError("SIGUSR1: there is no place for a trace; --trace FILE gives it one")
      return
    }
    let capture = capturePolicy.handleRequest(
      at: loop.clock.now(), lastShown: loop.history.record(atAge: 0).shown, fallbackPrefix: fallbackPrefix)
    if let capture { startWriting(capture, of: loop) }
  }

  // MARK: - Writing

  /// Copies the data since an instant.
  ///
  /// The writing thread adds the decodes, because their journal is thread-safe.
  private func makeSnapshot(of loop: CommitLoop, since instant: FrameInstant) -> TraceSnapshot {
    TraceSnapshot(
      version: version, interval: loop.interval, visibility: loop.costVisibility,
      records: loop.history.records(shownSince: instant), uploads: uploads.uploadLog?.spans(since: instant) ?? [],
      samples: samples.newestValues { $0.instant >= instant })
  }

  private func startWriting(_ capture: TraceCapturePolicy.Capture, of loop: CommitLoop) {
    let snapshot = loop.clock.performUncounted { makeSnapshot(of: loop, since: capture.since) }
    let missing = figures.journal == nil ? "decodes and uploads" : "uploads"
    let (journal, console, failure, isWhole) = (figures.journal, console, failure, recordsWholeRun)
    joinFinishedWriters()
    let hasEnded = Lock(false)
    do throws(ThreadError) {
      let thread = try WorkerThread(name: "trace") {
        defer { hasEnded.withLock { $0 = true } }
        var snapshot = snapshot
        snapshot.decodes = journal?.spans(since: capture.since) ?? []
        do throws(OutputError) {
          try TraceWriter(destination: capture.path).write(snapshot)
          guard capture.trigger == .signal else { return }
          console.printError(
            "SIGUSR1: the frames of the last \(Int(TraceCapturePolicy.captureLength.seconds)) s are in \(capture.path)"
              + (isWhole ? "" : "; with --trace FILE \(missing) would be too"))
        } catch {
          if capture.trigger == .signal { return console.printError("SIGUSR1: \(capture.path): \(error)") }
          failure.withLock { $0 = $0 ?? HostError("--trace-hitch: \(capture.path): \(error)") }
        }
      }
      writers.append((thread, hasEnded))
    } catch {
      console.printError("\(capture.path): \(error)")
    }
  }

  /// Joins the threads that have written their files.
  private func joinFinishedWriters() {
    writers.removeAll { writer in
      guard writer.hasEnded.withLock({ $0 }) else { return false }
      writer.thread.join()
      return true
    }
  }

  /// Waits until all captures are written.
  ///
  /// - Throws: `HostError` if a capture of a hitch could not be written.
  func waitForWriters() throws(HostError) {
    for writer in writers { writer.thread.join() }
    writers = []
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Returns the data of the whole run, limited by the capacities of the logs.
  ///
  /// - Complexity: O(frames + decodes + uploads + samples).
  func makeFullSnapshot(of loop: CommitLoop) -> TraceSnapshot {
    var snapshot = makeSnapshot(of: loop, since: .distantPast)
    snapshot.decodes = figures.journal?.spans ?? []
    return snapshot
  }
}
