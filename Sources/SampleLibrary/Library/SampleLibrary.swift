import Threads

/// A library of painted photographs: JPEG files in a folder of our own, made once and kept.
///
/// Threads of its own paint; the owner takes the finished pictures in the order of their indices, when it is woken or
/// when it likes. Files that are there and whole are kept as they are. The folder may hold more pictures, of a larger
/// library of the same seed: those of this library are the ones that ``takeFinished()`` gives.
public final class SampleLibrary: Sendable {
  /// What the threads share with the owner; they hold this and not the library, which may go before they do.
  private struct Desk {
    var queue: PaintingQueue
    var failure: SampleLibraryError?
    /// Threads that may still write.
    var painting = 0
  }

  private let configuration: SampleConfiguration
  private let names: SampleNames
  private let makeEncoder: @Sendable () throws -> any JPEGEncoding
  private let wake: @Sendable () -> Void
  private let desk: Lock<Desk>
  /// Threads that nobody has waited for yet.
  private let threads = Lock<[WorkerThread]>([])

  /// Makes a library that does nothing yet.
  ///
  /// - Parameters:
  ///   - configuration: how many pictures, which, and where.
  ///   - makeEncoder: makes an encoder; called at most once on each painting thread, which alone uses it.
  ///   - wake: called on a painting thread when there is more to take, and when the painting ends.
  public init(
    _ configuration: SampleConfiguration, makeEncoder: @escaping @Sendable () throws -> any JPEGEncoding,
    wake: @escaping @Sendable () -> Void = {}
  ) {
    self.configuration = configuration
    self.makeEncoder = makeEncoder
    self.wake = wake
    names = SampleNames(album: SceneAlbum(seed: configuration.seed), folder: configuration.folder)
    desk = Lock(Desk(queue: PaintingQueue(total: configuration.count)))
  }

  deinit { cancel() }

  /// The folder of a seed's pictures within a cache folder, both in bytes.
  ///
  /// The name tells the version of the painter, so that a later one's pictures do not mix with an earlier one's.
  public static func folder(within cache: [UInt8], seed: UInt64) -> [UInt8] {
    cache + Array("/samples-\(LandscapePainter.version)-seed-\(seed)".utf8)
  }

  /// Makes a folder for a library that is not kept; remove it with ``removeFiles()``.
  ///
  /// The C function is `mkdtemp`.
  ///
  /// - Parameter parent: where, in bytes, such as `/tmp`.
  /// - Throws: ``SampleLibraryError/folder(path:code:)``.
  public static func temporaryFolder(in parent: [UInt8]) throws(SampleLibraryError) -> [UInt8] {
    let pattern = parent + Array("/vitrine-samples-XXXXXX".utf8)
    do throws(FolderCalls.Refusal) {
      return try FolderCalls.makeTemporaryFolder(pattern)
    } catch {
      throw .folder(path: String(decoding: pattern, as: UTF8.self), code: error.code)
    }
  }

  /// Makes the folder and sets the threads to work.
  ///
  /// Call it once.
  ///
  /// - Throws: ``SampleLibraryError/folder(path:code:)``, or ``SampleLibraryError/resources(reason:)`` where the system
  ///   gives no thread.
  public func start() throws(SampleLibraryError) {
    do throws(FolderCalls.Refusal) {
      try FolderCalls.makeFolder(configuration.folder)
    } catch {
      throw .folder(path: String(decoding: configuration.folder, as: UTF8.self), code: error.code)
    }
    let (names, configuration) = (names, configuration)
    let (desk, makeEncoder, wake) = (desk, makeEncoder, wake)
    for thread in 0..<max(1, min(configuration.threads, configuration.count)) {
      desk.withLock { $0.painting += 1 }
      do throws(ThreadError) {
        let worker = try WorkerThread(name: "sample-\(thread)", isLowPriority: configuration.isLowPriority) {
          let studio = SampleStudio(
            names: names, quality: configuration.quality, reduction: configuration.reduction, makeEncoder: makeEncoder
          ) {
            desk.withLock { $0.queue.isStopped }
          }
          SampleLibrary.paint(in: studio, for: desk, wake)
        }
        threads.withLock { $0.append(worker) }
      } catch {
        desk.withLock { $0.painting -= 1 }
        // One thread paints as well as two, only later.
        if thread == 0 { throw .resources(reason: error.description) }
      }
    }
  }

