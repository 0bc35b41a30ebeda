import Glibc
import VitrineDataStructures
import VitrineGeometry
public import VitrineImagePipeline
public import VitrinePhotoLibrary
import VitrineRendering
import VitrineThreads

/// A library of generated photographs: JPEG files in a folder of our own, made once and kept.
///
/// Its own threads paint; the owner takes the finished photographs in the order of their indices and closes the library.
/// Valid files that exist are reused. The first photographs of a larger library with the same seed are the same files.
public final class SampleLibrary: Sendable {
  private struct State {
    var queue: PaintingQueue
    var failure: SampleLibraryError?
    /// The number of threads that may still write.
    var activeThreads = 0
  }

  private let count: Int
  private let folder: PhotoPath
  /// The generated images, whose dates do not depend on the number of photographs.
  public let album: SketchAlbum
  private let threadCount: Int
  private let isLowPriority: Bool
  private let longSide: Int
  private let makeEncoder: @Sendable () throws -> SampleEncoder
  private let wake: @Sendable () -> Void
  private let state: Lock<State>
  /// The threads that have not been joined.
  private let threads = Lock<[WorkerThread]>([])

  /// Creates a library; ``start()`` starts the painting.
  ///
  /// - Parameters:
  ///   - count: The number of photographs.
  ///   - seed: The seed. Other seeds give other photographs.
  ///   - folder: The folder of the files; it is created if needed.
  ///   - threads: The number of painting threads, each of which holds a photograph of up to 64 MB.
  ///   - isLowPriority: Whether the threads yield to those that draw.
  ///   - longSide: The length of the longer sides in pixels. Default: 4,000.
  ///   - makeEncoder: Creates an encoder; called at most once on each painting thread, which alone uses it.
  ///   - wake: Called on a painting thread when there is more to take, and when the painting ends.
  public init(
    count: Int, seed: UInt64, folder: PhotoPath, threads: Int, isLowPriority: Bool,
    longSide: Int = SketchAlbum.longSide, makeEncoder: @escaping @Sendable () throws -> SampleEncoder,
    wake: @escaping @Sendable () -> Void = {}
  ) {
    self.count = max(0, count)
    self.folder = folder
    self.isLowPriority = isLowPriority
    self.longSide = longSide
    self.makeEncoder = makeEncoder
    self.wake = wake
    threadCount = max(1, min(threads, count))
    album = SketchAlbum(seed: seed)
    state = Lock(State(queue: PaintingQueue(total: count)))
  }

  /// Creates the folder and starts the threads; call it once.
  ///
  /// - Throws: ``SampleLibraryError``, if the folder cannot be created or the system provides no thread.
  public func start() throws(SampleLibraryError) {
    do throws(FileError) {
      try AtomicFile.makeFolder(folder)
    } catch {
      throw .folder(path: folder.printable, error)
    }
    for index in 0..<threadCount {
      state.withLock { $0.activeThreads += 1 }
      do throws(ThreadError) {
        let thread = try WorkerThread(name: "sample-\(index)", isLowPriority: isLowPriority) { self.paint() }
        threads.withLock { $0.append(thread) }
      } catch {
        state.withLock { $0.activeThreads -= 1 }
        // One thread is enough.
        if index == 0 { throw .painting(reason: error.description) }
      }
    }
  }

  /// Returns the paths of the photographs finished since the last call, in the order of their indices.
  public func takeFinished() -> [PhotoPath] { state.withLock { $0.queue.takeReady() }.map(path) }

  /// The error that ended the painting, or nil while it continues, after success and after a cancellation.
  public var failure: SampleLibraryError? { state.withLock { $0.failure } }

  /// Cancels the painting; a photograph in progress is still written.
  public func cancel() {
    state.withLock { $0.queue.stop() }
    state.wakeAll()
  }

  /// Waits for the last photograph.
  ///
  /// - Parameter report: Called on this thread with the number of finished photographs, first immediately and then after
  ///   each change.
  /// - Throws: ``SampleLibraryError``; ``SampleLibraryError/cancelled`` after a cancellation.
  public func waitUntilDone(report: (_ done: Int) -> Void) throws(SampleLibraryError) {
    var (last, isOver) = (-1, false)
    while !isOver {
      let previous = last
      (last, isOver) = state.wait { state in
        let done = state.queue.doneCount
        // After a cancellation the threads are not waited for: their disk may not respond.
        let isOver = state.activeThreads == 0 || state.queue.isStopped && state.failure == nil && done < self.count
        return done != previous || isOver ? (done, isOver) : nil
      }
      if last != previous { report(last) }
    }
    if failure == nil, last < count { throw .cancelled }
    join()
    if let failure { throw failure }
  }

  /// Cancels the painting and waits for the threads: at most as long as one photograph takes.
  ///
  /// - Parameter limit: The longest time to wait. Default: nil, without a limit.
  public func close(within limit: Duration? = nil) {
    cancel()
    join(within: limit)
  }

