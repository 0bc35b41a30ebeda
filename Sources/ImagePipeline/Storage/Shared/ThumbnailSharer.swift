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
  ///   - isSandboxed: whether decoding processes have all formats.
  /// - Throws: ``ThreadError`` where the system has no thread to give.
  init(
    _ desk: SharingDesk, thumbnails: [UInt8], excluded: [[UInt8]],
    isSandboxed: @escaping @Sendable () -> Bool, makeDecoder: @escaping @Sendable () -> IdleDecoder?
  ) throws(ThreadError) {
    self.desk = desk
    thread = try WorkerThread(name: "sharing") {
      ThumbnailSharer.run(desk, thumbnails, excluded, isSandboxed, makeDecoder)
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
    _ desk: SharingDesk, _ thumbnails: [UInt8], _ excluded: [[UInt8]], _ isSandboxed: @escaping () -> Bool,
    _ makeDecoder: () -> IdleDecoder?
  ) {
    let workingFolder = StorageFolder.working
    var idle: IdleDecoder?
    var last: SharingDesk.Job?
    while true {
      // Its process is not kept for what may never come.
      if !desk.hasWork { idle = nil }
      guard let job = desk.takeNext(after: last) else { return }
      last = job
      guard let decoder = idle ?? makeDecoder() else {
        desk.end(.forgotten)
        continue
      }
      idle = decoder
      let worker = SharingWorker(
        thumbnails: thumbnails, excluded: excluded, workingFolder: workingFolder, isSandboxed: isSandboxed
      ) { file, request in decoder.decode(file, request) }
      if !carryOut(job, worker, desk, stop: decoder.stop) { idle = nil }
      if decoder.isStarved, !desk.pass(busyPause) { return }
    }
  }

  /// Does a job; false where its decoder was stopped, and is of no further use.
  private static func carryOut(
    _ job: SharingDesk.Job, _ worker: SharingWorker, _ desk: SharingDesk, stop: StopSignal
  ) -> Bool {
    var ending = SharingWorker.Ending.stopped
    if desk.begin(job, stop: stop) {
      do throws(StorageError) {
        ending = try worker.carryOut(job.candidate) { desk.mayGoOn(job) }
      } catch {
        desk.giveUp(error)
        ending = .settled
      }
    }
    switch ending {
    case .written: desk.end(.settled, written: true)
    case .settled: desk.end(.settled)
    case .stopped: desk.end(.stopped)
    case .forgotten: desk.end(.forgotten)
    }
    return ending != .stopped
  }
}
