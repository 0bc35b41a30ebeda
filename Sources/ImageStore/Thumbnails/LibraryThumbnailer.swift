import VitrineDataStructures
import VitrineDecodingProtocol
import VitrineFileReading
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrineRendering
import VitrineThreads

/// Makes thumbnails while the pipeline is idle, on threads and with processes of the lowest priority: of files that were
/// shown, the last one first, and then of a whole library.
///
/// Files that have a thumbnail are skipped without being opened, and files of a library on a network file system are not
/// read. A file that cannot be decoded gets none, and is tried again in the next run. Files of a library do not replace
/// others: once the disk cache is almost full, no more are made. After a permanent error of the disk, or if there is no
/// decoder, none are made any more.
final class LibraryThumbnailer: Sendable {
  /// The result of the work on a file.
  enum Outcome: Hashable {
    /// The thumbnail was stored, or the file gets none.
    case done
    /// The work was stopped for something more urgent.
    case stopped
    /// The system lacks a resource.
    case postponed
  }

  /// The longest side of a thumbnail in pixels.
  static let side = 320
  /// The JPEG quality of a thumbnail, and the one for an image that would otherwise exceed ``usualBytes``.
  private static let (quality, reducedQuality) = (78, 60)
  /// The size above which a thumbnail is compressed more, so that 100,000 take at most 1.5 GiB.
  private static let usualBytes = 12_500
  /// The number of times that requests may stop the work on a file before the file is skipped.
  private static let maximumAttempts = 8
  /// The number of files that a thread takes at a time.
  private static let filesAtATime = 16
  /// The time without attempts after the system lacked a resource.
  private static let postponement = Duration.seconds(10)
  /// The time without attempts after other programs have occupied a core: short at first, because any program that
  /// wakes up occupies one for a moment.
  private static let busyPauses = RetryPolicy(firstPause: .milliseconds(250), maximumPause: .seconds(10))
  /// The number of consecutive attempts without a resource after which no more are made in this run.
  private static let maximumPostponements = 4
  /// The maximum number of shown files that wait for their thumbnails; the first ones are removed.
  private static let maximumShownFiles = 2_048

  /// A file, and how its thumbnail is made.
  private struct Item: Sendable {
    var file: ThumbnailFile
    var background: UInt32
    /// Whether the file was shown, so that it has been read anyway.
    var wasShown: Bool
  }

  private struct State {
    var shown = Deque<Item>()
    var files: (any ThumbnailFiles)?
    /// The number of the list of files, which changes when another is set.
    var list = 0
    var next = 0
    var doneCount = 0
    var isClosing = false
    var startedThreads = 0
    var endedThreads = 0
    /// The files that were decoded in this run, whether they have a thumbnail now or not.
    var attempted: Set<FileFingerprint> = []
    /// The number of consecutive attempts that lacked a resource.
    var postponedCount = 0
    var hasFault = false
  }

  private enum Batch: Sendable {
    case shown(Item)
    case library(any ThumbnailFiles, list: Int, Range<Int>)
  }

  private let state = Lock(State())
  private let threads = Lock<[WorkerThread]>([])
  /// The last period that was long enough to be idle.
  private let lastPeriod = Lock<IdleMonitor.Period?>(nil)
  private let monitor: IdleMonitor
  private let store: ThumbnailStore
  private let pause: Duration
  private let threadCount: Int
  private let directory: [UInt8]
  private let reader: FileReader
  private let makeDecoder: @Sendable () -> IdleDecoder?

  /// Creates a thumbnailer without files, which has no thread.
  ///
  /// - Parameters:
  ///   - store: The store of thumbnails.
  ///   - monitor: The detector of idle times.
  ///   - pause: The time without activity after which the pipeline is idle.
  ///   - threadCount: The number of files to decode at the same time.
  ///   - directory: The bytes of the cache folder's path: an encrypted file gets no thumbnail in a folder that is not.
  ///   - reader: The reader of the files' headers. Default: one of its own.
  ///   - makeDecoder: A closure that returns a decoder, called on each thread; nil if none is available.
  init(
    _ store: ThumbnailStore, monitor: IdleMonitor, pause: Duration, threadCount: Int, directory: [UInt8],
    reader: FileReader = FileReader(), makeDecoder: @escaping @Sendable () -> IdleDecoder?
  ) {
    self.store = store
    self.monitor = monitor
    self.pause = pause
    self.threadCount = threadCount
    self.directory = directory
    self.reader = reader
    self.makeDecoder = makeDecoder
  }