  /// Closes the library and removes its files, and the folder if it is empty then.
  ///
  /// The C functions are `unlink` and `rmdir`.
  public func removeFiles() {
    close()
    func cString(_ path: PhotoPath) -> [CChar] { path.bytes.map { CChar(bitPattern: $0) } + [0] }
    for index in 0..<count { unlink(cString(path(at: index))) }
    rmdir(cString(folder))
  }

  private func join(within limit: Duration? = nil) {
    let ending = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    let end = limit.map { ContinuousClock.now + $0 }
    for thread in ending {
      if let end { thread.join(within: end - .now) } else { thread.join() }
    }
  }

  /// Returns the path of a photograph: four digits, so that names sort as indices do, and the title.
  private func path(at index: Int) -> PhotoPath {
    let number = "\(index + 1)"
    let padding = String(repeating: "0", count: max(0, 4 - number.count))
    return folder.appending("\(padding)\(number) \(album.subject(at: index)).jpg")
  }

  private func paint() {
    var encoder: SampleEncoder?
    while let index = state.withLock({ $0.queue.claim() }) {
      do throws(SampleLibraryError) {
        try makeFile(at: index, &encoder)
        let hasMore = state.withLock { $0.queue.finish(index) }
        state.wakeAll()
        if hasMore { wake() }
      } catch {
        state.withLock { state in
          state.failure = state.failure ?? error
          state.queue.stop()
        }
      }
    }
    state.withLock { $0.activeThreads -= 1 }
    state.wakeAll()
    wake()
  }

  private func makeFile(at index: Int, _ encoder: inout SampleEncoder?) throws(SampleLibraryError) {
    let path = path(at: index)
    // Files are written atomically: one that is not empty is complete.
    guard AtomicFile.byteCount(of: path) ?? 0 == 0 else { return }
    do {
      let encode = try encoder ?? makeEncoder()
      encoder = encode
      guard let bytes = try album.photograph(at: index, longSide: longSide, encode: encode) else {
        throw SampleLibraryError.painting(reason: "the encoder returned no JPEG file")
      }
      try AtomicFile.write(bytes, to: path)
    } catch {
      if let error = error as? SampleLibraryError { throw error }
      throw (error as? FileError).map { .file(path: path.printable, $0) } ?? .painting(reason: "\(error)")
    }
  }
}

/// The order in which photographs are painted and published, as a value.
///
/// They are finished in any order and published in the order of their indices.
struct PaintingQueue: Sendable {
  private var next = 0
  private var isDone: [Bool]
  private(set) var doneCount = 0
  private var (readyEnd, takenEnd) = (0, 0)
  private(set) var isStopped = false

  init(total: Int) { isDone = [Bool](repeating: false, count: max(0, total)) }

  /// Returns the next photograph to paint, or nil if all are claimed or the queue is stopped.
  mutating func claim() -> Int? {
    guard !isStopped, next < isDone.count else { return nil }
    defer { next += 1 }
    return next
  }

  /// Marks a photograph as finished.
  ///
  /// - Returns: Whether more photographs can be published than before.
  mutating func finish(_ index: Int) -> Bool {
    guard isDone.indices.contains(index), !isDone[index] else { return false }
    isDone[index] = true
    doneCount += 1
    let previous = readyEnd
    while readyEnd < isDone.count, isDone[readyEnd] { readyEnd += 1 }
    return readyEnd > previous
  }

  mutating func stop() { isStopped = true }

  /// Returns the indices that can be published since the last call.
  mutating func takeReady() -> Range<Int> {
    defer { takenEnd = readyEnd }
    return takenEnd..<readyEnd
  }
}

/// An error that keeps sample photographs from being made.
public enum SampleLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The folder cannot be created or entered.
  case folder(path: String, FileError)
  /// A file cannot be written.
  case file(path: String, FileError)
  /// A photograph cannot be painted or encoded, or there is no thread to do so.
  case painting(reason: String)
  /// The painting was cancelled.
  case cancelled

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .folder(let path, let error):
      "the folder for the sample pictures, \(path), cannot be made (\(error.reason)); name another with --cache-dir"
    case .file(let path, let error) where error.code == ENOSPC || error.code == EDQUOT:
      "not enough disk space for the sample picture \(path), of about 2 MB; free some space, request fewer with --sample, "
        + "or name a folder on another disk with --cache-dir"
    case .file(let path, let error):
      "the sample picture \(path) cannot be written (\(error.reason)); name another folder with --cache-dir"
    case .painting(let reason): "a sample picture cannot be generated: \(reason)"
    case .cancelled: "the painting of the sample pictures was called off"
    }
  }
}

extension EncodingProcess {
  /// Starts a process that encodes photographs of the sample library's largest size.
  ///
  /// - Parameter helperPath: The path of the decoding program, or nil for `vitrine-decode` next to this one. Default: nil.
  /// - Throws: `DecodingProcessError`.
  public static func forSamples(helperPath: String? = nil) throws -> EncodingProcess {
    guard let largest = PixelSize(width: SketchAlbum.longSide, height: SketchAlbum.longSide) else {
      failPrecondition("the longer side of a sample photograph is out of range")
    }
    return try EncodingProcess(largest: largest, helperPath: helperPath)
  }
}
