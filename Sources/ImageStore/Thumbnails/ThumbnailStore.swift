import FramePacing
import ImagePipeline
import Rendering
import Threads

/// The disk cache of thumbnails, which workers read, and which a thread owned by the store writes.
///
/// The format of the files is ``ThumbnailPack``'s. After a write error no more thumbnails are written, ``status``
/// describes the error, and existing ones can still be read. If the pack cannot be opened, no thumbnails are read or
/// written: images are then decoded from their files.
final class ThumbnailStore: Sendable {
  private struct State {
    var pack: ThumbnailPack?
    /// Whether opening the pack has succeeded or failed.
    var hasFinishedOpening = false
    /// Whether a worker's wait for the pack has timed out; later calls do not wait.
    var didOpenTimeOut = false
    var backlog = WriteBacklog(byteLimit: ThumbnailStore.maximumPendingBytes)
    /// The description of the first error, or nil.
    var fault: String?
    var writtenCount = 0
    /// The time since the last scan for thumbnails that other instances wrote.
    var timeSinceLastScan = Stopwatch()
    var isScanPending = false
    var isClosing = false
    var hasEnded = false
  }

  /// The maximum size of the pixels that wait to be written, in bytes.
  private static let maximumPendingBytes = 32 << 20
  /// The size of the pixels written at a time, in bytes.
  private static let batchBytes = 4 << 20
  /// The maximum time that the first worker waits until the pack is open, longer than a disk usually takes.
  private static let openTimeout = Duration.milliseconds(250)
  /// The minimum time between two scans for thumbnails that other instances wrote.
  private static let scanInterval = FrameDuration.seconds(1)
  /// The name of the pack's folder within the cache folder; the number is the version of the file format.
  static let folderName = "thumbnails-1"

  private let state: Lock<State>
  private let thread: WorkerThread
  /// The thumbnails that programs share by the freedesktop.org specification; nil if the configuration excludes them.
  let sharedThumbnails: SharedThumbnails?

  /// Creates a store and starts to open it on its thread.
  ///
  /// - Parameter pixels: The layout of thumbnails in memory.
  /// - Throws: `ThreadError` if the system has no thread available. If the folder cannot be opened, ``status`` says so.
  init(_ configuration: StorageConfiguration, pixels: PixelStorage = PixelStorage()) throws(ThreadError) {
    let state = Lock(State())
    self.state = state
    sharedThumbnails = configuration.sharedThumbnails.flatMap(SharedThumbnails.init)
    // Normal priority, because it briefly holds locks that workers wait for.
    thread = try WorkerThread(name: "thumbnails") {
      ThumbnailStore.runWriter(state, configuration, pixels)
    }
  }

  // MARK: - Access by the workers

  /// Returns a thumbnail from disk, or nil if there is none.
  ///
  /// Waits until the pack is open, 250 ms at most. If the thumbnail is missing, a scan for thumbnails that other
  /// instances wrote is requested, once a second at most.
  func thumbnail(for key: FileFingerprint) -> StoredThumbnail? {
    guard let pack = waitForPack() else { return nil }
    if let found = pack.thumbnail(for: key) {
      if found.needsRewrite { enqueue(key, found.thumbnail) }
      return found.thumbnail
    }
    let isScanDue = state.withLock { state in
      guard state.timeSinceLastScan.elapsed > ThumbnailStore.scanInterval, !state.isScanPending else { return false }
      state.isScanPending = true
      return true
    }
    if isScanDue { state.wakeAll() }
    return nil
  }

  /// Enqueues a thumbnail for writing and returns.
  ///
  /// Has no effect for transparent images, images larger than a segment, and thumbnails that are stored already.
  func insert(_ thumbnail: StoredThumbnail, for key: FileFingerprint) {
    guard let pack = waitForPack(), thumbnail.bitmap.isOpaque, pack.canStore(pixels: thumbnail.bitmap.byteCount / 4),
      !pack.contains(key)
    else { return }
    enqueue(key, thumbnail)
  }

  private func enqueue(_ key: FileFingerprint, _ thumbnail: StoredThumbnail) {
    state.withLock { state in
      guard state.fault == nil, !state.isClosing else { return }
      state.backlog.append(WriteBacklog.Item(key: key, thumbnail: thumbnail))
    }
    state.wakeAll()
  }

  /// Waits until the pack is open and returns it, or nil if opening failed or takes too long.
  private func waitForPack() -> ThumbnailPack? {
    let pack = state.wait(atMost: ThumbnailStore.openTimeout) { state -> ThumbnailPack?? in
      state.hasFinishedOpening || state.didOpenTimeOut ? .some(state.pack) : nil
    }
    guard let pack else {
      state.withLock { $0.didOpenTimeOut = true }
      return nil
    }
    return pack
  }

  // MARK: - Status and shutdown

