import FramePacing
import Rendering
import Threads

/// The thumbnails on disk, for the workers: read by them, written by a thread of its own.
///
/// Only saves time. Where the disk gives an error, nothing more is written, and it is said why; what can be read still is.
final class ThumbnailStore: Sendable {
  private struct State {
    var pack: ThumbnailPack?
    /// Whether it is settled that there is a pack or not.
    var isOpened = false
    /// Whether a worker has waited for that in vain: none does again.
    var isSlow = false
    var backlog = WriteBacklog(byteLimit: ThumbnailStore.maximumPendingBytes)
    var fault: String?
    var written = 0
    /// When other instances' thumbnails were last looked for.
    var lastScan = Stopwatch()
    var isScanPending = false
    var isClosing = false
    var hasEnded = false
  }

  /// The bytes of pixels that may wait to be written.
  private static let maximumPendingBytes = 32 << 20
  /// The bytes of pixels that are written at a time.
  private static let batchBytes = 4 << 20
  /// How long a worker waits for the pack to be opened, once: longer than a disk takes, and no longer than it may.
  private static let openTimeout = Duration.milliseconds(250)
  /// How often other instances' thumbnails are looked for, at most.
  private static let scanInterval = FrameDuration.seconds(1)
  /// The name of the pack's folder in the cache folder: the number is another one when the layout is.
  static let folderName = "thumbnails-1"

  private let state: Lock<State>
  private let thread: WorkerThread
  /// The thumbnails that programs share; nothing where there are none.
  let shared: SharedThumbnails?

  /// Begins to open the thumbnails; returns before they are open.
  ///
  /// - Parameter pixels: how what is read stands in memory.
  /// - Throws: ``ThreadError`` where the system gives no thread. A folder that cannot be had is no error.
  init(_ configuration: StorageConfiguration, pixels: PixelStorage = PixelStorage()) throws(ThreadError) {
    let desk = Lock(State())
    self.state = desk
    shared = configuration.sharedThumbnails.flatMap(SharedThumbnails.init)
    // Of the usual priority, as it holds locks for moments that workers wait for.
    thread = try WorkerThread(name: "thumbnails") {
      ThumbnailStore.runWriter(desk, configuration, pixels)
    }
  }

  // MARK: - For the workers

  /// Reads a thumbnail.
  func picture(for key: FileFingerprint) -> StoredThumbnail? {
    guard let pack = openedPack else { return nil }
    if let found = pack.picture(for: key) {
      if found.needsRewrite { enqueue(key, found.picture) }
      return found.picture
    }
    let isLookDue = state.withLock { desk in
      guard desk.lastScan.elapsed > ThumbnailStore.scanInterval, !desk.isScanPending else { return false }
      desk.isScanPending = true
      return true
    }
    if isLookDue { state.wakeAll() }
    return nil
  }

  /// Keeps a thumbnail that is not there; returns before it is written.
  func insert(_ picture: StoredThumbnail, for key: FileFingerprint) {
    guard let pack = openedPack, picture.bitmap.isOpaque, pack.canStore(pixels: picture.bitmap.byteCount / 4),
      !pack.contains(key)
    else { return }
    enqueue(key, picture)
  }

  private func enqueue(_ key: FileFingerprint, _ picture: StoredThumbnail) {
    state.withLock { desk in
      guard desk.fault == nil, !desk.isClosing else { return }
      desk.backlog.append(WriteBacklog.Item(key: key, picture: picture))
    }
    state.wakeAll()
  }

  private var openedPack: ThumbnailPack? {
    let pack = state.wait(atMost: ThumbnailStore.openTimeout) { desk -> ThumbnailPack?? in
      desk.isOpened || desk.isSlow ? .some(desk.pack) : nil
    }
    guard let pack else {
      state.withLock { $0.isSlow = true }
      return nil
    }
    return pack
  }

  // MARK: - For the program

  /// How the thumbnails are.
  var condition: StorageCondition {
    state.withLock { desk in
      var condition = StorageCondition()
      condition.fault = desk.fault
      condition.count = desk.pack?.count ?? 0
      condition.byteCount = desk.pack?.byteCount ?? 0
      condition.written = desk.written
      condition.dropped = desk.backlog.droppedCount
      return condition
    }
  }

  /// Writes what waits, for as long as it may take, and ends the thread; again is no error.
  ///
  /// What is not written then is lost, and so is the thread where the disk does not answer.
  func close(within limit: Duration) {
    state.withLock { $0.isClosing = true }
    state.wakeAll()
    let hasEnded = state.wait(atMost: limit) { desk -> Void? in desk.hasEnded ? () : nil } != nil
    if hasEnded {
      thread.join()
    } else {
      state.withLock { $0.backlog.dropAll() }
      thread.detach()
    }
  }

  deinit { close(within: .zero) }

  // MARK: - On its own thread

  private enum WriterTask {
    case write([WriteBacklog.Item])
    case scan
    case end
  }

  private static func runWriter(_ desk: Lock<State>, _ configuration: StorageConfiguration, _ pixels: PixelStorage) {
    let pack = openPack(desk, configuration, pixels)
    while true {
      let task = desk.wait { desk -> WriterTask? in
        if !desk.backlog.isEmpty { return .write(desk.backlog.takeItems(atMost: batchBytes)) }
        if desk.isClosing { return .end }
        return desk.isScanPending ? .scan : nil
      }
      switch task {
      case .write(let items): writeItems(items, to: pack, desk)
      case .scan:
        try? pack?.readNewRecords()
        desk.withLock { desk in
          desk.isScanPending = false
          desk.lastScan = Stopwatch()
        }
      case .end:
        desk.withLock { $0.hasEnded = true }
        desk.wakeAll()
        return
      }
    }
  }

  private static func openPack(
    _ desk: Lock<State>, _ configuration: StorageConfiguration, _ pixels: PixelStorage
  ) -> ThumbnailPack? {
    var pack: ThumbnailPack?
    var fault: String?
    do throws(StorageError) {
      let folder = try StorageFolder(configuration.directory + Array("/\(folderName)".utf8))
      pack = try ThumbnailPack(in: folder, byteLimit: configuration.thumbnailBytes, pixels: pixels)
    } catch {
      fault = error.description
    }
    desk.withLock { desk in
      desk.pack = pack
      desk.fault = fault
      desk.isOpened = true
    }
    desk.wakeAll()
    return pack
  }

  private static func writeItems(_ items: [WriteBacklog.Item], to pack: ThumbnailPack?, _ desk: Lock<State>) {
    guard let pack else { return }
    do throws(StorageError) {
      try pack.append(items.map { ($0.key, $0.picture) })
      desk.withLock { $0.written += items.count }
    } catch {
      desk.withLock { desk in
        desk.fault = error.description
        desk.backlog.dropAll()
      }
    }
  }
}