  /// The progress, or nil without files, or if no thumbnails can be made.
  var progress: ThumbnailProgress? {
    state.withLock { state in
      guard !state.hasFault, state.startedThreads > 0 else { return nil }
      return state.files.map { ThumbnailProgress(doneCount: state.doneCount, totalCount: $0.count) }
    }
  }

  /// Sets the files to make thumbnails of, in this order; nil to end the work.
  ///
  /// Starts the threads if there are none. If the system has no thread available, no thumbnails are made.
  func setFiles(_ files: (any ThumbnailFiles)?) {
    state.withLock { state in
      guard !state.isClosing else { return }
      state.list += 1
      (state.files, state.next, state.doneCount) = (files, 0, 0)
    }
    state.wakeAll()
    if files != nil { startThreads(threadCount) }
  }

  /// Adds a file that was shown.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - background: The colour behind transparent pixels.
  func addShown(_ file: ThumbnailFile, background: UInt32) {
    let isNew = state.withLock { state in
      guard !state.isClosing, !state.hasFault, !state.attempted.contains(file.fingerprint) else { return false }
      state.shown.append(Item(file: file, background: background, wasShown: true))
      if state.shown.count > LibraryThumbnailer.maximumShownFiles { _ = state.shown.popFirst() }
      return true
    }
    guard isNew else { return }
    state.wakeAll()
    startThreads(1)
  }

  /// Starts threads until there is the given number.
  private func startThreads(_ count: Int) {
    threads.withLock { threads in
      while threads.count < count, !isClosing {
        let number = threads.count
        // Normal priority, because the thread briefly holds locks that others wait for. Its process has the lowest.
        let thread = try? WorkerThread(name: "library-\(number)") { [self] in
          runThread(number)
          state.withLock { $0.endedThreads += 1 }
          state.wakeAll()
        }
        guard let thread else { return }
        threads.append(thread)
        state.withLock { $0.startedThreads += 1 }
      }
    }
  }

  /// Stops the running work, and lets no other start; returns immediately.
  func stop() {
    state.withLock { $0.isClosing = true }
    monitor.stopWork()
    state.wakeAll()
  }

  /// Stops the running work and ends the threads.
  ///
  /// - Parameter limit: The maximum time to wait, after which the threads are detached.
  func close(within limit: Duration) {
    stop()
    let hasEnded = state.wait(atMost: limit) { $0.endedThreads == $0.startedThreads ? () : nil } != nil
    threads.withLock { threads in
      for thread in threads { if hasEnded { thread.join() } else { thread.detach() } }
      threads = []
    }
  }

  // MARK: - Threads

  private func runThread(_ number: Int) {
    var decoder: IdleDecoder?
    while let batch = takeBatch(releasing: &decoder) {
      switch batch {
      case .shown(let item): guard makeThumbnail(of: item, number, &decoder) else { return }
      case .library(let files, let list, let range):
        for index in range where isCurrent(list) {
          if let file = files.file(at: index) {
            let item = Item(file: file, background: files.background, wasShown: false)
            guard makeThumbnail(of: item, number, &decoder) else { return }
          }
          state.withLock { state in state.doneCount += state.list == list ? 1 : 0 }
        }
      }
    }
  }

  /// Takes the next files; waits for some, without a decoder, whose process must not stay alive without work.
  ///
  /// - Returns: The files, or nil once the thumbnailer is closed.
  private func takeBatch(releasing decoder: inout IdleDecoder?) -> Batch? {
    func take(_ state: inout State) -> Batch?? {
      if state.isClosing { return .some(nil) }
      if !state.hasFault, let item = state.shown.popLast() { return .shown(item) }
      guard let files = state.files, state.next < files.count, !state.hasFault else { return nil }
      let range = state.next..<min(state.next + LibraryThumbnailer.filesAtATime, files.count)
      state.next = range.upperBound
      return .library(files, list: state.list, range)
    }
    if let batch = state.withLock({ take(&$0) }) { return batch }
    decoder = nil
    return state.wait { take(&$0) }
  }

  private func isCurrent(_ list: Int) -> Bool {
    state.withLock { !$0.isClosing && $0.list == list && !$0.hasFault }
  }

