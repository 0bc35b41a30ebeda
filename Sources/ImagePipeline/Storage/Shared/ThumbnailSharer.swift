import Threads

/// Writes thumbnails to where programs share them, on a thread of the lowest priority and while the pipeline rests.
///
/// Owns the thread. Where the disk takes no thumbnails, none is written any more; that is no failure of anything.
final class ThumbnailSharer: Sendable {
  /// How long nothing is tried once others have left no core.
  private static let busyPause = Duration.seconds(10)

  /// What is to be shared, and when.
  let desk: SharingDesk
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
    _ desk: SharingDesk, thumbnails: [UInt8], excluded: [[UInt8]], makeDecoder: @escaping @Sendable () -> IdleDecoder?
  ) throws(ThreadError) {
    self.desk = desk
    thread = try WorkerThread(name: "sharing") {
      ThumbnailSharer.run(desk, thumbnails, excluded, makeDecoder)
      desk.noteEnd()
    }
  }

  /// Stops what is under way and ends the thread; again is no error.
  ///
  /// - Parameter limit: how long that may take; then the thread is left to itself.
  func close(within limit: Duration) {
    desk.close()
    if desk.waitForEnd(atMost: limit) { thread.join() } else { thread.detach() }
  }

  deinit { close(within: .zero) }

  private static func run(
    _ desk: SharingDesk, _ thumbnails: [UInt8], _ excluded: [[UInt8]], _ makeDecoder: () -> IdleDecoder?
  ) {
    let workingFolder = StorageFolder.working
    var idle: IdleDecoder?
    let kept = KeptDecodes()
    var last: SharingDesk.Job?
    while true {
      // Its process is not kept for what may never come.
      if !desk.hasWork {
        idle = nil
        kept.clear()
      }
      guard let job = desk.takeNext(after: last) else { return }
      last = job
      guard let decoder = idle ?? makeDecoder() else {
        desk.end(.postponed)
        continue
      }
      idle = decoder
      let worker = SharingWorker(thumbnails: thumbnails, excluded: excluded, workingFolder: workingFolder) {
        file, request in
        // A closure may not capture what it borrows, so what is kept is asked for first.
        if let outcome = kept.outcome(of: request, for: job.candidate) { return outcome }
        return kept.keep(decoder.decode(file, request), of: request)
      }
      carryOut(job, worker, desk, decoder)
      if decoder.stop.isRaised { idle = nil }
      if decoder.isStarved, !desk.pass(busyPause) { return }
    }
  }

  /// Does a job.
  private static func carryOut(
    _ job: SharingDesk.Job, _ worker: SharingWorker, _ desk: SharingDesk, _ decoder: IdleDecoder
  ) {
    guard desk.begin(job, stop: decoder.stop) else { return desk.end(.untouched) }
    let ending: SharingWorker.Ending
    do throws(StorageError) {
      ending = try worker.carryOut(job.candidate) { desk.mayGoOn(job) }
    } catch {
      if error.isLasting { desk.giveUp(error) }
      ending = error.isLasting ? .settled : .postponed
    }
    switch ending {
    case .written: desk.end(.settled, written: true)
    case .settled: desk.end(.settled)
    // That others take all cores passes, too.
    case .stopped: desk.end(decoder.isStarved ? .postponed : .stopped)
    case .postponed: desk.end(.postponed)
    case .forgotten: desk.end(.forgotten)
    }
  }
}
