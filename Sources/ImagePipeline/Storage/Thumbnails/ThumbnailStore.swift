import FramePacing
import Rendering
import Threads

/// The store of thumbnails on disk, read by the workers and written by its own thread.
///
/// The store only saves time. After an error of the disk no more thumbnails are written, and the condition reports why;
/// existing ones can still be read.
final class ThumbnailStore: Sendable {
  private struct State {
    var pack: ThumbnailPack?
    /// Whether opening the pack has succeeded or failed.
    var isOpened = false
    /// Whether a worker has waited for the pack in vain, so that no other waits.
    var isSlow = false
    var backlog = WriteBacklog(byteLimit: ThumbnailStore.maximumPendingBytes)
    var fault: String?
    var written = 0
    /// The time since the last scan for other instances' thumbnails.
    var lastScan = Stopwatch()
    var isScanPending = false
    var isClosing = false
    var hasEnded = false
  }

  /// The maximum bytes of pixels that wait to be written.
  private static let maximumPendingBytes = 32 << 20
  /// The bytes of pixels written at a time.
  private static let batchBytes = 4 << 20
  /// The maximum time that a worker waits once for the pack to be opened, longer than a disk usually takes.
  private static let openTimeout = Duration.milliseconds(250)
  /// The minimum time between two scans for other instances' thumbnails.
  private static let scanInterval = FrameDuration.seconds(1)
  /// The name of the pack's folder in the cache folder, with the version of its layout.
  static let folderName = "thumbnails-1"

  private let state: Lock<State>
  private let thread: WorkerThread
  /// The thumbnails shared by programs; nil if there are none.
  let shared: SharedThumbnails?

  /// Starts to open the store; returns before it is open.
  ///
  /// - Parameter pixels: The layout of thumbnails in memory.
  /// - Throws: `ThreadError` if the system has no thread available. An inaccessible folder is no error.
  init(_ configuration: StorageConfiguration, pixels: PixelStorage = PixelStorage()) throws(ThreadError) {
    let state = Lock(State())
    self.state = state
    shared = configuration.sharedThumbnails.flatMap(SharedThumbnails.init)
    // Of normal priority, as it briefly holds locks that workers wait for.
    thread = try WorkerThread(name: "thumbnails") {
      ThumbnailStore.runWriter(state, configuration, pixels)
    }
  }

  // MARK: - Access by the workers

  /// Reads a thumbnail.
  func thumbnail(for key: FileFingerprint) -> StoredThumbnail? {
    guard let pack = openedPack else { return nil }
    if let found = pack.thumbnail(for: key) {
      if found.needsRewrite { enqueue(key, found.thumbnail) }
      return found.thumbnail
    }
    let isScanDue = state.withLock { state in
      guard state.lastScan.elapsed > ThumbnailStore.scanInterval, !state.isScanPending else { return false }
      state.isScanPending = true
      return true
    }
    if isScanDue { state.wakeAll() }
    return nil
  }

  /// Stores a new thumbnail; returns before it is written.
  func insert(_ thumbnail: StoredThumbnail, for key: FileFingerprint) {
    guard let pack = openedPack, thumbnail.bitmap.isOpaque, pack.canStore(pixels: thumbnail.bitmap.byteCount / 4),
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

  private var openedPack: ThumbnailPack? {
    let pack = state.wait(atMost: ThumbnailStore.openTimeout) { state -> ThumbnailPack?? in
      state.isOpened || state.isSlow ? .some(state.pack) : nil
    }
    guard let pack else {
      state.withLock { $0.isSlow = true }
      return nil
    }
    return pack
  }

  // MARK: - Condition and shutdown

  /// The condition of the thumbnails.
  var condition: StorageCondition {
    state.withLock { state in
      var condition = StorageCondition()
      condition.fault = state.fault
      condition.count = state.pack?.count ?? 0
      condition.byteCount = state.pack?.byteCount ?? 0
      condition.written = state.written
      condition.dropped = state.backlog.droppedCount
      return condition
    }
  }

  /// Finishes pending writes within a time limit and ends the thread.
  ///
  /// Has no effect when called again.
  ///
  /// After the limit, thumbnails that are not written are lost, and the thread is detached.
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
          state.lastScan = Stopwatch()
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
      state.isOpened = true
    }
    state.wakeAll()
    return pack
  }

  private static func writeItems(_ items: [WriteBacklog.Item], to pack: ThumbnailPack?, _ state: Lock<State>) {
    guard let pack else { return }
    do throws(StorageError) {
      try pack.append(items.map { ($0.key, $0.thumbnail) })
      state.withLock { $0.written += items.count }
    } catch {
      state.withLock { state in
        state.fault = error.description
        state.backlog.dropAll()
      }
    }
  }
}

// MARK: - Write backlog

/// A queue of thumbnails to write, bounded in bytes: if the disk is too slow, the oldest are dropped.
struct WriteBacklog: Sendable {
  /// A thumbnail and its name.
  struct Item: Sendable {
    var key: FileFingerprint
    var thumbnail: StoredThumbnail
  }

  /// The maximum bytes of waiting pixels.
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

  /// Removes and returns the oldest thumbnails, at least one and up to the given bytes.
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