  /// Makes a file's thumbnail in the next idle time, unless it has one.
  ///
  /// - Returns: False once the thumbnailer is closed.
  private func makeThumbnail(of item: Item, _ number: Int, _ decoder: inout IdleDecoder?) -> Bool {
    let fingerprint = item.file.fingerprint
    if state.withLock({ $0.attempted.contains(fingerprint) }) { return !isClosing }
    var (stopCount, starvedCount) = (0, 0)
    while stopCount < LibraryThumbnailer.maximumAttempts {
      guard let period = waitUntilIdle() else { return false }
      switch store.presenceOfCompressedThumbnail(for: fingerprint) {
      case .present: return true
      case .missing where !item.wasShown && store.isNearlyFull: return true
      // It replaces one of the same size.
      case .missing, .rejected: break
      }
      guard let current = decoder ?? makeDecoder() else {
        recordPostponement()
        return sleep(LibraryThumbnailer.postponement)
      }
      decoder = current
      let mayStart = monitor.beginWork(number, in: period, stop: current.stop)
      let outcome = mayStart ? perform(item, current) : .stopped
      monitor.endWork(number)
      if current.stop.isRaised { decoder = nil }
      switch outcome {
      case .done:
        state.withLock { state in
          state.attempted.insert(fingerprint)
          state.postponedCount = 0
        }
        return true
      case .stopped where current.isStarved:
        starvedCount += 1
        let pause = LibraryThumbnailer.busyPauses.pause(after: starvedCount)
        guard sleep(.nanoseconds(pause.nanoseconds)) else { return false }
      case .stopped: stopCount += 1
      case .postponed:
        stopCount += 1
        recordPostponement()
        guard sleep(LibraryThumbnailer.postponement) else { return false }
      }
    }
    return true
  }

  /// Records an attempt that lacked a resource.
  private func recordPostponement() {
    state.withLock { state in
      state.postponedCount += 1
      if state.postponedCount >= LibraryThumbnailer.maximumPostponements { state.hasFault = true }
    }
  }

  /// Waits until the pipeline is idle; nil once the thumbnailer is closed.
  private func waitUntilIdle() -> IdleMonitor.Period? {
    var period = monitor.currentPeriod
    // Work that follows other work needs no pause.
    if monitor.isIdle(since: period), lastPeriod.withLock({ $0 == period }) { return isClosing ? nil : period }
    while true {
      period = monitor.currentPeriod
      guard sleep(pause) else { return nil }
      if monitor.isIdle(since: period) {
        lastPeriod.withLock { $0 = period }
        return period
      }
    }
  }

  private var isClosing: Bool { state.withLock { $0.isClosing } }

  /// Waits for a time; returns false if the thumbnailer is closed before.
  private func sleep(_ time: Duration) -> Bool { state.wait(atMost: time) { $0.isClosing ? () : nil } == nil }

  // MARK: - Work

  private func perform(_ item: Item, _ decoder: IdleDecoder) -> Outcome {
    let (path, background) = (item.file.path, item.background)
    guard let opened = try? ImageFile(path: path), let size = LibraryThumbnailer.size,
      item.wasShown || !opened.isOnNetwork
    else { return .done }
    // A fresh file may change again within the same time stamp. An encrypted one must not be copied to a place that is
    // not.
    if opened.version.identity.isFresh { return .done }
    if opened.protection?.isEncrypted == true,
      (try? StorageFolder(existing: directory))?.protection?.isEncrypted != true
    {
      return .done
    }
    let request = ImageRequest(
      key: ImageKey(source: 0, size: size, fit: .fit), source: .file(path: path), background: background)
    switch decoder.decode(opened, request) {
    case .success(let image):
      guard !image.isDamaged, let sourceSize = image.sourceSize else { return .done }
      return store(image, sourceSize, of: opened, background: background, decoder)
    case .failure(.interrupted): return .stopped
    case .failure(.outOfMemory), .failure(.decoderUnavailable), .failure(.decodingStopped): return .postponed
    case .failure: return .done
    }
  }

  private func store(
    _ image: DecodedImage, _ sourceSize: PixelSize, of file: borrowing ImageFile, background: UInt32,
    _ decoder: IdleDecoder
  ) -> Outcome {
    var encoded = decoder.encodeJPEG(image.bitmap, quality: LibraryThumbnailer.quality)
    if case .success(let bytes) = encoded, bytes.count > LibraryThumbnailer.usualBytes {
      encoded = decoder.encodeJPEG(image.bitmap, quality: LibraryThumbnailer.reducedQuality)
    }
    switch encoded {
    case .success(let bytes):
      guard file.currentVersion == file.version else { return .done }
      let header = reader.header(of: file.number, byteCount: Int64(file.version.identity.byteCount))
      let isOpaque = header?.format.entry.isOpaque ?? false
      let isStored = store.insert(
        CompressedThumbnail(
          bytes: bytes, size: image.bitmap.size, sourceSize: sourceSize, background: isOpaque ? nil : background,
          origin: image.origin),
        of: file.version)
      if !isStored { state.withLock { $0.hasFault = true } }
      return .done
    case .failure(.interrupted): return .stopped
    case .failure: return .postponed
    }
  }

  private static let size = PixelSize(width: side, height: side)
}