  /// What a painting thread does.
  private static func paint(in studio: SampleStudio, for desk: Lock<Desk>, _ wake: @Sendable () -> Void) {
    while let index = desk.withLock({ $0.queue.claim() }) {
      do throws(SampleLibraryError) {
        try studio.make(index)
        let isMore = desk.withLock { $0.queue.finish(index) }
        desk.wakeAll()
        if isMore { wake() }
      } catch {
        desk.withLock { desk in
          if desk.failure == nil, error != .cancelled { desk.failure = error }
          desk.queue.stop()
        }
      }
    }
    desk.withLock { $0.painting -= 1 }
    desk.wakeAll()
    wake()
  }

  /// The pictures that have become ready since the last call, in the order of their indices; each comes once.
  public func takeFinished() -> [SampleFile] {
    desk.withLock { $0.queue.takeReady() }.map { index in
      SampleFile(index: index, path: names.path(of: names.album.scene(at: index)))
    }
  }

  /// How far the library has come.
  public var progress: SampleProgress { desk.withLock { $0.queue.progress } }

  /// Why the painting ended before all pictures were there; nothing while it goes on, after success and after a cancel.
  public var failure: SampleLibraryError? { desk.withLock { $0.failure } }

  /// Calls the painting off; returns at once.
  ///
  /// Pictures that are half painted are not written.
  public func cancel() {
    desk.withLock { $0.queue.stop() }
    desk.wakeAll()
  }

  /// Waits for the last picture, for runs without a window.
  ///
  /// - Parameter report: called on this thread, at the start and whenever there is one more.
  /// - Throws: ``SampleLibraryError``; ``SampleLibraryError/cancelled`` after a cancel.
  public func waitUntilDone(report: (SampleProgress) -> Void) throws(SampleLibraryError) {
    var last: SampleProgress?
    while true {
      let (progress, isOver) = desk.wait { desk -> (SampleProgress, Bool)? in
        let progress = desk.queue.progress
        // What is called off is not waited for: its disk may not answer.
        let isOver = desk.painting == 0 || desk.queue.isStopped && desk.failure == nil && !progress.isComplete
        return progress != last || isOver ? (progress, isOver) : nil
      }
      if progress != last { report(progress) }
      last = progress
      guard isOver else { continue }
      if let failure {
        join()
        throw failure
      }
      guard progress.isComplete else { throw .cancelled }
      join()
      return
    }
  }

  /// Calls the painting off and waits for its threads: at most as long as one picture takes.
  ///
  /// Call it before the library goes, unless ``waitUntilDone(report:)`` has returned. The C functions are `pthread_join` and
  /// `pthread_clockjoin_np`.
  ///
  /// - Parameter limit: how long the threads are waited for at most. Default: nil, until they have ended.
  public func close(within limit: Duration? = nil) {
    cancel()
    join(within: limit)
  }

  /// Closes the library and removes its files, and the folder where it is then empty.
  ///
  /// For libraries that are not kept.
  public func removeFiles() {
    close()
    for index in 0..<max(0, configuration.count) {
      FolderCalls.removeFile(names.path(of: names.album.scene(at: index)))
    }
    FolderCalls.removeFolder(configuration.folder)
  }

  private func join(within limit: Duration? = nil) {
    let ending = threads.withLock { threads -> [WorkerThread] in
      defer { threads = [] }
      return threads
    }
    let end = limit.map { ContinuousClock.now + $0 }
    for thread in ending {
      if let end { thread.join(within: end - .now) } else { thread.join() }
    }
  }
}
