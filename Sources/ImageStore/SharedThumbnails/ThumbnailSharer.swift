import VitrineFileReading
import VitrineImagePipeline
import VitrineThreads

/// The thread that shares thumbnails with other programs, with the lowest priority and while the pipeline is idle.
///
/// After a permanent error of the disk no more thumbnails are shared, which affects nothing else.
final class ThumbnailSharer: Sendable {
  /// The time without attempts after other programs have occupied all cores.
  private static let busyPause = Duration.seconds(10)

  /// The queue of thumbnails to share.
  let coordinator: SharingCoordinator
  private let thread: WorkerThread

  /// Starts the thread, which waits for the coordinator's jobs.
  ///
  /// - Parameters:
  ///   - coordinator: The queue of thumbnails to share.
  ///   - thumbnails: The path of the folder of all thumbnails.
  ///   - excluded: The paths of folders whose files get no thumbnails.
  ///   - fixes: The fixes of decoders. Default: those of this program.
  ///   - reader: The reader of files of other programs. Default: one of its own.
  ///   - makeDecoder: A closure that returns a decoder, called on the thread when needed; nil if none is available.
  /// - Throws: `ThreadError` if the system has no thread available.
  init(
    _ coordinator: SharingCoordinator, thumbnails: [UInt8], excluded: [[UInt8]], fixes: SecurityFixes = .current,
    reader: FileReader = FileReader(), makeDecoder: @escaping @Sendable () -> IdleDecoder?
  ) throws(ThreadError) {
    self.coordinator = coordinator
    thread = try WorkerThread(name: "sharing") {
      ThumbnailSharer.runThread(coordinator, thumbnails, excluded, fixes, reader, makeDecoder)
      coordinator.markEnded()
    }
  }

  /// Stops the running job and ends the thread.
  ///
  /// Has no effect when called again.
  ///
  /// - Parameter limit: The maximum time to wait, after which the thread is detached.
  func close(within limit: Duration) {
    coordinator.close()
    if coordinator.waitForEnd(atMost: limit) { thread.join() } else { thread.detach() }
  }

  deinit { close(within: .zero) }

  private static func runThread(
    _ coordinator: SharingCoordinator, _ thumbnails: [UInt8], _ excluded: [[UInt8]], _ fixes: SecurityFixes,
    _ reader: FileReader, _ makeDecoder: () -> IdleDecoder?
  ) {
    let workingFolder = StorageFolder.workingDirectory
    var currentDecoder: IdleDecoder?
    let cache = DecodeCache()
    var lastJob: SharingCoordinator.Job?
    while true {
      // The decoder's process does not stay alive without work.
      if !coordinator.hasWork {
        currentDecoder = nil
        cache.clear()
      }
      guard let job = coordinator.waitForNextJob(after: lastJob) else { return }
      lastJob = job
      guard let decoder = currentDecoder ?? makeDecoder() else {
        coordinator.endJob(.postponed)
        continue
      }
      currentDecoder = decoder
      let worker = SharingWorker(
        thumbnails: thumbnails, excluded: excluded, workingFolder: workingFolder,
        decode: { file, request in
          // A closure cannot capture a borrowed value, so the cache is queried first.
          if let outcome = cache.outcome(of: request, for: job.candidate) { return outcome }
          return cache.store(decoder.decode(file, request), of: request)
        }, encode: decoder.encodePNG, fixes: fixes, reader: reader)
      performJob(job, worker, coordinator, decoder)
      if decoder.stop.isRaised { currentDecoder = nil }
      if decoder.isStarved, !coordinator.sleep(busyPause) { return }
    }
  }

  /// Performs a job.
  private static func performJob(
    _ job: SharingCoordinator.Job, _ worker: SharingWorker, _ coordinator: SharingCoordinator, _ decoder: IdleDecoder
  ) {
    guard coordinator.beginJob(job, stop: decoder.stop) else { return coordinator.endJob(.notStarted) }
    let outcome: SharingWorker.Outcome
    do throws(StorageError) {
      outcome = try worker.process(job.candidate) { coordinator.canContinue(job) }
    } catch {
      if error.isPermanent { coordinator.stopSharing(error) }
      outcome = error.isPermanent ? .done : .postponed
    }
    switch outcome {
    case .written: coordinator.endJob(.done, written: true)
    case .done: coordinator.endJob(.done)
    // A lack of cores is transient as well.
    case .stopped: coordinator.endJob(decoder.isStarved ? .postponed : .stopped)
    case .postponed: coordinator.endJob(.postponed)
    case .dropped: coordinator.endJob(.dropped)
    }
  }
}

/// The decodes of the current file, which are reused if a frame interrupts the work after a decode.
///
/// The cache holds at most two bitmaps of one file. It belongs to the thread that created it.
final class DecodeCache {
  private var candidate: SharingCandidate?
  /// The outcomes by background colour.
  private var outcomes: [UInt32: ImageOutcome] = [:]

  /// Returns the outcome of an earlier decode, or nil if there is none.
  ///
  /// - Parameters:
  ///   - request: The request; for one candidate, requests differ only in their background.
  ///   - candidate: The candidate; the outcomes of another one are discarded.
  func outcome(of request: ImageRequest, for candidate: SharingCandidate) -> ImageOutcome? {
    if self.candidate != candidate { clear() }
    self.candidate = candidate
    return outcomes[request.background]
  }

  /// Stores the outcome of a decode for the last candidate if it is permanent, and returns it.
  func store(_ outcome: ImageOutcome, of request: ImageRequest) -> ImageOutcome {
    switch outcome {
    case .success: outcomes[request.background] = outcome
    case .failure(let failure): if failure.persistence == .permanent { outcomes[request.background] = outcome }
    }
    return outcome
  }

  /// Removes all outcomes.
  func clear() {
    candidate = nil
    outcomes = [:]
  }
}