  /// The number and size of the stored thumbnails, what was written, and the first error.
  var status: StorageStatus {
    state.withLock { state in
      var status = StorageStatus()
      status.fault = state.fault
      status.count = state.pack?.count ?? 0
      status.byteCount = state.pack?.byteCount ?? 0
      status.written = state.writtenCount
      status.dropped = state.backlog.droppedCount
      return status
    }
  }

  /// Finishes pending writes within a time limit and ends the thread.
  ///
  /// After the limit the thumbnails that still wait are dropped, and the thread is detached; the batch that it is
  /// writing may be completed. A second call may wait again for such a thread.
  func close(within limit: Duration) {
    state.withLock { $0.isClosing = true }
    state.wakeAll()
    let hasEnded = state.wait(atMost: limit) { state -> Void? in state.hasEnded ? () : nil } != nil
    if hasEnded {
      thread.join()
    } else {
      state.withLock { $0.backlog.dropAll() }
      thread.detach()
    }
  }

  deinit { close(within: .zero) }

  // MARK: - Writer thread

  private enum WriterTask {
    case write([WriteBacklog.Item])
    case scan
    case end
  }

  private static func runWriter(_ state: Lock<State>, _ configuration: StorageConfiguration, _ pixels: PixelStorage) {
    let pack = openPack(state, configuration, pixels)
    while true {
      let task = state.wait { state -> WriterTask? in
        if !state.backlog.isEmpty { return .write(state.backlog.takeItems(atMost: batchBytes)) }
        if state.isClosing { return .end }
        return state.isScanPending ? .scan : nil
      }
      switch task {
      case .write(let items): writeItems(items, to: pack, state)
      case .scan:
        try? pack?.readNewRecords()
        state.withLock { state in
          state.isScanPending = false
          state.timeSinceLastScan = Stopwatch()
        }
      case .end:
        state.withLock { $0.hasEnded = true }
        state.wakeAll()
        return
      }
    }
  }

  private static func openPack(
    _ state: Lock<State>, _ configuration: StorageConfiguration, _ pixels: PixelStorage
  ) -> ThumbnailPack? {
    var pack: ThumbnailPack?
    var fault: String?
    do throws(StorageError) {
      let folder = try StorageFolder(configuration.directory + Array("/\(folderName)".utf8))
      pack = try ThumbnailPack(in: folder, byteLimit: configuration.thumbnailBytes, pixels: pixels)
    } catch {
      fault = error.description
    }
    state.withLock { state in
      state.pack = pack
      state.fault = fault
      state.hasFinishedOpening = true
    }
    state.wakeAll()
    return pack
  }

  private static func writeItems(_ items: [WriteBacklog.Item], to pack: ThumbnailPack?, _ state: Lock<State>) {
    guard let pack else { return }
    do throws(StorageError) {
      try pack.append(items.map { ($0.key, $0.thumbnail) })
      state.withLock { $0.writtenCount += items.count }
    } catch {
      state.withLock { state in
        state.fault = error.description
        state.backlog.dropAll()
      }
    }
  }
}

// MARK: - Write backlog

/// A queue of thumbnails to write, limited in bytes.
///
/// If thumbnails arrive faster than the disk writes them, the oldest are dropped.
struct WriteBacklog: Sendable {
  /// A thumbnail, and the fingerprint of its source file.
  struct Item: Sendable {
    var key: FileFingerprint
    var thumbnail: StoredThumbnail
  }

  /// The maximum size of the waiting pixels, in bytes.
  let byteLimit: Int
  /// The number of dropped thumbnails.
  private(set) var droppedCount = 0
  private var items: [Item] = []
  private var byteCount = 0

  /// Creates an empty backlog.
  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Whether no thumbnail is waiting.
  var isEmpty: Bool { items.isEmpty }

  /// Appends a thumbnail.
  mutating func append(_ item: Item) {
    items.append(item)
    byteCount += item.thumbnail.bitmap.byteCount
    while byteCount > byteLimit, !items.isEmpty {
      byteCount -= items.removeFirst().thumbnail.bitmap.byteCount
      droppedCount += 1
    }
  }

  /// Removes and returns the oldest thumbnails with at most the given bytes of pixels, but at least one.
  ///
  /// - Precondition: The backlog is not empty.
  mutating func takeItems(atMost bytes: Int) -> [Item] {
    var taken = 0
    var count = 0
    while count < items.count, count == 0 || taken + items[count].thumbnail.bitmap.byteCount <= bytes {
      taken += items[count].thumbnail.bitmap.byteCount
      count += 1
    }
    defer { items.removeFirst(count) }
    byteCount -= taken
    return Array(items[..<count])
  }

  /// Drops all waiting thumbnails.
  mutating func dropAll() {
    droppedCount += items.count
    items = []
    byteCount = 0
  }
}
