import Threads

/// Writes thumbnails to where programs share them, on a thread of the lowest priority and while the pipeline rests.
///
/// Owns the thread. Where the disk takes no thumbnails, none is written any more; that is no failure of anything.
final class ThumbnailSharer: Sendable {
  /// How long nothing is tried once others have left no core.
  private static let busyPause = Duration.seconds(10)

  /// What is to be shared, and when.
  let coordinator: SharingCoordinator
  private let thread: WorkerThread

  /// Starts the thread, which waits for the desk.
  ///
  /// - Parameters:
  ///   - desk: where pictures are noted.
  ///   - thumbnails: the path of the folder of all thumbnails.
  ///   - excluded: the paths of folders in which nothing has a thumbnail.
  ///   - makeDecoder: gives the thread a decoder, on the thread, when it needs one; nothing where none can be had.
  /// - Throws: ``ThreadError`` where the system has no thread to give.
  init(
    _ desk: SharingCoordinator, thumbnails: [UInt8], excluded: [[UInt8]],
    makeDecoder: @escaping @Sendable () -> IdleDecoder?
  ) throws(ThreadError) {
    self.coordinator = desk
    thread = try WorkerThread(name: "sharing") {
      ThumbnailSharer.runThread(desk, thumbnails, excluded, makeDecoder)
      desk.markEnded()
    }
  }

  /// Stops what is under way and ends the thread; again is no error.
  ///
  /// - Parameter limit: how long that may take; then the thread is left to itself.
  func close(within limit: Duration) {
    coordinator.close()
    if coordinator.waitForEnd(atMost: limit) { thread.join() } else { thread.detach() }
  }

  deinit { close(within: .zero) }

  private static func runThread(
    _ desk: SharingCoordinator, _ thumbnails: [UInt8], _ excluded: [[UInt8]], _ makeDecoder: () -> IdleDecoder?
  ) {
    let workingFolder = StorageFolder.workingDirectory
    var idle: IdleDecoder?
    let kept = DecodeCache()
    var last: SharingCoordinator.Job?
    while true {
      // Its process is not kept for what may never come.
      if !desk.hasWork {
        idle = nil
        kept.clear()
      }
      guard let job = desk.waitForNextJob(after: last) else { return }
      last = job
      guard let decoder = idle ?? makeDecoder() else {
        desk.endJob(.postponed)
        continue
      }
      idle = decoder
      let worker = SharingWorker(thumbnails: thumbnails, excluded: excluded, workingFolder: workingFolder) {
        file, request in
        // A closure may not capture what it borrows, so what is kept is asked for first.
        if let outcome = kept.outcome(of: request, for: job.candidate) { return outcome }
        return kept.store(decoder.decode(file, request), of: request)
      }
      performJob(job, worker, desk, decoder)
      if decoder.stop.isRaised { idle = nil }
      if decoder.isStarved, !desk.sleep(busyPause) { return }
    }
  }

  /// Does a job.
  private static func performJob(
    _ job: SharingCoordinator.Job, _ worker: SharingWorker, _ desk: SharingCoordinator, _ decoder: IdleDecoder
  ) {
    guard desk.beginJob(job, stop: decoder.stop) else { return desk.endJob(.notStarted) }
    let ending: SharingWorker.Outcome
    do throws(StorageError) {
      ending = try worker.process(job.candidate) { desk.canContinue(job) }
    } catch {
      if error.isPermanent { desk.stopSharing(error) }
      ending = error.isPermanent ? .done : .postponed
    }
    switch ending {
    case .written: desk.endJob(.done, written: true)
    case .done: desk.endJob(.done)
    // That others take all cores passes, too.
    case .stopped: desk.endJob(decoder.isStarved ? .postponed : .stopped)
    case .postponed: desk.endJob(.postponed)
    case .dropped: desk.endJob(.dropped)
    }
  }
}
